//! Parameters that do nothing where they stand.

use sim_api::ParamDesc;
use weft_scene::assemble;

use crate::run::Run;

/// Why a parameter does nothing in this run, if so.
pub fn idle(run: &Run, param: &ParamDesc) -> Option<String> {
    let only = param.only.as_str();
    let Some((name, values)) = only.split_once('=') else {
        let has_rows = only.is_empty() || run.state.table(only).is_some_and(|table| table.rows > 0);
        return (!has_rows).then(|| format!("it acts on `{only}` constraints: the scene has none"));
    };
    let choice = run.description()?.param(name)?;
    let present = assemble::choices(choice).nth(run.param(name)? as usize)?;
    let acts = values.split('|').any(|value| value == present);
    (!acts).then(|| format!("it acts with `{name}` {}, not {present}", values.replace('|', " or ")))
}

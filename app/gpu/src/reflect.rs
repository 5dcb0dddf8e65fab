//! What a pass binds: the columns and the uniform that its entry point reads or writes, and the uniform's members.

use naga::{AddressSpace, Module, TypeInner, valid::ModuleInfo};
use sim_api::ParamDesc;

use super::{
    compose::FRAME,
    values::{self, Slot},
};

/// A variable of a pass; all are in group 0.
#[derive(Clone)]
pub struct Binding {
    pub binding: u32,
    pub what: What,
}

#[derive(Clone)]
pub enum What {
    Column { index: usize, write: bool },
    Frame(Block),
}

/// The uniform's members.
#[derive(Clone, Default)]
pub struct Block {
    pub size: u32,
    pub members: Vec<(u32, Slot)>,
}

/// All bindings that the entry point uses. `columns`: those behind the bindings from 1 on, and whether they are written.
pub(crate) fn bindings(
    module: &Module,
    info: &ModuleInfo,
    columns: &[(usize, bool)],
    params: &[ParamDesc],
) -> Vec<Binding> {
    let mut found = Vec::new();
    for (handle, variable) in module.global_variables.iter() {
        let Some(at) = &variable.binding else { continue };
        if info.get_entry_point(0)[handle].is_empty() {
            continue;
        }
        let what = match variable.space {
            AddressSpace::Uniform if variable.name.as_deref() == Some(FRAME) => {
                Some(What::Frame(block(&module.types[variable.ty].inner, params)))
            }
            _ => columns
                .get((at.binding as usize).wrapping_sub(1))
                .map(|(index, write)| What::Column { index: *index, write: *write }),
        };
        found.extend(what.map(|what| Binding { binding: at.binding, what }));
    }
    found
}

fn block(ty: &TypeInner, params: &[ParamDesc]) -> Block {
    let TypeInner::Struct { members, span } = ty else { return Block::default() };
    let slot = |name: Option<&str>| values::slot(name?, params).map(|(slot, _)| slot);
    let members = members.iter().filter_map(|member| Some((member.offset, slot(member.name.as_deref())?)));
    Block { size: *span, members: members.collect() }
}

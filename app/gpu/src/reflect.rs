//! Compares what a pass binds with the columns and values there are, before anything is dispatched.

use naga::{
    AddressSpace, ArraySize, GlobalVariable, Handle, Module, ScalarKind, Span, StorageAccess, Type,
    TypeInner, VectorSize,
};
use sim_api::{Element, ParamDesc};

use super::{
    columns::Columns,
    module::Parsed,
    values::{self, Slot},
};
use weft_core::suggest;
use weft_draw::ShaderError;

/// Name of the uniform.
pub const FRAME: &str = "frame";

/// A variable of a pass.
#[derive(Clone)]
pub struct Binding {
    pub group: u32,
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

/// All bindings of a pass, each checked.
pub fn bindings(
    parsed: &Parsed,
    columns: &Columns,
    params: &[ParamDesc],
) -> Result<Vec<Binding>, ShaderError> {
    let mut found = Vec::new();
    for (handle, variable) in parsed.module.global_variables.iter() {
        let span = parsed.module.global_variables.get_span(handle);
        let what = match variable.space {
            AddressSpace::Storage { access } => column(parsed, columns, variable, access, span)?,
            AddressSpace::Uniform => What::Frame(block(parsed, params, variable, span)?),
            AddressSpace::Handle | AddressSpace::Immediate => {
                let message =
                    format!("`{}`: a pass binds columns and the uniform `frame` only", name(variable));
                return Err(parsed.error(span, message));
            }
            _ => continue,
        };
        let Some(at) = variable.binding else { continue };
        found.push(Binding { group: at.group, binding: at.binding, what });
    }
    found.sort_by_key(|binding| (binding.group, binding.binding));
    if let Some(twice) =
        found.windows(2).find(|pair| (pair[0].group, pair[0].binding) == (pair[1].group, pair[1].binding))
    {
        let message = format!("two variables have @group({}) @binding({})", twice[0].group, twice[0].binding);
        return Err(ShaderError::new(&parsed.file, message));
    }
    Ok(found)
}

fn name(variable: &GlobalVariable) -> &str {
    variable.name.as_deref().unwrap_or("?")
}

fn column(
    parsed: &Parsed,
    columns: &Columns,
    variable: &GlobalVariable,
    access: StorageAccess,
    span: Span,
) -> Result<What, ShaderError> {
    let (name, fail) = (name(variable), |message: String| Err(parsed.error(span, message)));
    let Some(index) = columns.variable(name) else {
        let known: Vec<String> = columns.list.iter().map(super::columns::ColumnInfo::variable).collect();
        let near = suggest::nearest(name, known.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return fail(format!("there is no column `{name}` (written table_column){near}"));
    };
    let column = &columns.list[index];
    let TypeInner::Array { base, size: ArraySize::Dynamic, stride } = parsed.module.types[variable.ty].inner
    else {
        return fail(format!("`{name}` is a column: write array<{}>", wgsl(column.element)));
    };
    let want = column.element.size();
    if stride as usize != want {
        return fail(format!(
            "rows of `{name}` are {stride} bytes apart here, in the column {want}: write array<{}>",
            wgsl(column.element)
        ));
    }
    if shape(&parsed.module, base) != Some((scalar(column.element), column.element.lanes())) {
        return fail(format!(
            "`{name}` holds another type than the column: write array<{}>",
            wgsl(column.element)
        ));
    }
    let write = access.contains(StorageAccess::STORE);
    match column.read_only().filter(|_| write) {
        Some(why) => fail(format!("`{name}` {why}, so it is read only: write var<storage, read>")),
        None => Ok(What::Column { index, write }),
    }
}

fn block(
    parsed: &Parsed,
    params: &[ParamDesc],
    variable: &GlobalVariable,
    span: Span,
) -> Result<Block, ShaderError> {
    if name(variable) != FRAME {
        return Err(
            parsed.error(span, format!("the uniform must be called `{FRAME}`, not `{}`", name(variable)))
        );
    }
    let TypeInner::Struct { members, span: size } = &parsed.module.types[variable.ty].inner else {
        return Err(parsed.error(span, format!("`{FRAME}` must be a struct")));
    };
    let mut block = Block { size: *size, members: Vec::new() };
    for member in members {
        let name = member.name.as_deref().unwrap_or("?");
        let span = member_span(parsed, variable.ty, name);
        let Some((slot, want)) = values::slot(name, params) else {
            let near = suggest::nearest(name, values::names(params));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(parsed.error(span, format!("`{FRAME}.{name}` is not supplied{near}")));
        };
        let have = member_type(&parsed.module, member.ty);
        if have != Some(want) {
            return Err(parsed.error(span, format!("`{FRAME}.{name}` is {want}; write it so")));
        }
        block.members.push((member.offset, slot));
    }
    Ok(block)
}

/// Where a member is written: naga keeps the place of the whole struct only.
fn member_span(parsed: &Parsed, ty: Handle<Type>, name: &str) -> Span {
    let whole = parsed.module.types.get_span(ty);
    let range = whole.to_range().unwrap_or(0..0);
    let found = parsed.text.get(range.clone()).and_then(|text| text.find(&format!("{name}:")));
    found.map_or(whole, |at| {
        let start = (range.start + at) as u32;
        Span::new(start, start + name.len() as u32)
    })
}

fn scalar(element: Element) -> ScalarKind {
    if (element as u32) < Element::U32 as u32 { ScalarKind::Float } else { ScalarKind::Uint }
}

/// An element as a row of a WGSL array.
fn wgsl(element: Element) -> String {
    let scalar = if scalar(element) == ScalarKind::Float { "f32" } else { "u32" };
    match element.lanes() {
        1 => scalar.to_string(),
        // A vec3 takes 16 bytes in an array.
        3 => format!("array<{scalar}, 3>"),
        lanes => format!("vec{lanes}{}", &scalar[..1]),
    }
}

/// Scalar and number of lanes of a row.
fn shape(module: &Module, ty: Handle<Type>) -> Option<(ScalarKind, usize)> {
    match module.types[ty].inner {
        TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) if scalar.width == 4 => Some((scalar.kind, 1)),
        TypeInner::Vector { size, scalar } if scalar.width == 4 => Some((scalar.kind, size as usize)),
        TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
            shape(module, base).filter(|(_, lanes)| *lanes == 1).map(|(kind, _)| (kind, count.get() as usize))
        }
        _ => None,
    }
}

/// The type of a member as [`values::Value::wgsl`] has it.
fn member_type(module: &Module, ty: Handle<Type>) -> Option<&'static str> {
    match module.types[ty].inner {
        TypeInner::Scalar(scalar) if scalar.width == 4 => match scalar.kind {
            ScalarKind::Float => Some("f32"),
            ScalarKind::Uint => Some("u32"),
            _ => None,
        },
        TypeInner::Vector { size, scalar } if scalar.width == 4 && scalar.kind == ScalarKind::Float => {
            match size {
                VectorSize::Bi => Some("vec2f"),
                VectorSize::Tri => Some("vec3f"),
                VectorSize::Quad => None,
            }
        }
        _ => None,
    }
}

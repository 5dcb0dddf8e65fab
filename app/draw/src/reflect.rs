//! Compares what a shader reads with what Rust supplies, and finds the GLSL names to bind.
//!
//! Neither naga nor miniquad does this: a renamed uniform would silently be zero, and a fragment input that no
//! vertex shader writes would be found by the driver, or by nobody.

use naga::back::glsl::ReflectionInfo;
use naga::{
    AddressSpace, ArraySize, Binding, EntryPoint, Handle, Module, ScalarKind, ShaderStage, Type, TypeInner,
    VectorSize,
};

use miniquad::VertexFormat;

use super::shader::{EntryPair, ShaderKind};
use super::translate::{SamplerSlot, UniformSlot};
use super::uniforms::{Field, Kind, type_text};
use weft_core::suggest;

/// Entry points exist, vertex inputs are supplied, fragment inputs are written, resources are known.
pub(crate) fn check_interface(module: &Module, kind: &ShaderKind, pair: EntryPair) -> Result<(), String> {
    let vertex = entry(module, pair.vertex, ShaderStage::Vertex, "@vertex")?;
    let fragment = entry(module, pair.fragment, ShaderStage::Fragment, "@fragment")?;
    for input in inputs(module, vertex) {
        let supplied = kind.attributes.get(input.location as usize).map(|a| attribute_type(a.format));
        let read = wgsl_type(module, input.ty);
        match supplied {
            None => {
                return Err(format!(
                    "{}: vertex input `{}` at location {} is not supplied; there are {} inputs",
                    pair.vertex,
                    input.name,
                    input.location,
                    kind.attributes.len()
                ));
            }
            Some(have) if have != read => {
                return Err(format!(
                    "{}: vertex input `{}` at location {} is {read} here, Weft supplies {have}",
                    pair.vertex, input.name, input.location
                ));
            }
            Some(_) => {}
        }
    }
    let written = outputs(module, vertex);
    for input in inputs(module, fragment) {
        let read = wgsl_type(module, input.ty);
        let Some(output) = written.iter().find(|o| o.location == input.location) else {
            return Err(format!(
                "{} reads `{}` at location {}, which {} does not write",
                pair.fragment, input.name, input.location, pair.vertex
            ));
        };
        let wrote = wgsl_type(module, output.ty);
        if wrote != read {
            return Err(format!(
                "{} reads `{}` at location {} as {read}, but {} writes {wrote}",
                pair.fragment, input.name, input.location, pair.vertex
            ));
        }
        if output.flat != input.flat {
            return Err(format!(
                "`{}` at location {} is interpolated differently in {} and {}",
                input.name, input.location, pair.vertex, pair.fragment
            ));
        }
    }
    for (_, variable) in module.global_variables.iter() {
        if matches!(variable.space, AddressSpace::Storage { .. } | AddressSpace::Immediate) {
            let name = variable.name.as_deref().unwrap_or("?");
            return Err(format!("`{name}`: drawing shaders have uniforms, textures and samplers only"));
        }
    }
    Ok(())
}

fn entry<'a>(
    module: &'a Module,
    name: &str,
    stage: ShaderStage,
    attribute: &str,
) -> Result<&'a EntryPoint, String> {
    let found = module.entry_points.iter().find(|e| e.name == name && e.stage == stage);
    found.ok_or_else(|| {
        let of_stage = module.entry_points.iter().filter(|e| e.stage == stage).map(|e| e.name.as_str());
        let near = suggest::nearest(name, of_stage);
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        let others: Vec<_> = module.entry_points.iter().map(|e| e.name.as_str()).collect();
        let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
        format!("entry point `{attribute} fn {name}` is missing{near} (entry points here: {others})")
    })
}

struct Varying {
    name: String,
    location: u32,
    ty: Handle<Type>,
    flat: bool,
}

fn inputs(module: &Module, entry: &EntryPoint) -> Vec<Varying> {
    let mut found = Vec::new();
    for argument in &entry.function.arguments {
        varyings(module, argument.name.as_deref(), argument.binding.as_ref(), argument.ty, &mut found);
    }
    found
}

fn outputs(module: &Module, entry: &EntryPoint) -> Vec<Varying> {
    let mut found = Vec::new();
    if let Some(result) = &entry.function.result {
        varyings(module, None, result.binding.as_ref(), result.ty, &mut found);
    }
    found
}

fn varyings(
    module: &Module,
    name: Option<&str>,
    binding: Option<&Binding>,
    ty: Handle<Type>,
    found: &mut Vec<Varying>,
) {
    if let Some(Binding::Location { location, interpolation, .. }) = binding {
        let flat = *interpolation == Some(naga::Interpolation::Flat);
        found.push(Varying { name: name.unwrap_or("result").to_owned(), location: *location, ty, flat });
    } else if let TypeInner::Struct { members, .. } = &module.types[ty].inner {
        for member in members {
            varyings(module, member.name.as_deref(), member.binding.as_ref(), member.ty, found);
        }
    }
}

/// Turns every uniform block of `text` into a plain uniform and appends its members to `slots`.
pub(crate) fn plain_uniforms(
    module: &Module,
    kind: &ShaderKind,
    reflection: &ReflectionInfo,
    text: &mut String,
    slots: &mut Vec<UniformSlot>,
) -> Result<(), String> {
    let mut blocks: Vec<_> = reflection.uniforms.iter().collect();
    blocks.sort_by_key(|(_, name)| name.as_str());
    for (handle, glsl_block) in blocks {
        let variable = &module.global_variables[*handle];
        let name = variable.name.as_deref().unwrap_or("");
        let (block, fields) = kind.block(name).ok_or_else(|| {
            format!("uniform `{name}` is not supplied; {} has: {}", kind.file, kind.block_names())
        })?;
        let TypeInner::Struct { members, .. } = &module.types[variable.ty].inner else {
            return Err(format!("uniform `{name}` must be a struct"));
        };
        let (type_name, instance) = declare_plain(text, glsl_block)?;
        let glsl_members = struct_members(text, &type_name);
        for (index, member) in members.iter().enumerate() {
            let member_name = member.name.as_deref().unwrap_or("");
            let field = supplied_field(module, fields, name, member_name, member.ty)?;
            let glsl_name = glsl_members.get(index).map_or(member_name, String::as_str);
            slots.push(UniformSlot {
                path: format!("{instance}.{glsl_name}"),
                kind: field.kind,
                count: field.count,
                block,
                offset: field.offset,
            });
        }
    }
    Ok(())
}

fn supplied_field<'a>(
    module: &Module,
    fields: &'a [Field],
    block: &str,
    name: &str,
    ty: Handle<Type>,
) -> Result<&'a Field, String> {
    let Some(field) = fields.iter().find(|f| f.name == name) else {
        let known: Vec<_> = fields.iter().map(|f| f.name).collect();
        return Err(format!("uniform `{block}.{name}` is not supplied; `{block}` has: {}", known.join(", ")));
    };
    if member_type(module, ty) == Some((field.kind, field.count)) {
        return Ok(field);
    }
    Err(format!("uniform `{block}.{name}` is {} here, Weft supplies {}", wgsl_type(module, ty), field.wgsl()))
}

/// `layout(std140) uniform Block { T name; };` becomes `uniform T name;`. Returns (T, name).
fn declare_plain(text: &mut String, glsl_block: &str) -> Result<(String, String), String> {
    let head = format!("uniform {glsl_block} {{ ");
    let lost = || format!("uniform block {glsl_block} is not where naga used to write it");
    let at = text.find(&head).ok_or_else(lost)?;
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    let declaration = text[at + head.len()..end].split(';').next().unwrap_or("").trim().to_owned();
    let (type_name, instance) = declaration.split_once(' ').ok_or_else(lost)?;
    let names = (type_name.to_owned(), instance.trim().to_owned());
    text.replace_range(start..end, &format!("uniform {declaration};"));
    Ok(names)
}

/// Member names of a GLSL struct as written (naga renames those that are GLSL keywords).
fn struct_members(text: &str, type_name: &str) -> Vec<String> {
    let head = format!("struct {type_name} {{");
    let Some(start) = text.find(&head) else {
        return Vec::new();
    };
    let body = text[start + head.len()..].split('}').next().unwrap_or("");
    let members = body.split(';').filter_map(|line| line.split_whitespace().last());
    members.map(|name| name.split('[').next().unwrap_or(name).to_owned()).collect()
}

/// Appends the samplers of one stage, in a fixed order.
pub(crate) fn samplers(
    module: &Module,
    kind: &ShaderKind,
    reflection: &ReflectionInfo,
    slots: &mut Vec<SamplerSlot>,
) -> Result<(), String> {
    let mut mapping: Vec<_> = reflection.texture_mapping.iter().collect();
    mapping.sort_by_key(|(name, _)| name.as_str());
    for (glsl_name, pair) in mapping {
        let variable = &module.global_variables[pair.texture];
        let name = variable.name.as_deref().unwrap_or("");
        let Some(texture) = kind.textures.iter().position(|slot| slot.name == name) else {
            let known: Vec<_> = kind.textures.iter().map(|slot| slot.name).collect();
            return Err(format!("texture `{name}` is not supplied; {} has: {}", kind.file, known.join(", ")));
        };
        let depth = matches!(
            module.types[variable.ty].inner,
            TypeInner::Image { class: naga::ImageClass::Depth { .. }, .. }
        );
        if depth != kind.textures[texture].depth {
            let want = if kind.textures[texture].depth { "texture_depth_2d" } else { "texture_2d<f32>" };
            return Err(format!("texture `{name}` must be {want}"));
        }
        slots.push(SamplerSlot { name: glsl_name.clone(), texture });
    }
    Ok(())
}

fn attribute_type(format: VertexFormat) -> String {
    let kind = match format {
        VertexFormat::Float1 => Kind::Float,
        VertexFormat::Float2 => Kind::Vec2,
        VertexFormat::Float3 => Kind::Vec3,
        _ => Kind::Vec4,
    };
    kind.wgsl().to_owned()
}

/// The type of a uniform member, if it is one that can be set.
fn member_type(module: &Module, ty: Handle<Type>) -> Option<(Kind, usize)> {
    let scalar = |kind| matches!(kind, ScalarKind::Float);
    match &module.types[ty].inner {
        TypeInner::Scalar(s) if s.kind == ScalarKind::Sint => Some((Kind::Int, 1)),
        TypeInner::Scalar(s) if scalar(s.kind) => Some((Kind::Float, 1)),
        TypeInner::Vector { size, scalar: s } if scalar(s.kind) => Some((
            match size {
                VectorSize::Bi => Kind::Vec2,
                VectorSize::Tri => Kind::Vec3,
                VectorSize::Quad => Kind::Vec4,
            },
            1,
        )),
        TypeInner::Matrix { columns: VectorSize::Quad, rows: VectorSize::Quad, .. } => Some((Kind::Mat4, 1)),
        TypeInner::Array { base, size: ArraySize::Constant(count), .. } => {
            let (kind, one) = member_type(module, *base)?;
            (one == 1).then_some((kind, count.get() as usize))
        }
        _ => None,
    }
}

fn wgsl_type(module: &Module, ty: Handle<Type>) -> String {
    if let Some((kind, count)) = member_type(module, ty) {
        return type_text(kind, count);
    }
    match &module.types[ty].inner {
        TypeInner::Scalar(s) => format!("{:?}{}", s.kind, u32::from(s.width) * 8).to_lowercase(),
        TypeInner::Vector { size, scalar } => {
            format!("vec{}<{:?}{}>", *size as u32, scalar.kind, u32::from(scalar.width) * 8).to_lowercase()
        }
        TypeInner::Matrix { columns, rows, .. } => {
            format!("mat{}x{}<f32>", *columns as u32, *rows as u32)
        }
        _ => module.types[ty].name.clone().unwrap_or_else(|| "another type".to_owned()),
    }
}

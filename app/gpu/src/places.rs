//! Buffers that the passes of a list bind, against the places that an adapter has for them in a pass: OpenGL has 16 on many
//! machines, Vulkan as good as any number.

use super::{
    Gpu,
    choice::{self, NotOffered},
    columns::Columns,
    compose::{self, Scope},
    module,
    passes::{self, Condition, List, Sources},
};
use sim_api::ParamDesc;
use wgpu::BufferBindingType;

/// What a list is asked about before any of its passes is compiled.
pub(crate) struct Places<'a> {
    pub gpu: &'a Gpu,
    pub sources: &'a Sources,
    pub columns: &'a Columns,
    /// Conditions that hold as long as the tables stay.
    pub lasting: &'a [Condition],
}

impl Places<'_> {
    /// The pass that binds most of those that may run, if the adapter has not enough places for it. Mistakes in the texts
    /// are told where they are compiled.
    pub(crate) fn too_few(&self, list: &List, params: &[ParamDesc]) -> Option<NotOffered> {
        let allows = self.gpu.limits.max_storage_buffers_per_shader_stage as usize;
        let frame = usize::from(self.gpu.frame_binding() != BufferBindingType::Uniform);
        // Not even one that bound every column would be refused.
        if self.columns.list.len() + frame <= allows {
            return None;
        }
        let (sources, columns) = (self.sources, self.columns);
        let scope =
            Scope { sources, columns, params, features: &list.known, places: self.gpu.places(columns) };
        let mut most: Option<(usize, String)> = None;
        list.each_pass(&mut |file, features, when| {
            if !when.iter().all(|condition| choice::may_hold(condition, self.lasting)) {
                return;
            }
            let least = most.as_ref().map_or(allows, |(binds, _)| *binds);
            let path = passes::path(file);
            // What is named in a text bounds what its entry point binds.
            let named = compose::compose(scope, &path, features).map_or(0, |pass| pass.columns.len());
            if named + frame <= least {
                return;
            }
            let bound = module::parse(scope, &path, features).map_or(0, |pass| pass.columns());
            if bound + frame > least {
                most = Some((bound + frame, path));
            }
        });
        most.map(|(binds, file)| NotOffered::Places {
            list: list.name.clone(),
            file,
            binds,
            allows,
            adapter: self.gpu.info.name.clone(),
        })
    }
}

//! The tables of cloths while they grow: `add` takes the rows of one cloth and says which they are.

use std::ops::Range;

use super::table;
use weft_core::state::{Data, TableRows};

use crate::{Cloth, ClothMesh, mesh::volume::volume};

/// Whose rows are added.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// Index of the cloth in the scene.
    pub object: u32,
    /// Its first particle.
    pub first: u32,
    pub cloth: &'a Cloth,
}

impl Own<'_> {
    pub fn particles<const N: usize>(&self, idx: [u32; N]) -> [u32; N] {
        idx.map(|corner| corner + self.first)
    }
}

#[derive(Default)]
pub struct Particles {
    position: Vec<[f32; 4]>,
    pub mass: Vec<f32>,
    area: Vec<f32>,
    friction: Vec<f32>,
}

impl Particles {
    /// `areas` [m2] of the particles, see `strips`.
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh, areas: Vec<f32>) -> Range<usize> {
        let first = self.mass.len();
        for ((x, m), pinned) in mesh.positions.iter().zip(&mesh.mass).zip(&mesh.pinned) {
            self.position.push([x[0], x[1], x[2], if *pinned { 0.0 } else { 1.0 / m }]);
        }
        self.mass.extend(&mesh.mass);
        self.area.extend(areas);
        self.friction.resize(self.mass.len(), own.cloth.material.friction);
        first..self.mass.len()
    }

    /// World space, w is the inverse mass.
    pub fn positions(&self) -> &[[f32; 4]] {
        &self.position
    }

    pub fn table(self) -> TableRows {
        let velocity = vec![[0.0; 4]; self.position.len()];
        let columns = vec![
            ("position", Data::F32x4(self.position)),
            ("velocity", Data::F32x4(velocity)),
            ("mass", Data::F32(self.mass)),
            ("area", Data::F32(self.area)),
            ("friction", Data::F32(self.friction)),
        ];
        table("particle", columns)
    }
}

#[derive(Default)]
pub struct Distances {
    idx: Vec<[u32; 2]>,
    rest: Vec<f32>,
    compliance: Vec<f32>,
    damping: Vec<f32>,
    kind: Vec<u32>,
    width: Vec<f32>,
    object: Vec<u32>,
}

impl Distances {
    /// `widths` [m] of the rows, see `strips`.
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh, widths: Vec<f32>) -> Range<usize> {
        let first = self.idx.len();
        for row in &mesh.distances {
            self.idx.push(own.particles([row.a, row.b]));
            self.rest.push(row.rest);
            self.compliance.push(row.compliance);
            self.damping.push(row.damping);
            self.kind.push(row.kind as u32);
            self.object.push(own.object);
        }
        self.width.extend(widths);
        first..self.idx.len()
    }

    pub fn table(self) -> TableRows {
        let columns = vec![
            ("idx", Data::U32x2(self.idx)),
            ("rest", Data::F32(self.rest)),
            ("compliance", Data::F32(self.compliance)),
            ("damping", Data::F32(self.damping)),
            ("kind", Data::U32(self.kind)),
            ("width", Data::F32(self.width)),
            ("object", Data::U32(self.object)),
        ];
        table("distance", columns)
    }
}

#[derive(Default)]
pub struct Triangles {
    idx: Vec<[u32; 3]>,
    object: Vec<u32>,
    model: Vec<u32>,
    inverse_rest: Vec<[f32; 4]>,
    area: Vec<f32>,
    mu: Vec<f32>,
    lame: Vec<f32>,
}

impl Triangles {
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let first = self.idx.len();
        for (triangle, row) in mesh.triangles.iter().zip(&mesh.membrane) {
            self.idx.push(own.particles(*triangle));
            self.object.push(own.object);
            self.model.push(row.model);
            self.inverse_rest.push(row.inverse_rest);
            self.area.push(row.area);
            self.mu.push(row.mu);
            self.lame.push(row.lame);
        }
        first..self.idx.len()
    }

    pub fn table(self) -> TableRows {
        let columns = vec![
            ("idx", Data::U32x3(self.idx)),
            ("object", Data::U32(self.object)),
            ("model", Data::U32(self.model)),
            ("inverse_rest", Data::F32x4(self.inverse_rest)),
            ("area", Data::F32(self.area)),
            ("mu", Data::F32(self.mu)),
            ("lame", Data::F32(self.lame)),
        ];
        table("triangle", columns)
    }
}

#[derive(Default)]
pub struct Hinges {
    idx: Vec<[u32; 4]>,
    object: Vec<u32>,
    model: Vec<u32>,
    weights: Vec<[f32; 4]>,
    rest_angle: Vec<f32>,
    stiffness: Vec<f32>,
}

impl Hinges {
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let first = self.idx.len();
        for row in &mesh.hinges {
            self.idx.push(own.particles(row.idx));
            self.object.push(own.object);
            self.model.push(row.model);
            self.weights.push(row.weights);
            self.rest_angle.push(row.rest_angle);
            self.stiffness.push(row.stiffness);
        }
        first..self.idx.len()
    }

    pub fn table(self) -> TableRows {
        let columns = vec![
            ("idx", Data::U32x4(self.idx)),
            ("object", Data::U32(self.object)),
            ("model", Data::U32(self.model)),
            ("weights", Data::F32x4(self.weights)),
            ("rest_angle", Data::F32(self.rest_angle)),
            ("stiffness", Data::F32(self.stiffness)),
        ];
        table("hinge", columns)
    }
}

#[derive(Default)]
pub struct Tethers {
    idx: Vec<u32>,
    anchor: Vec<u32>,
    rest: Vec<f32>,
    compliance: Vec<f32>,
    object: Vec<u32>,
}

impl Tethers {
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let first = self.idx.len();
        for row in &mesh.tethers {
            let [particle, anchor] = own.particles([row.particle, row.anchor]);
            self.idx.push(particle);
            self.anchor.push(anchor);
            self.rest.push(row.rest);
            self.compliance.push(row.compliance);
            self.object.push(own.object);
        }
        first..self.idx.len()
    }

    pub fn table(self) -> TableRows {
        let columns = vec![
            ("idx", Data::U32(self.idx)),
            ("anchor", Data::U32(self.anchor)),
            ("rest", Data::F32(self.rest)),
            ("compliance", Data::F32(self.compliance)),
            ("object", Data::U32(self.object)),
        ];
        table("tether", columns)
    }
}

#[derive(Default)]
pub struct Attachments {
    idx: Vec<u32>,
    target: Vec<[f32; 4]>,
    compliance: Vec<f32>,
    object: Vec<u32>,
}

impl Attachments {
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let first = self.idx.len();
        for &particle in &mesh.attachments {
            let [x, y, z] = mesh.positions[particle as usize];
            self.idx.push(particle + own.first);
            self.target.push([x, y, z, 0.0]);
            self.compliance.push(own.cloth.pin_compliance);
            self.object.push(own.object);
        }
        first..self.idx.len()
    }

    pub fn table(self) -> TableRows {
        let columns = vec![
            ("idx", Data::U32(self.idx)),
            ("target", Data::F32x4(self.target)),
            ("compliance", Data::F32(self.compliance)),
            ("object", Data::U32(self.object)),
        ];
        table("attachment", columns)
    }
}

#[derive(Default)]
pub struct Balloons {
    object: Vec<u32>,
    particles: Vec<[u32; 2]>,
    volume: Vec<f32>,
    pressure: Vec<f32>,
    compliance: Vec<f32>,
    leak: Vec<f32>,
}

impl Balloons {
    /// A row if the cloth holds gas. A mesh starts at rest.
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let first = self.object.len();
        if let Some(balloon) = &own.cloth.balloon {
            self.object.push(own.object);
            self.particles.push([own.first, mesh.positions.len() as u32]);
            self.volume.push(volume(&mesh.positions, &mesh.triangles) as f32);
            self.pressure.push(balloon.pressure);
            self.compliance.push(balloon.compliance);
            self.leak.push(balloon.leak);
        }
        first..self.object.len()
    }

    pub fn table(self) -> TableRows {
        let columns = vec![
            ("object", Data::U32(self.object)),
            ("particles", Data::U32x2(self.particles)),
            ("volume", Data::F32(self.volume)),
            ("pressure", Data::F32(self.pressure)),
            ("compliance", Data::F32(self.compliance)),
            ("leak", Data::F32(self.leak)),
        ];
        table("balloon", columns)
    }
}

//! The tables of cloths while they grow: [`Tables::add`] takes the rows of one cloth and says which they are.

use std::ops::Range;

use bytemuck::Pod;
use weft_core::state::{TableRows, rows};

use super::{Object, strips};
use crate::{
    Cloth, ClothMesh, Vec3,
    mesh::{piece::is_in_one_piece, start_velocity, volume::volume},
    strands::neighbors::Neighbors,
};

/// The tables that cloths fill.
#[derive(Default)]
pub(super) struct Tables {
    pub particle: rows::Particle,
    pub distance: rows::Distance,
    pub triangle: rows::Triangle,
    pub hinge: rows::Hinge,
    pub tether: rows::Tether,
    pub attachment: rows::Attachment,
    pub balloon: rows::Balloon,
    piece: rows::Piece,
    coarse: rows::Coarse,
    coarse_node: rows::CoarseNode,
    follower: rows::Follower,
    pub thread: rows::Yarn,
}

impl Tables {
    /// Adds a cloth, the `object`-th of the scene.
    pub(super) fn add(&mut self, object: u32, cloth: &Cloth) -> Object {
        let mesh = crate::build(cloth);
        let strips = strips::strips(&mesh);
        let own = Own { object, first: self.particle.mass.len() as u32, cloth };
        self.add_coarse(own, &mesh);
        let (tethers, attachments) = (self.add_tethers(own, &mesh), self.add_attachments(own, &mesh));
        let closed = cloth.balloon.is_some();
        let whole = || closed || is_in_one_piece(mesh.positions.len(), &mesh.triangles);
        if tethers.is_empty() && attachments.is_empty() && whole() {
            self.piece.object.push(object);
            self.piece.particles.push([own.first, mesh.positions.len() as u32]);
            self.piece.closed.push(u32::from(closed));
        }
        Object {
            id: cloth.id.clone(),
            particles: self.add_particles(own, &mesh, strips.areas),
            distances: self.add_distances(own, &mesh, strips.widths),
            faces: self.add_triangles(own, &mesh),
            hinges: self.add_hinges(own, &mesh),
            holds_hinges_back: mesh.hinges.iter().any(|hinge| hinge.is_held_back),
            tethers,
            attachments,
            balloons: self.add_balloon(own, &mesh),
            threads: self.add_threads(own, &mesh),
            triangles: mesh.triangles,
            uvs: mesh.uvs,
            segments: 0..0,
            guides: Vec::new(),
            neighbors: Neighbors::default(),
        }
    }

    /// In the order that states are kept in; the threads come after all others.
    pub(super) fn finish(mut self) -> ([TableRows; 11], TableRows) {
        if !self.coarse_node.particle.is_empty() {
            let all = self.particle.mass.len();
            self.follower.nodes.resize(all, [0; 4]);
            self.follower.weights.resize(all, [0.0; 4]);
        }
        let rows = [
            self.particle.table(),
            self.distance.table(),
            self.triangle.table(),
            self.hinge.table(),
            self.tether.table(),
            self.attachment.table(),
            self.balloon.table(),
            self.piece.table(),
            self.coarse.table(),
            self.coarse_node.table(),
            self.follower.table(),
        ];
        (rows, self.thread.table())
    }

    /// `areas` [m2] of the particles, see `strips`. What is pinned starts at rest.
    fn add_particles(&mut self, own: Own<'_>, mesh: &ClothMesh, areas: Vec<f32>) -> Range<usize> {
        let (first, rows) = (own.first as usize, &mut self.particle);
        let position = |((x, m), pinned): ((&Vec3, &f32), &bool)| {
            [x[0], x[1], x[2], if *pinned { 0.0 } else { 1.0 / m }]
        };
        let velocity = |(x, pinned): (&Vec3, &bool)| {
            let [x, y, z] = if *pinned { [0.0; 3] } else { start_velocity(own.cloth, *x) };
            [x, y, z, 0.0]
        };
        let (positions, pinned) = (mesh.positions.iter(), &mesh.pinned);
        append(&mut rows.position, positions.clone().zip(&mesh.mass).zip(pinned).map(position));
        append(&mut rows.velocity, positions.zip(pinned).map(velocity));
        append(&mut rows.mass, mesh.mass.iter().copied());
        append(&mut rows.area, areas.into_iter());
        let all = rows.mass.len();
        rows.friction.resize(all, own.cloth.material.friction);
        first..all
    }

    /// `widths` [m] of the rows, see `strips`.
    fn add_distances(&mut self, own: Own<'_>, mesh: &ClothMesh, widths: Vec<f32>) -> Range<usize> {
        let rows = &mut self.distance;
        let first = rows.idx.len();
        let all = &mesh.distances;
        append(&mut rows.idx, all.iter().map(|row| own.particles([row.a, row.b])));
        append(&mut rows.rest, all.iter().map(|row| row.rest));
        append(&mut rows.compliance, all.iter().map(|row| row.compliance));
        append(&mut rows.damping, all.iter().map(|row| row.damping));
        append(&mut rows.kind, all.iter().map(|row| row.kind as u32));
        append(&mut rows.object, all.iter().map(|_| own.object));
        append(&mut rows.width, widths.into_iter());
        first..rows.idx.len()
    }

    fn add_triangles(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let rows = &mut self.triangle;
        let first = rows.idx.len();
        let all = &mesh.membrane;
        append(&mut rows.idx, mesh.triangles.iter().map(|triangle| own.particles(*triangle)));
        append(&mut rows.object, all.iter().map(|_| own.object));
        append(&mut rows.model, all.iter().map(|row| row.model));
        append(&mut rows.inverse_rest, all.iter().map(|row| row.inverse_rest));
        append(&mut rows.area, all.iter().map(|row| row.area));
        append(&mut rows.mu, all.iter().map(|row| row.mu));
        append(&mut rows.lame, all.iter().map(|row| row.lame));
        first..rows.idx.len()
    }

    fn add_hinges(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let rows = &mut self.hinge;
        let first = rows.idx.len();
        let all = &mesh.hinges;
        append(&mut rows.idx, all.iter().map(|row| own.particles(row.idx)));
        append(&mut rows.object, all.iter().map(|_| own.object));
        append(&mut rows.model, all.iter().map(|row| row.model));
        append(&mut rows.weights, all.iter().map(|row| row.weights));
        append(&mut rows.rest_angle, all.iter().map(|row| row.rest_angle));
        append(&mut rows.stiffness, all.iter().map(|row| row.stiffness));
        first..rows.idx.len()
    }

    fn add_tethers(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let rows = &mut self.tether;
        let first = rows.idx.len();
        for row in &mesh.tethers {
            let [particle, anchor] = own.particles([row.particle, row.anchor]);
            rows.idx.push(particle);
            rows.anchor.push(anchor);
            rows.rest.push(row.rest);
            rows.compliance.push(row.compliance);
            rows.object.push(own.object);
        }
        first..rows.idx.len()
    }

    fn add_attachments(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let rows = &mut self.attachment;
        let first = rows.idx.len();
        for &particle in &mesh.attachments {
            let [x, y, z] = mesh.positions[particle as usize];
            rows.idx.push(particle + own.first);
            rows.target.push([x, y, z, 0.0]);
            rows.compliance.push(own.cloth.pin_compliance);
            rows.object.push(own.object);
        }
        first..rows.idx.len()
    }

    /// A row if the cloth holds gas. A mesh starts at rest.
    fn add_balloon(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let rows = &mut self.balloon;
        let first = rows.object.len();
        if let Some(balloon) = &own.cloth.balloon {
            rows.object.push(own.object);
            rows.particles.push([own.first, mesh.positions.len() as u32]);
            rows.volume.push(volume(&mesh.positions, &mesh.triangles) as f32);
            rows.pressure.push(balloon.pressure);
            rows.compliance.push(balloon.compliance);
            rows.leak.push(balloon.leak);
        }
        first..rows.object.len()
    }

    /// Before its particles are added.
    fn add_coarse(&mut self, own: Own<'_>, mesh: &ClothMesh) {
        let (rows, first_node) = (&mesh.coarse, self.coarse_node.particle.len() as u32);
        for link in &rows.links {
            self.coarse.idx.push(own.particles(link.ends));
            self.coarse.rest.push(link.rest);
            self.coarse.compliance.push(link.compliance);
            self.coarse.inverse_mass0.push(link.inverse_mass[0]);
            self.coarse.inverse_mass1.push(link.inverse_mass[1]);
            self.coarse.object.push(own.object);
        }
        for node in &rows.nodes {
            self.coarse_node.particle.push(node.particle + own.first);
            self.coarse_node.anchors.push(own.particles(node.anchors));
            self.coarse_node.reach.push(node.reach);
        }
        if !rows.nodes.is_empty() {
            self.follower.nodes.resize(own.first as usize, [0; 4]);
            self.follower.weights.resize(own.first as usize, [0.0; 4]);
            for (nodes, weights) in &rows.followers {
                self.follower.nodes.push(nodes.map(|node| node + first_node));
                self.follower.weights.push(*weights);
            }
        }
    }

    /// The edges of cloth that can tear.
    fn add_threads(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let rows = &mut self.thread;
        let first = rows.rest.len();
        for thread in &mesh.threads {
            rows.ends.push(own.particles(thread.ends));
            rows.rest.push(thread.rest);
            rows.limit.push(thread.limit);
            rows.kind.push(thread.diagonal.into());
        }
        first..rows.rest.len()
    }
}

/// Whose rows are added.
#[derive(Clone, Copy)]
struct Own<'a> {
    /// Index of the cloth in the scene.
    object: u32,
    /// Its first particle.
    first: u32,
    cloth: &'a Cloth,
}

impl Own<'_> {
    fn particles<const N: usize>(&self, idx: [u32; N]) -> [u32; N] {
        idx.map(|corner| corner + self.first)
    }
}

/// Adds values to a column. Of the first cloth no zeros are written: pages of them take no memory.
fn append<T: Pod>(column: &mut Vec<T>, values: impl ExactSizeIterator<Item = T>) {
    if !column.is_empty() {
        column.extend(values);
        return;
    }
    *column = bytemuck::zeroed_vec(values.len());
    for (row, value) in column.iter_mut().zip(values) {
        if bytemuck::bytes_of(&value).iter().any(|byte| *byte != 0) {
            *row = value;
        }
    }
}

//! Rows of strands: behind those of all cloths, in strips ([`crate::strands::build::STRIP`]).

use glam::{Quat, Vec3};
use weft_core::state::rows;

use super::{Object, cloths::Tables};
use crate::{
    Kind, Scene, Strands,
    strands::build::{Strand, build, placed},
};

/// As `model` of the table `hinge`: quadratic in the positions.
const QUADRATIC: u32 = 0;

/// Adds all strands of a scene to the tables that cloths fill, and makes the table of strands.
pub(super) fn add(scene: &Scene, tables: &mut Tables, objects: &mut Vec<Object>) -> rows::Strand {
    let mut spans = rows::Strand::default();
    for strands in &scene.strands {
        let object = objects.len() as u32;
        objects.push(
            List::new(strands, scene, object, tables.particle.mass.len() as u32).add(tables, &mut spans),
        );
    }
    spans
}

/// The strands of one list, and where they stand.
struct List<'a> {
    strands: &'a Strands,
    all: Vec<Strand>,
    /// Pose of the seat at the start.
    seat: (Vec3, Quat),
    object: u32,
    /// First particle.
    first: u32,
}

impl<'a> List<'a> {
    fn new(strands: &'a Strands, scene: &Scene, object: u32, first: u32) -> Self {
        let seat = strands.seat(scene).map_or((Vec3::ZERO, Quat::IDENTITY), |seat| {
            let body = &scene.colliders[seat];
            body.motion.pose(body.at, body.rotation, 0.0)
        });
        Self { strands, all: build(strands, scene), seat, object, first }
    }

    fn add(&self, tables: &mut Tables, spans: &mut rows::Strand) -> Object {
        let (distances, hinges) = (tables.distance.idx.len(), tables.hinge.idx.len());
        let particles = self.first as usize..self.first as usize + self.strands.all_particles() as usize;
        self.add_particles(tables, particles.len());
        for (index, strand) in (0..).zip(&self.all) {
            self.add_segments(tables, index, strand);
            self.add_joints(tables, index, strand);
            let [first, stride, count] = self.strands.span(index);
            spans.span.push([first + self.first, stride, count]);
            spans.object.push(self.object);
        }
        let none = |table: usize| table..table;
        Object {
            id: self.strands.id.clone(),
            particles,
            distances: distances..tables.distance.idx.len(),
            faces: none(tables.triangle.idx.len()),
            hinges: hinges..tables.hinge.idx.len(),
            tethers: none(tables.tether.idx.len()),
            attachments: none(tables.attachment.idx.len()),
            balloons: none(tables.balloon.object.len()),
            threads: none(tables.thread.rest.len()),
            triangles: Vec::new(),
            uvs: Vec::new(),
            guides: self.strands.guides(&self.all),
        }
    }

    /// Share of the way from the first to the last particle.
    fn along(&self, particle: f32) -> f32 {
        particle / (self.strands.particles - 1) as f32
    }

    /// Half of each segment's mass [kg] and of the area [m2] that it shows goes to each end. Strands start at rest.
    fn add_particles(&self, tables: &mut Tables, count: usize) {
        let (rows, first, held) = (&mut tables.particle, self.first as usize, self.strands.held());
        let last = self.strands.particles - 1;
        rows.position.resize(first + count, [0.0; 4]);
        rows.velocity.resize(first + count, [0.0; 4]);
        rows.mass.resize(first + count, 0.0);
        rows.area.resize(first + count, 0.0);
        rows.friction.resize(first + count, self.strands.material.friction);
        for (index, strand) in (0..).zip(&self.all) {
            for particle in 0..=last {
                let row = first + self.strands.row(index, particle) as usize;
                let section = self.strands.section(self.along(particle as f32));
                let length = strand.segment * if particle == 0 || particle == last { 0.5 } else { 1.0 };
                let mass = section.mass * length;
                let [x, y, z] = placed(self.seat, strand.place(held, particle)).to_array();
                rows.position[row] = [x, y, z, if particle < held { 0.0 } else { 1.0 / mass }];
                rows.mass[row] = mass;
                rows.area[row] = 2.0 * section.radius * length;
            }
        }
    }

    fn add_segments(&self, tables: &mut Tables, index: u32, strand: &Strand) {
        let rows = &mut tables.distance;
        // Both ends of a stub are held.
        let first = u32::from(self.strands.held() == 2);
        for segment in first..self.strands.particles - 1 {
            let section = self.strands.section(self.along(segment as f32 + 0.5));
            let compliance = strand.segment / section.stretch;
            rows.idx.push([self.particle(index, segment), self.particle(index, segment + 1)]);
            rows.rest.push(strand.segment);
            rows.compliance.push(compliance);
            rows.damping.push(self.strands.material.damping / compliance);
            rows.kind.push(Kind::Structural as u32);
            rows.width.push(2.0 * section.radius);
            rows.object.push(self.object);
        }
    }

    fn add_joints(&self, tables: &mut Tables, index: u32, strand: &Strand) {
        let rows = &mut tables.hinge;
        for joint in 1..self.strands.particles - 1 {
            let clamp = joint == 1 && self.strands.held() == 2;
            let section = self.strands.section(self.along(joint as f32));
            let near = if joint + 2 < self.strands.particles { joint + 2 } else { joint - 2 };
            let per_length = 1.0 / strand.segment;
            rows.idx.push([joint - 1, joint, joint + 1, near].map(|particle| self.particle(index, particle)));
            rows.object.push(self.object);
            rows.model.push(QUADRATIC);
            rows.weights.push([per_length, -2.0 * per_length, per_length, 0.0]);
            rows.rest_angle.push(0.0);
            rows.stiffness.push(section.bend * per_length * if clamp { 2.0 } else { 1.0 });
        }
    }

    fn particle(&self, strand: u32, particle: u32) -> u32 {
        self.first + self.strands.row(strand, particle)
    }
}

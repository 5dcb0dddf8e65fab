//! Rows of strands: behind those of all cloths, in strips ([`crate::strands::build::STRIP`]).

use std::ops::Range;

use glam::{DVec3, Quat, Vec3};
use sim_api::model::{BendModel, SEAT_ON_CLOTH, THREAD_OF_STRAND};
use sim_kernels::strands::newton;
use weft_core::state::{TableRows, rows};

use super::{
    Object,
    cloths::Tables,
    grafts,
    mounts::{Body, Hung, Mounts},
};
use crate::{
    Cloth, Kind, Root, Scene, Strands, mesh, rotation,
    strands::{
        Shape,
        build::{Course, Strand, build, frame, placed},
        grid, rest,
    },
};

/// Joints that are bent by less [rad] are straight: a row of a curve has no direction there.
const STRAIGHT: f32 = 1e-5;

/// The tables of strands alone.
#[derive(Default)]
pub(super) struct Own {
    strand: rows::Strand,
    segment: rows::Segment,
    root: rows::Root,
    mounts: Mounts,
    grid: rows::StrandGrid,
    /// Of all grids.
    cells: usize,
}

/// Adds all strands of a scene to the tables that cloths fill, and makes their own.
pub(super) fn add(scene: &Scene, tables: &mut Tables, objects: &mut Vec<Object>) -> Own {
    let mut own = Own::default();
    for strands in &scene.strands {
        let object = objects.len() as u32;
        let first = tables.particle.mass.len() as u32;
        let list = List::new(strands, scene, object, first).add(tables, objects, &mut own);
        objects.push(list);
    }
    grafts::crowd(&mut own.root);
    own
}

/// With the room that a solve takes.
pub(super) fn tables(own: Own, scene: &Scene) -> [TableRows; 9] {
    let longest = own.strand.span.iter().map(|[.., count]| *count as usize).max().unwrap_or(0);
    let rings = scene.strands.iter().any(|strands| strands.closed);
    let room = newton::work(own.strand.span.len(), longest, rings);
    let counted = |name, rows| TableRows { name, rows, columns: Vec::new() };
    let (system, cells) = (counted("strand_system", room), counted("strand_cell", grid::NUMBERS * own.cells));
    let [bearer, borne] = grafts::bearers(&own.root);
    let [strand, segment] = [own.strand.table(), own.segment.table()];
    [
        strand,
        segment,
        system,
        own.grid.table(),
        cells,
        own.root.table(),
        own.mounts.table(scene),
        bearer,
        borne,
    ]
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
    /// [m/s2]
    gravity: DVec3,
    /// Row of the collider that they grow from.
    seated: u32,
    /// Cloth that holds them: its place in the scene.
    cloth: Option<usize>,
    /// Row of the collider that holds their tips, and its rotation at the start.
    tip: (u32, Quat),
    /// Bodies with a mass that hold their roots, and their tips.
    bodies: [Option<Body>; 2],
    /// Of the body that they grow from [m/s].
    velocity: [f32; 3],
    /// The cloth that they grow from.
    thrown: Option<&'a Cloth>,
}

impl<'a> List<'a> {
    fn new(strands: &'a Strands, scene: &'a Scene, object: u32, first: u32) -> Self {
        let seat = frame(scene, strands.seat(scene), 0.0);
        let gravity = Vec3::from(scene.gravity).as_dvec3();
        let seated = strands.seat(scene).map_or(u32::MAX, |seat| seat as u32);
        let (cloth, thrown) = strands.cloth(scene).filter(|_| strands.held() > 0).unzip();
        let tip = (
            strands.tip_seat(scene).map_or(u32::MAX, |seat| seat as u32),
            frame(scene, strands.tip_seat(scene), 0.0).1,
        );
        let holder = strands.seat(scene).filter(|_| strands.held() > 0);
        let bodies = [holder, strands.tip_seat(scene)].map(|holder| Body::of(scene, holder));
        let velocity = holder.map_or([0.0; 3], |holder| scene.colliders[holder].velocity);
        let all = build(strands, scene);
        Self { strands, all, seat, object, first, gravity, seated, cloth, tip, bodies, velocity, thrown }
    }

    fn add(&self, tables: &mut Tables, cloths: &[Object], own: &mut Own) -> Object {
        let (distances, hinges) = (tables.distance.idx.len(), tables.hinge.idx.len());
        let threads = self.add_threads(tables);
        let particles = self.first as usize..self.first as usize + self.strands.all_particles() as usize;
        self.add_particles(tables, particles.len());
        for (index, strand) in (0..).zip(&self.all) {
            self.add_segments(tables, index, strand);
            self.add_joints(tables, index, strand);
            let [first, stride, count] = self.strands.span(index);
            own.strand.span.push([first + self.first, stride, count]);
            own.strand.object.push(self.object);
            let frame = strand.frame.as_quat();
            let on_cloth = self.cloth.zip(strand.graft).map(|(cloth, graft)| {
                let first = cloths[cloth].particles.start as u32;
                grafts::add(
                    &mut own.root,
                    own.strand.seat.len() as u32,
                    first,
                    graft,
                    &tables.particle.position,
                )
            });
            own.strand.seat.push(on_cloth.map_or(self.seated, |_| SEAT_ON_CLOTH));
            own.strand.root_rotation.push(on_cloth.map_or(frame, |seat| seat.inverse() * frame).to_array());
        }
        self.add_ends(own, &tables.particle);
        let segments = own.segment.rest.len()..own.segment.rest.len() + particles.len();
        self.add_frames(&mut own.segment, segments.start);
        self.add_tips(own, segments.start);
        self.add_grid(own, &tables.particle);
        let none = |table: usize| table..table;
        Object {
            id: self.strands.id.clone(),
            particles,
            distances: distances..tables.distance.idx.len(),
            faces: none(tables.triangle.idx.len()),
            hinges: hinges..tables.hinge.idx.len(),
            holds_hinges_back: false,
            tethers: none(tables.tether.idx.len()),
            attachments: none(tables.attachment.idx.len()),
            balloons: none(tables.balloon.object.len()),
            threads,
            segments,
            triangles: Vec::new(),
            uvs: Vec::new(),
            guides: self.strands.guides(&self.all),
            neighbors: self.strands.neighbors(&self.all),
        }
    }

    /// Numbers of the particles at both ends that are held, if something holds them.
    fn ends(&self) -> [Option<u32>; 2] {
        let (root, tip) = (self.strands.held(), self.strands.held_at_tip());
        [root.checked_sub(1), (tip > 0).then(|| self.strands.particles - tip)]
    }

    /// Which ends something bears that moves by itself: cloth, or a body with a mass.
    fn add_ends(&self, own: &mut Own, particle: &rows::Particle) {
        let first = own.strand.borne.len();
        for (index, strand) in (0..).zip(&self.all) {
            let row = (first + index as usize) as u32;
            let on_cloth = self.cloth.is_some() && strand.graft.is_some();
            let bears = [on_cloth || self.bodies[0].is_some(), self.bodies[1].is_some()];
            let own_row = |number| self.particle(index, number) as usize;
            let mass = (0..self.strands.particles).map(|number| particle.mass[own_row(number)]).sum();
            let alone = self.strands.tip == Root::Free || self.strands.root == Root::Free;
            let hung = Hung { mass, alone };
            let mut borne = [u32::MAX; 2];
            for (end, number) in self.ends().into_iter().enumerate() {
                let Some(number) = number.filter(|_| bears[end]) else { continue };
                borne[end] = number;
                if let Some(body) = self.bodies[end] {
                    let [x, y, z, _] = particle.position[own_row(number)];
                    own.mounts.add(row, end == 1, body, Vec3::new(x, y, z), hung);
                }
            }
            own.strand.borne.push(borne);
        }
    }

    /// Half of each segment's mass [kg] and of the area [m2] that it shows goes to each end. Strands start as the body or
    /// the cloth goes that they grow from, or at rest.
    fn add_particles(&self, tables: &mut Tables, count: usize) {
        let (rows, first, held) = (&mut tables.particle, self.first as usize, self.strands.held());
        let last = self.strands.particles - 1;
        rows.position.resize(first + count, [0.0; 4]);
        let [x, y, z] = self.velocity;
        rows.velocity.resize(first + count, [x, y, z, 0.0]);
        rows.mass.resize(first + count, 0.0);
        rows.area.resize(first + count, 0.0);
        rows.friction.resize(first + count, self.strands.material.friction);
        for (index, strand) in (0..).zip(&self.all) {
            for particle in 0..=last {
                let row = first + self.strands.row(index, particle) as usize;
                let section = self.strands.section(self.strands.along(particle as f32));
                let end = !self.strands.closed && (particle == 0 || particle == last);
                let length = strand.segment * if end { 0.5 } else { 1.0 };
                let tip = if particle == last { self.strands.material.tip_mass } else { 0.0 };
                let mass = section.mass * length + tip;
                let [x, y, z] = placed(self.seat, strand.place(held, particle)).to_array();
                if let Some(cloth) = self.thrown {
                    let [x, y, z] = mesh::start_velocity(cloth, [x, y, z]);
                    rows.velocity[row] = [x, y, z, 0.0];
                }
                rows.position[row] = [x, y, z, if self.strands.holds(particle) { 0.0 } else { 1.0 / mass }];
                rows.mass[row] = mass;
                rows.area[row] = 2.0 * section.radius * length;
            }
        }
    }

    fn add_segments(&self, tables: &mut Tables, index: u32, strand: &Strand) {
        let rows = &mut tables.distance;
        for ends in self.segments() {
            let section = self.strands.section(self.strands.along(ends[0] as f32 + 0.5));
            let rest = strand.length(ends[0]);
            let compliance = rest / section.stretch;
            rows.idx.push(ends.map(|particle| self.particle(index, particle)));
            rows.rest.push(rest);
            rows.compliance.push(compliance);
            rows.damping.push(self.strands.material.damping / compliance);
            rows.kind.push(Kind::Structural as u32);
            rows.width.push(2.0 * section.radius);
            rows.object.push(self.object);
        }
    }

    /// The segments of strands that can tear, sorted by their ends.
    fn add_threads(&self, tables: &mut Tables) -> Range<usize> {
        let rows = &mut tables.thread;
        let first = rows.rest.len();
        if let Some(tear) = self.strands.material.tear {
            let mut segments = Vec::new();
            for (index, strand) in (0..).zip(&self.all) {
                let row = |particle| self.strands.row(index, particle);
                let ends = |[a, b]: [u32; 2]| ([row(a).min(row(b)), row(a).max(row(b))], strand.length(a));
                segments.extend(self.segments().map(ends));
            }
            segments.sort_unstable_by_key(|(ends, _)| *ends);
            for (ends, rest) in segments {
                rows.ends.push(ends.map(|particle| particle + self.first));
                rows.rest.push(rest);
                rows.limit.push(tear.limit(ends));
                rows.kind.push(THREAD_OF_STRAND);
            }
        }
        first..rows.rest.len()
    }

    /// Particles at the ends of the segments that are not in the skin: both ends of a stub are held.
    fn segments(&self) -> impl Iterator<Item = [u32; 2]> {
        let (stub, count) = (u32::from(self.strands.held() == 2), self.strands.particles);
        let end = count - u32::from(!self.strands.closed) - u32::from(self.strands.has_tip_stub());
        (stub..end).map(move |segment| [segment, (segment + 1) % count])
    }

    /// Segments, their frames and joints, row by row with the particles.
    fn add_frames(&self, rows: &mut rows::Segment, start: usize) {
        let end = start + self.strands.all_particles() as usize;
        rows.rotation.resize(end, [0.0, 0.0, 0.0, 1.0]);
        rows.rest_turn.resize(end, [0.0, 0.0, 0.0, 1.0]);
        rows.object.resize(end, self.object);
        for column in [&mut rows.rest, &mut rows.stretch, &mut rows.bend, &mut rows.twist] {
            column.resize(end, 0.0);
        }
        let seat = self.seat.1.as_dquat().normalize();
        for (index, strand) in (0..).zip(&self.all) {
            let resting = rest::of(self.strands, strand, seat, self.gravity);
            for (i, rest) in (0..).zip(&resting.segments) {
                let row = start + self.strands.row(index, i) as usize;
                rows.rotation[row] = rest.frame.as_quat().to_array();
                rows.rest_turn[row] = rest.turn.as_quat().to_array();
                rows.rest[row] = rest.length as f32;
                rows.stretch[row] = (resting.stretch[i as usize] / rest.length) as f32;
                [rows.bend[row], rows.twist[row]] = resting.joints[i as usize].map(|k| k as f32);
            }
        }
    }

    /// What holds their tips, and how those are turned in it.
    fn add_tips(&self, own: &mut Own, start: usize) {
        let (seat, turn) = self.tip;
        for index in 0..self.all.len() as u32 {
            let last = start + self.strands.row(index, self.strands.particles - 2) as usize;
            let frame = Quat::from_array(own.segment.rotation[last]);
            own.strand.tip.push(seat);
            own.strand.tip_rotation.push((turn.inverse() * frame).normalize().to_array());
        }
    }

    /// The grid through which they feel each other, if they do.
    fn add_grid(&self, own: &mut Own, particle: &rows::Particle) {
        let Some(between) = &self.strands.between else {
            return own.segment.grid.resize(own.segment.rest.len(), u32::MAX);
        };
        let first = self.first as usize;
        let grid = grid::build(between, &particle.position[first..], &particle.mass[first..]);
        let rows = &mut own.grid;
        own.segment.grid.resize(own.segment.rest.len(), rows.side.len() as u32);
        rows.cells.push([own.cells as u32, grid.count]);
        rows.side.push(between.cell);
        rows.friction.push(between.friction);
        rows.pressure.push(between.pressure);
        rows.density.push(grid.density);
        rows.shelter.push(between.shelter);
        rows.unit.push(grid.unit);
        own.cells += grid.cells();
    }

    /// Of strands that lie in a plane at rest. One of three particles has none for the fourth corner.
    ///
    /// Not of curls: a chain whose joints keep their angles alone turns about its segments at no cost until it hangs in a zigzag of
    /// length L cos(angle / 2), so that any weight opens a curl however stiff these rows are (`tests/topics/strand_bends.rs`). An arc
    /// keeps its bend, and rolls about its root.
    fn add_joints(&self, tables: &mut Tables, index: u32, strand: &Strand) {
        let count = self.strands.particles;
        if strand.course == Course::Curve || count == 3 {
            return;
        }
        let rows = &mut tables.hinge;
        for joint in if self.strands.closed { 0..count } else { 1..count - 1 } {
            let tip = self.strands.has_tip_stub() && joint + 2 == count;
            let clamp = joint == 1 && self.strands.held() == 2 || tip;
            let section = self.strands.section(self.strands.along(joint as f32));
            let near = if joint + 2 < count { joint + 2 } else { joint - 2 };
            let per_length = 1.0 / strand.segment;
            let corners = [(joint + count - 1) % count, joint, (joint + 1) % count, near];
            rows.idx.push(corners.map(|particle| self.particle(index, particle)));
            rows.object.push(self.object);
            let bow = self.rest_bow(strand, corners);
            let model = if bow > STRAIGHT { BendModel::Curve } else { BendModel::Quadratic };
            rows.model.push(model as u32);
            rows.weights.push([per_length, -2.0 * per_length, per_length, 0.0]);
            rows.rest_angle.push(if bow > STRAIGHT { bow } else { 0.0 });
            rows.stiffness.push(section.bend * per_length * if clamp { 2.0 } else { 1.0 });
        }
    }

    /// 2 sin(angle / 2) of a joint of a strand in a plane, at rest. What `sag_free` adds for frames is not in it.
    fn rest_bow(&self, strand: &Strand, [before, at, after, _]: [u32; 4]) -> f32 {
        match (strand.course, self.strands.shape) {
            (Course::Arc, Shape::Arc { angle }) if self.strands.closed => {
                2.0 * rotation::sin_cos_wide(f64::from(0.5 * angle) / f64::from(self.strands.particles))
                    .0
                    .abs() as f32
            }
            (Course::Arc, _) => {
                let [before, at, after] = [before, at, after]
                    .map(|particle| strand.from_root(self.strands.held(), particle).as_dvec3());
                ((before - at * 2.0 + after).length() / f64::from(strand.segment)) as f32
            }
            _ => 0.0,
        }
    }

    fn particle(&self, strand: u32, particle: u32) -> u32 {
        self.first + self.strands.row(strand, particle)
    }
}

//! The shape of whole strands: how far their ends are apart, how wide they coil, how far they leave a plane. Of a strand that is
//! cut what is left at the root; stubs are no part of it.

use glam::{DMat3, DVec3};
use weft_core::{
    state::{State, col},
    statistics::largest,
};

use super::{Input, Reading, motion, places, strands};

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "strand_end_to_end",
        unit: "m",
        doc: "from the root of a strand straight to its tip, the mean of all that are not closed; of a curl its length along the axis",
        of: |input| mean(input, |wire| Some(wire.chord()?.length())),
    },
    Reading {
        name: "strand_coil_radius",
        unit: "m",
        doc: "root mean square distance of a strand from its axis, the line through its middle along its chord, the mean of all that \
              are not closed: the radius of a helix of whole turns",
        of: |input| mean(input, Wire::coil_radius),
    },
    Reading {
        name: "strand_out_of_plane",
        unit: "m",
        doc: "largest distance of a particle of a strand from the plane that fits that strand best, by least squares",
        of: |input| Some(farthest(input)?.1),
    },
];

/// Where each largest one is.
pub(super) const PLACES: &[(&str, places::Place)] = &[("strand_out_of_plane", |input| place(input))];

fn place(input: &Input) -> Option<String> {
    let (strand, _) = farthest(input).filter(|(_, most)| *most > 0.0)?;
    places::strand(input, strand)
}

/// The strand that leaves its plane farthest, a row of `strand`, and by how much [m].
fn farthest(input: &Input) -> Option<(usize, f64)> {
    let each = all(input).iter().map(|wire| (wire.strand, wire.out_of_plane()));
    each.reduce(|a, b| if a.1 >= b.1 || a.1.is_nan() { a } else { b })
}

/// Of all strands that have one.
fn mean(input: &Input, of: impl Fn(&Wire) -> Option<f64>) -> Option<f64> {
    let (count, sum) = all(input).iter().filter_map(of).fold((0, 0.0), |(n, sum), own| (n + 1, sum + own));
    (count > 0).then(|| sum / f64::from(count))
}

/// Several readings ask for them.
fn all<'a>(input: &Input<'a>) -> &'a [Wire] {
    input.measured.wires.get_or_init(|| wires(input.state))
}

/// A strand from where it leaves its seat to its tip, or to where it is cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wire {
    /// Row of `strand`.
    strand: usize,
    /// From the first on [m]; of a closed one the first is also the last.
    points: Vec<DVec3>,
    closed: bool,
}

fn wires(state: &State) -> Vec<Wire> {
    let x = state.get(col::particle::position);
    let spans = state.get(col::strand::span);
    let mut wires: Vec<Wire> = Vec::new();
    let mut last = None;
    for segment in strands::strand_segments(state) {
        let start = motion::vector(x[segment.particle]);
        let end = start + segment.edge.as_dvec3();
        let before = last.replace((segment.strand, segment.number));
        match wires.last_mut() {
            Some(wire) if before == Some((segment.strand, segment.number.wrapping_sub(1))) => {
                wire.points.push(end);
                wire.closed = wire.points.len() > spans[segment.strand][2] as usize;
            }
            // Behind a cut.
            Some(wire) if wire.strand == segment.strand => last = None,
            _ => wires.push(Wire { strand: segment.strand, points: vec![start, end], closed: false }),
        }
    }
    wires
}

impl Wire {
    /// From the root to the tip [m].
    fn chord(&self) -> Option<DVec3> {
        let [first, .., last] = self.points[..] else { return None };
        (!self.closed).then_some(last - first)
    }

    /// Places with the share of the wire around each: of the ends half as much as of the others.
    fn weighted(&self) -> impl Iterator<Item = (DVec3, f64)> {
        let whole = 1.0 / (self.points.len() - 1) as f64;
        let last = self.points.len() - 1;
        let weight = move |i| if i == 0 || i == last { 0.5 * whole } else { whole };
        self.points.iter().enumerate().map(move |(i, x)| (*x, weight(i)))
    }

    fn middle(&self) -> DVec3 {
        self.weighted().map(|(x, weight)| x * weight).sum()
    }

    fn coil_radius(&self) -> Option<f64> {
        let axis = self.chord()?.try_normalize()?;
        let middle = self.middle();
        let square = |x: DVec3| (x - middle).reject_from_normalized(axis).length_squared();
        Some(self.weighted().map(|(x, weight)| weight * square(x)).sum::<f64>().sqrt())
    }

    fn out_of_plane(&self) -> f64 {
        let middle = self.middle();
        let outer = |(x, weight): (DVec3, f64)| {
            let [way, part] = [x - middle, (x - middle) * weight];
            DMat3::from_cols(way * part.x, way * part.y, way * part.z)
        };
        let normal = least_direction(self.weighted().map(outer).fold(DMat3::ZERO, |sum, own| sum + own));
        largest(self.points.iter().map(|x| (*x - middle).dot(normal).abs()))
    }
}

/// The unit eigenvector of the smallest eigenvalue of a symmetric matrix (Smith: Eigenvalues of a Symmetric 3 x 3 Matrix, 1961).
fn least_direction(matrix: DMat3) -> DVec3 {
    let mean = (matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z) / 3.0;
    let rest = matrix - DMat3::from_diagonal(DVec3::splat(mean));
    let squares = rest.x_axis.length_squared() + rest.y_axis.length_squared() + rest.z_axis.length_squared();
    let size = (squares / 6.0).sqrt();
    if size.is_nan() || size == 0.0 {
        return DVec3::Y;
    }
    let cosine = (0.5 * (rest * (1.0 / size)).determinant()).clamp(-1.0, 1.0);
    let angle = cosine.acos() / 3.0;
    let direction = |turn: f64| {
        let rows = rest - DMat3::from_diagonal(DVec3::splat(2.0 * size * (angle + turn).cos()));
        let [a, b, c] = [rows.x_axis, rows.y_axis, rows.z_axis];
        let across = [a.cross(b), b.cross(c), c.cross(a)];
        across.into_iter().max_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or_default().normalize()
    };
    if cosine < 0.0 {
        return direction(std::f64::consts::TAU / 3.0);
    }
    // The smallest two are alike, as of what lies on a line nearly: the largest is told first, and the smallest from what lies across it.
    let (u, v) = direction(0.0).any_orthonormal_pair();
    let turn = 0.5 * (2.0 * u.dot(rest * v)).atan2(u.dot(rest * u) - v.dot(rest * v));
    let (sin, cos) = turn.sin_cos();
    v * cos - u * sin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(count: u32, place: impl Fn(f64) -> DVec3) -> Wire {
        let points = (0..=count).map(|i| place(f64::from(i) / f64::from(count))).collect();
        Wire { strand: 0, points, closed: false }
    }

    #[test]
    fn a_helix_has_the_radius_of_its_coils() {
        let turn = glam::DQuat::from_rotation_x(0.7);
        let helix = |s: f64| {
            let (sin, cos) = (4.0 * std::f64::consts::TAU * s).sin_cos();
            turn * DVec3::new(0.004 * cos, -0.027 * s, 0.004 * sin) + DVec3::ONE
        };
        let helix = wire(96, helix);
        assert!((helix.coil_radius().expect("it is open") - 0.004).abs() < 1e-12);
        assert!((helix.chord().expect("it is open").length() - 0.027).abs() < 1e-12);
        assert!(helix.out_of_plane() > 0.0039);
    }

    #[test]
    fn what_lies_in_a_plane_or_on_a_line_does_not_leave_it() {
        let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -2.0);
        let bent = |height: f64| {
            wire(40, move |s| turn * DVec3::new(s, s * s, height * (20.0 * s).sin()) - DVec3::X)
        };
        assert!(bent(0.0).out_of_plane() < 1e-12);
        assert!((bent(1e-4).out_of_plane() / 1e-4 - 1.0).abs() < 0.15, "{}", bent(1e-4).out_of_plane());
        assert!(wire(40, |s| turn * DVec3::X * s).out_of_plane() < 1e-12);
        assert!(wire(2, |_| DVec3::ONE).out_of_plane() < 1e-12);
    }
}

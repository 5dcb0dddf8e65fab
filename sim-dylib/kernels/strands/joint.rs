//! A joint of two segments: what its angles are, and what it does to both frames.

use super::rotation::Rotation;
use crate::lanes::{Real, V3};

/// What a joint does to the frame before it and to the one behind, each in its own axes.
pub struct Joint<R> {
    /// [N m]
    pub torques: [V3<R>; 2],
    /// Of the joint's three angles by a turn of the frame.
    pub gradients: [[V3<R>; 3]; 2],
}

/// Im E and E.w of E = conj(rest) conj(before) behind, the shorter way: half of the joint's angles, for small ones, in the axes
/// of the frame behind.
#[inline(always)]
pub fn error<R: Real>([before, behind]: [Rotation<R>; 2], rest: Rotation<R>) -> (V3<R>, R) {
    let error = before.after(rest).inverse().after(behind);
    // q and -q are one rotation.
    let sign = R::from_f32(-1.0).where_positive_else(-error.w, R::from_f32(1.0));
    (error.v * sign, error.w * sign)
}

impl<R: Real> Joint<R> {
    /// Stiffness against bending and against twist [N m].
    #[inline(always)]
    pub fn new([before, behind]: [Rotation<R>; 2], rest: Rotation<R>, [bend, twist]: [R; 2]) -> Self {
        let two = R::from_f32(2.0);
        let (e, w) = error([before, behind], rest);
        let moment = V3 { x: e.x * bend * two, y: e.y * bend * two, z: e.z * twist * two };
        let across = e.cross(moment);
        let torques = [rest.rotate(moment * w + across), across - moment * w];
        let behind =
            [V3 { x: w, y: -e.z, z: e.y }, V3 { x: e.z, y: w, z: -e.x }, V3 { x: -e.y, y: e.x, z: w }];
        let before = [
            rest.rotate(-V3 { x: w, y: e.z, z: -e.y }),
            rest.rotate(-V3 { x: -e.z, y: w, z: e.x }),
            rest.rotate(-V3 { x: e.y, y: -e.x, z: w }),
        ];
        Self { torques, gradients: [before, behind] }
    }
}

//! The 3 x 3 system of one vertex: a symmetric positive definite matrix, and springs as seen from one of their ends.

use crate::lanes::{Real, V3};

/// Shortest length that is divided by, squared [m2].
const TINY: f32 = 1e-20;

/// A symmetric 3 x 3 matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<R> {
    pub xx: R,
    pub xy: R,
    pub xz: R,
    pub yy: R,
    pub yz: R,
    pub zz: R,
}

impl<R: Real> Block<R> {
    /// `diagonal` times the identity.
    #[inline(always)]
    pub(super) fn diagonal(diagonal: R) -> Self {
        let zero = R::from_f32(0.0);
        Self { xx: diagonal, xy: zero, xz: zero, yy: diagonal, yz: zero, zz: diagonal }
    }

    /// Adds `around` I + `along` n nᵀ.
    #[inline(always)]
    pub(super) fn add_axis(&mut self, around: R, along: R, n: V3<R>) {
        let (x, y, z) = (n.x * along, n.y * along, n.z * along);
        self.xx = self.xx + (around + x * n.x);
        self.xy = self.xy + x * n.y;
        self.xz = self.xz + x * n.z;
        self.yy = self.yy + (around + y * n.y);
        self.yz = self.yz + y * n.z;
        self.zz = self.zz + (around + z * n.z);
    }

    /// I + `scale` times this.
    #[inline(always)]
    pub(super) fn plus_identity(self, scale: R) -> Self {
        let one = R::from_f32(1.0);
        Self {
            xx: one + scale * self.xx,
            xy: scale * self.xy,
            xz: scale * self.xz,
            yy: one + scale * self.yy,
            yz: scale * self.yz,
            zz: one + scale * self.zz,
        }
    }

    /// The solution d of A d = b for a positive definite A, by A = L D Lᵀ: stable where A is badly scaled, unlike
    /// the inverse by cofactors.
    #[inline(always)]
    pub(super) fn solve(self, b: V3<R>) -> V3<R> {
        let one = R::from_f32(1.0);
        let per_x = one / self.xx;
        let (lyx, lzx) = (self.xy * per_x, self.xz * per_x);
        let per_y = one / (self.yy - lyx * self.xy);
        let zy = self.yz - lzx * self.xy;
        let lzy = zy * per_y;
        let per_z = one / (self.zz - lzx * self.xz - lzy * zy);
        let y = b.y - lyx * b.x;
        let z = (b.z - lzx * b.x - lzy * y) * per_z;
        let y = y * per_y - lzy * z;
        V3 { x: b.x * per_x - lyx * y - lzx * z, y, z }
    }
}

/// Force on x [N] of a spring of stiffness `k` [N/m] between `x` and `other`; adds the second derivative of its energy by x
/// [N/m] to `block`.
///
/// Across the spring that is tension/length; where the spring is pushed together it is negative and cut off (Choi and
/// Ko: Stable but Responsive Cloth, 2002), so that the block stays positive definite.
#[inline(always)]
pub(super) fn spring<R: Real>(x: V3<R>, other: V3<R>, rest: R, k: R, block: &mut Block<R>) -> V3<R> {
    let (zero, one) = (R::from_f32(0.0), R::from_f32(1.0));
    let d = other - x;
    let per_length = one / (d.dot(d) + R::from_f32(TINY)).sqrt();
    let pull = k * (one - rest * per_length);
    let across = pull.max(zero);
    block.add_axis(across, k - across, d * per_length);
    d * pull
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::{Energy, distance::Spring};

    fn near(a: V3<f64>, b: V3<f64>, scale: f64) {
        let d = a - b;
        assert!(d.dot(d).sqrt() < 1e-12 * scale, "{a:?} for {b:?}");
    }

    #[test]
    fn a_spring_from_one_end_is_the_spring() {
        let axes = [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)];
        for rest in [0.4, 1.7] {
            let (x, other, k) = (V3::new(0.1, -0.2, 0.3), V3::new(0.8, 0.4, -0.2), 40.0);
            let mut block = Block::diagonal(0.0);
            let force = spring(x, other, rest, k, &mut block);
            let whole = Spring { rest, k };
            near(force, -whole.gradient(&[x, other])[0], k);
            let columns = [
                V3::new(block.xx, block.xy, block.xz),
                V3::new(block.xy, block.yy, block.yz),
                V3::new(block.xz, block.yz, block.zz),
            ];
            for (axis, column) in axes.into_iter().zip(columns) {
                let expected = whole.stiffness_times(&[x, other], &[axis, V3::zero()])[0];
                near(column, expected, k);
            }
        }
    }

    #[test]
    fn solve_solves() {
        let mut block = Block::diagonal(0.5);
        block.add_axis(1.0, 300.0, V3::new(0.6, -0.48, 0.64));
        block.add_axis(0.0, 20.0, V3::new(0.0, 0.8, 0.6));
        let b = V3::new(1.0, -2.0, 0.5);
        let d = block.solve(b);
        let product = V3::new(
            block.xx * d.x + block.xy * d.y + block.xz * d.z,
            block.xy * d.x + block.yy * d.y + block.yz * d.z,
            block.xz * d.x + block.yz * d.y + block.zz * d.z,
        );
        near(product, b, 100.0);
    }

    #[test]
    fn coincident_ends_stay_finite() {
        let mut block = Block::diagonal(1.0_f32);
        let x = V3::new(1.0, 2.0, 3.0);
        let force = spring(x, x, 0.0, 1e12, &mut block);
        let d = block.solve(force);
        assert!(d.x.is_finite() && d.y.is_finite() && d.z.is_finite());
    }
}

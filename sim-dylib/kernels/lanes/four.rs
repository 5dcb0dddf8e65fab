//! Four lanes: glam's `Vec4`.

use glam::{Mat4, Vec4};

use super::{Lanes, Real, RowsAt, RowsAtMut, pull::fetched_pairs};

impl Real for Vec4 {
    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        Vec4::splat(value)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Vec4::sqrt(self)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Vec4::max(self, other)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Vec4::min(self, other)
    }
    #[inline(always)]
    fn where_positive(self, test: Self) -> Self {
        Vec4::select(test.cmpgt(Vec4::ZERO), self, Vec4::ZERO)
    }
    #[inline(always)]
    fn where_positive_else(self, test: Self, other: Self) -> Self {
        Vec4::select(test.cmpgt(Vec4::ZERO), self, other)
    }
}

impl Lanes for Vec4 {
    const COUNT: usize = 4;

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        Vec4::from_slice(values)
    }

    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        self.write_to_slice(values);
    }

    #[inline(always)]
    fn all_are([a, b]: [Self; 2], value: Self) -> bool {
        (a.cmpeq(value) & b.cmpeq(value)).all()
    }

    #[inline(always)]
    fn crossed(self) -> Self {
        self
    }

    #[inline(always)]
    fn alternate(values: &[f32]) -> [Self; 2] {
        let (a, b) = (Vec4::from_slice(values), Vec4::from_slice(&values[4..]));
        [Vec4::new(a.x, a.z, b.x, b.z), Vec4::new(a.y, a.w, b.y, b.w)]
    }

    #[inline(always)]
    fn store_alternate([a, b]: [Self; 2], values: &mut [f32]) {
        Vec4::new(a.x, b.x, a.y, b.y).write_to_slice(values);
        Vec4::new(a.z, b.z, a.w, b.w).write_to_slice(&mut values[4..]);
    }

    #[inline(always)]
    fn pairs_apart(values: &[f32]) -> [Self; 2] {
        let (a, b) = (Vec4::from_slice(values), Vec4::from_slice(&values[4..]));
        [Vec4::new(a.x, a.y, b.x, b.y), Vec4::new(a.z, a.w, b.z, b.w)]
    }

    #[inline(always)]
    fn store_pairs([a, b]: [Self; 2], values: &mut [f32]) {
        Vec4::new(a.x, a.y, b.x, b.y).write_to_slice(values);
        Vec4::new(a.z, a.w, b.z, b.w).write_to_slice(&mut values[4..]);
    }

    #[inline(always)]
    fn fetch(rows: &impl RowsAt) -> [Self; 4] {
        transpose([
            Vec4::from_array(rows.get(0)),
            Vec4::from_array(rows.get(1)),
            Vec4::from_array(rows.get(2)),
            Vec4::from_array(rows.get(3)),
        ])
    }

    #[inline(always)]
    fn scatter(lanes: [Self; 4], rows: &impl RowsAtMut) {
        let [a, b, c, d] = transpose(lanes);
        rows.set(0, a.to_array());
        rows.set(1, b.to_array());
        rows.set(2, c.to_array());
        rows.set(3, d.to_array());
    }

    fetched_pairs! {}
}

#[inline(always)]
fn transpose([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let columns = Mat4::from_cols(a, b, c, d).transpose();
    [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis]
}

//! The tree of boxes over the faces of a mesh: halves at the median of the longest side, down to a few faces.

use glam::Vec3;

/// Faces of a leaf, at most. The search for the nearest point starts with a bound that is nearly exact, so a box of one face
/// spares the look at its neighbours, which costs as much as six boxes.
const LEAF: usize = 1;

pub struct Node {
    pub low: Vec3,
    pub high: Vec3,
    /// The node behind its last descendant; first face and number of faces of a leaf, else 0 and 0.
    pub link: [u32; 3],
}

/// Faces in the order of the leaves, and the nodes, each before its children. `done` hears of faces that are in a leaf, and
/// may end it.
pub fn build<E>(
    points: &[Vec3],
    faces: &[[u32; 3]],
    done: &impl Fn(usize) -> Result<(), E>,
) -> Result<(Vec<[u32; 3]>, Vec<Node>), E> {
    let mut order: Vec<[u32; 3]> = faces.to_vec();
    let mut nodes = Vec::with_capacity(2 * faces.len());
    split(points, &mut order, 0, &mut nodes, done)?;
    Ok((order, nodes))
}

fn split<E>(
    points: &[Vec3],
    faces: &mut [[u32; 3]],
    first: usize,
    nodes: &mut Vec<Node>,
    done: &impl Fn(usize) -> Result<(), E>,
) -> Result<(), E> {
    let place = nodes.len();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for corner in faces.as_flattened() {
        let x = points[*corner as usize];
        (low, high) = (low.min(x), high.max(x));
    }
    nodes.push(Node { low, high, link: [0; 3] });
    if faces.len() <= LEAF {
        nodes[place].link = [0, first as u32, faces.len() as u32];
        done(faces.len())?;
    } else {
        let side = high - low;
        let axis = if side.x >= side.y && side.x >= side.z { 0 } else { usize::from(side.y < side.z) + 1 };
        let center = |face: &[u32; 3]| face.iter().map(|corner| points[*corner as usize][axis]).sum::<f32>();
        let middle = faces.len() / 2;
        faces.select_nth_unstable_by(middle, |a, b| center(a).total_cmp(&center(b)).then(a.cmp(b)));
        let (left, right) = faces.split_at_mut(middle);
        split(points, left, first, nodes, done)?;
        split(points, right, first + middle, nodes, done)?;
    }
    nodes[place].link[0] = nodes.len() as u32;
    Ok(())
}

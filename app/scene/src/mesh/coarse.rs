//! Coarse nodes of a grid: some n-th particles along both ways, those of the border among them, the distances between neighbours,
//! and what the particles of each cell follow.

use super::super::Material;
use super::super::cloth::Coarse;
use super::Grid;

/// The coarse level of one cloth; particles are its own, from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoarseRows {
    pub links: Vec<Link>,
    pub nodes: Vec<Node>,
    /// One row per particle: rows of `nodes` and their weights. Empty: the cloth has no nodes.
    pub followers: Vec<([u32; 4], [f32; 4])>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub ends: [u32; 2],
    /// [m]
    pub rest: f32,
    /// [m/N]
    pub compliance: f32,
    /// Of what follows the ends [1/kg].
    pub inverse_mass: [f32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    pub particle: u32,
    /// Pinned particles; the node's own where there are fewer.
    pub anchors: [u32; 4],
    /// [m]
    pub reach: [f32; 4],
}

/// `mass` [kg] of the particles.
pub(super) fn rows(
    grid: &Grid,
    (mass, pinned): (&[f32], &[bool]),
    material: &Material,
    coarse: &Coarse,
) -> CoarseRows {
    let [columns, rows] = [grid.columns, grid.rows].map(|count| steps(count, coarse.spacing));
    let pins: Vec<u32> = (0..).zip(pinned).filter(|(_, held)| **held).map(|(particle, _)| particle).collect();
    let anchors = |particle: u32| {
        if coarse.anchors { nearest(grid, particle, &pins, coarse.reach) } else { ([particle; 4], [0.0; 4]) }
    };
    let places = rows.iter().flat_map(|row| columns.iter().map(move |column| row * grid.columns + column));
    let nodes: Vec<Node> = places
        .map(|particle| {
            let (anchors, reach) = anchors(particle);
            Node { particle, anchors, reach }
        })
        .collect();
    let followers = followers(grid, &columns, &rows);

    // What moves with each node [kg].
    let free = |particle: usize| if pinned[particle] { 0.0 } else { mass[particle] };
    let mut carried: Vec<f32> = nodes.iter().map(|node| free(node.particle as usize)).collect();
    for (particle, (around, weights)) in followers.iter().enumerate() {
        for (node, weight) in around.iter().zip(weights) {
            carried[*node as usize] += weight * free(particle);
        }
    }
    let stretch = material.sheet.stretch;
    let thread = if stretch > 0.0 { 1.0 / stretch } else { material.compliance.structural };
    let link = |ends: [usize; 2], steps: u32, step: f32| Link {
        ends: ends.map(|node| nodes[node].particle),
        rest: step * steps as f32,
        // Steps one after another, threads side by side.
        compliance: thread * steps as f32 / coarse.spacing as f32,
        inverse_mass: ends.map(|node| if carried[node] > 0.0 { 1.0 / carried[node] } else { 0.0 }),
    };
    let mut links = Vec::new();
    for node in 0..nodes.len() {
        let (row, column) = (node / columns.len(), node % columns.len());
        if column > 0 {
            links.push(link([node - 1, node], columns[column] - columns[column - 1], grid.dx));
        }
        if row > 0 {
            links.push(link([node - columns.len(), node], rows[row] - rows[row - 1], grid.dy));
        }
    }
    CoarseRows { links, nodes, followers }
}

/// The corners of each particle's cell, as rows of the nodes at these `columns` and `rows`, and their bilinear weights.
fn followers(grid: &Grid, columns: &[u32], rows: &[u32]) -> Vec<([u32; 4], [f32; 4])> {
    let (along, down) = (cells(grid.columns, columns), cells(grid.rows, rows));
    let node = |column: usize, row: usize| {
        (row.min(rows.len() - 1) * columns.len() + column.min(columns.len() - 1)) as u32
    };
    let mut followers = Vec::with_capacity(along.len() * down.len());
    for &(row, below) in &down {
        for &(column, right) in &along {
            let nodes = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(c, r)| node(column + c, row + r));
            let weights =
                [(1.0 - right) * (1.0 - below), right * (1.0 - below), (1.0 - right) * below, right * below];
            let is_node = right == 0.0 && below == 0.0;
            followers.push((nodes, if is_node { [0.0; 4] } else { weights }));
        }
    }
    followers
}

/// Places of the nodes along one way, both ends among them, as nearly `spacing` particles apart as can be: a narrow cell
/// among wide ones would boil.
fn steps(count: u32, spacing: u32) -> Vec<u32> {
    let last = count - 1;
    let cells = ((last + spacing / 2) / spacing).max(1);
    (0..=cells).map(|cell| (cell * last + cells / 2) / cells).collect()
}

/// Of each particle along one way: the step before it, and how far it is on to the next, 0 to 1.
fn cells(count: u32, steps: &[u32]) -> Vec<(usize, f32)> {
    let cell = |at: u32| {
        let before = steps.partition_point(|&step| step <= at) - 1;
        let next = steps.get(before + 1).copied().unwrap_or(at + 1);
        (before, (at - steps[before]) as f32 / (next - steps[before]) as f32)
    };
    (0..count).map(cell).collect()
}

/// The pinned particles nearest to a node and its reach to each [m]: `part` of the way from the straight distance to that
/// along the threads.
fn nearest(grid: &Grid, node: u32, pins: &[u32], part: f32) -> ([u32; 4], [f32; 4]) {
    let way = |pin: u32| {
        let x = grid.dx * (pin % grid.columns).abs_diff(node % grid.columns) as f32;
        let y = grid.dy * (pin / grid.columns).abs_diff(node / grid.columns) as f32;
        let straight = x.hypot(y);
        straight + part * (x + y - straight)
    };
    let mut by_way: Vec<(f32, u32)> = pins.iter().map(|&pin| (way(pin), pin)).collect();
    if by_way.len() > 4 {
        by_way.select_nth_unstable_by(3, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        by_way.truncate(4);
    }
    by_way.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut anchors, mut reach) = ([node; 4], [0.0; 4]);
    for (place, (way, pin)) in by_way.into_iter().enumerate() {
        (anchors[place], reach[place]) = (pin, way);
    }
    (anchors, reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_particle_of_a_grid_follows_the_nodes_around_it() {
        let grid = Grid { columns: 12, rows: 9, dx: 0.1, dy: 0.2 };
        let mut pinned = vec![false; 108];
        pinned[0] = true;
        pinned[11] = true;
        let coarse = Coarse { spacing: 4, anchors: true, reach: 0.5 };
        let mut material = Material::default();
        material.compliance.structural = 1e-6;
        let rows = rows(&grid, (&[0.5; 108], &pinned), &material, &coarse);
        // Columns 0, 4, 7 and 11; rows 0, 4 and 8.
        assert_eq!(rows.nodes.len(), 12);
        assert_eq!(rows.links.len(), 3 * 3 + 4 * 2);
        let last = rows.links[1];
        assert_eq!((last.ends, last.rest), ([4, 7], 0.1 * 3.0));
        assert!((last.compliance - 0.75e-6).abs() < 1e-12);
        // All that is free follows, once.
        let carried: Vec<f32> =
            rows.links.iter().flat_map(|link| link.inverse_mass).map(|w| 1.0 / w).collect();
        assert!(carried.iter().all(|mass| *mass > 0.9));
        let places: Vec<u32> = rows.nodes.iter().map(|node| node.particle).collect();
        assert_eq!(places, [0, 4, 7, 11, 48, 52, 55, 59, 96, 100, 103, 107]);
        for (particle, (nodes, weights)) in (0_u32..).zip(&rows.followers) {
            if places.contains(&particle) {
                assert_eq!(*weights, [0.0; 4]);
                continue;
            }
            // Where the nodes stand still relative to each other, so do the particles between them.
            let place = |particle: u32| [(particle % 12) as f32, (particle / 12) as f32];
            for axis in 0..2 {
                let corners = nodes.iter().zip(weights);
                let mean: f32 = corners.map(|(&node, w)| w * place(places[node as usize])[axis]).sum();
                assert!((mean - place(particle)[axis]).abs() < 1e-5, "{particle}: {nodes:?} {weights:?}");
            }
        }
        // Half way between the straight distance and that along the threads.
        let far = rows.nodes[10];
        let way = |x: f32, y: f32| 0.5 * (x.hypot(y) + x + y);
        assert_eq!(far.anchors, [11, 0, 103, 103]);
        assert!((far.reach[0] - way(0.4, 1.6)).abs() < 1e-6 && (far.reach[1] - way(0.7, 1.6)).abs() < 1e-6);
    }
}

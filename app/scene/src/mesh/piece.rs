//! Whether a mesh is in one piece.

/// All of so many vertices hang together by triangles. A union-find with path halving (Tarjan, van Leeuwen, J. ACM 31, 1984).
pub fn is_in_one_piece(vertices: usize, triangles: &[[u32; 3]]) -> bool {
    let mut above: Vec<u32> = (0..vertices as u32).collect();
    let mut pieces = vertices;
    for [a, b] in triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c]]) {
        let (a, b) = (top(&mut above, a), top(&mut above, b));
        if a != b {
            above[a.max(b) as usize] = a.min(b);
            pieces -= 1;
        }
    }
    pieces <= 1
}

/// What stands for the piece of a vertex.
fn top(above: &mut [u32], mut vertex: u32) -> u32 {
    while above[vertex as usize] != vertex {
        above[vertex as usize] = above[above[vertex as usize] as usize];
        vertex = above[vertex as usize];
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_that_share_a_corner_are_one_piece() {
        assert!(is_in_one_piece(5, &[[0, 1, 2], [4, 3, 2]]));
        assert!(!is_in_one_piece(6, &[[0, 1, 2], [3, 4, 5]]));
        assert!(!is_in_one_piece(4, &[[0, 1, 2]]), "one that is of none");
    }
}

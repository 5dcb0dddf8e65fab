//! Where derived columns have their compliance from, so that a slider writes it there without deriving them anew.
//!
//! Rows of one kind and one cloth have their compliance together, and stencils and kinds of rows are told apart by both:
//! whatever a slider makes of the numbers, one row speaks for all that share a stencil.

use bytemuck::cast_slice;

use super::links::Adjacency;

/// One row of `distance` for each value; none for columns that are not on the device.
#[derive(Default)]
pub(crate) struct Compliances {
    /// Of `link.compliance`, by link; beyond all rows for padding.
    links: Vec<u32>,
    /// Of `incident.compliance`, likewise.
    incident: Vec<u32>,
    /// Of `stencil.row`, and its rows as they are.
    stencils: (Vec<[u32; 4]>, Vec<u32>),
    /// The same of `sort.values`.
    sorts: (Vec<[f32; 2]>, Vec<u32>),
}

/// The derived columns that hold compliances.
pub(crate) const COLUMNS: [(&str, &str); 4] =
    [("link", "compliance"), ("incident", "compliance"), ("stencil", "row"), ("sort", "values")];

impl Compliances {
    /// `there`: whether a table of [`COLUMNS`] has its compliances on the device.
    pub(crate) fn of(neighbours: &Adjacency, there: impl Fn(&str) -> bool) -> Self {
        let (stencils, tiles) = (neighbours.stencils.as_ref(), neighbours.tiles.as_ref());
        Self {
            links: if there("link") { neighbours.link_rows() } else { Vec::new() },
            incident: if there("incident") { neighbours.incident_rows() } else { Vec::new() },
            stencils: stencils.map_or_else(Default::default, |made| (made.rows.clone(), made.from.clone())),
            sorts: tiles.map_or_else(Default::default, |made| (made.sorts.clone(), made.sort_rows.clone())),
        }
    }

    /// Rows of one of [`COLUMNS`], with these compliances of `distance` [m/N].
    pub(crate) fn fill(&mut self, table: &str, compliance: &[f32]) -> Vec<u8> {
        let of = |row: u32| compliance.get(row as usize).copied().unwrap_or(0.0);
        match table {
            "link" | "incident" => {
                let rows = if table == "link" { &self.links } else { &self.incident };
                cast_slice(&rows.iter().map(|row| of(*row)).collect::<Vec<f32>>()).to_vec()
            }
            "stencil" => {
                let (rows, from) = &mut self.stencils;
                rows.iter_mut().zip(from).for_each(|(row, from)| row[2] = of(*from).to_bits());
                cast_slice(rows).to_vec()
            }
            _ => {
                let (rows, from) = &mut self.sorts;
                rows.iter_mut().zip(from).for_each(|(row, from)| row[1] = of(*from));
                cast_slice(rows).to_vec()
            }
        }
    }
}

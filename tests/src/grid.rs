//! Schemas and blueprints by hand.

use sim_api::{Class, Element, Fill};
use weft::state::{Blueprint, ColumnSchema, Data, Schema, TableRows, TableSchema};

/// A column of class `state`.
pub fn column(name: &str, element: Element, fill: Fill) -> ColumnSchema {
    ColumnSchema {
        name: name.to_string(),
        element,
        class: Class::State,
        fill,
        source: String::new(),
        doc: String::new(),
    }
}

pub fn copy_of(name: &str, element: Element, source: &str) -> ColumnSchema {
    ColumnSchema { source: source.to_string(), ..column(name, element, Fill::Copy) }
}

pub fn scratch(name: &str, element: Element) -> ColumnSchema {
    ColumnSchema { class: Class::Scratch, ..column(name, element, Fill::Zero) }
}

pub fn table(name: &str, columns: &[ColumnSchema]) -> TableSchema {
    TableSchema { name: name.to_string(), columns: columns.to_vec() }
}

pub fn schema(tables: &[TableSchema]) -> Schema {
    Schema { tables: tables.to_vec() }
}

/// Particles (xyz, mass; mass 0 is pinned with 1 kg) joined by springs of (a, b, rest, compliance).
pub fn particles(particles: &[([f32; 3], f32)], springs: &[(u32, u32, f32, f32)]) -> Blueprint {
    let w = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
    let position = particles.iter().map(|([x, y, z], m)| [*x, *y, *z, w(*m)]).collect();
    let mass = particles.iter().map(|(_, m)| if *m > 0.0 { *m } else { 1.0 }).collect();
    let rows = springs.len();
    Blueprint {
        tables: vec![
            TableRows {
                name: "particle",
                rows: particles.len(),
                columns: vec![
                    ("position", Data::F32x4(position)),
                    ("velocity", Data::F32x4(vec![[0.0; 4]; particles.len()])),
                    ("mass", Data::F32(mass)),
                    ("area", Data::F32(vec![1.0; particles.len()])),
                ],
            },
            TableRows {
                name: "distance",
                rows,
                columns: vec![
                    ("idx", Data::U32x2(springs.iter().map(|s| [s.0, s.1]).collect())),
                    ("rest", Data::F32(springs.iter().map(|s| s.2).collect())),
                    ("compliance", Data::F32(springs.iter().map(|s| s.3).collect())),
                    ("damping", Data::F32(vec![0.0; rows])),
                    ("kind", Data::U32(vec![0; rows])),
                    ("width", Data::F32(vec![1.0; rows])),
                    ("object", Data::U32(vec![0; rows])),
                ],
            },
        ],
    }
}

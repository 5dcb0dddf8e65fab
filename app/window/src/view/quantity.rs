//! What the cloth may show instead of its look: one number a particle. Each is a line of [`QUANTITIES`], or any column of the
//! state (`columns.rs`).

use weft_core::state::{State, col};
use weft_session::readings::in_cell;

use super::{columns, strands};

/// One number a particle, drawn as a colour.
#[derive(Debug)]
pub struct Quantity {
    /// In the panel, in `--view` and at the scale.
    pub name: &'static str,
    /// Empty where it has none.
    pub unit: &'static str,
    pub doc: &'static str,
    /// Averaged over the triangles around each particle: where neighbouring constraints share a load unevenly, the cloth
    /// shows and not the mesh.
    smooth: bool,
    /// It says something of strands alone.
    of_strands: bool,
    values: Values,
    /// Of the particles, from which it is read; empty for the look itself.
    pub column: &'static str,
    of: Of,
}

/// What they may be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Values {
    /// From 0 on.
    Amounts,
    /// Below 0 they mean something else.
    Signed,
    /// Numbers of things: the scale ends at the last one.
    Counts,
}

/// Where the numbers come from.
#[derive(Debug)]
pub(super) enum Of {
    /// One number a particle, or none for the look.
    State(fn(&State) -> Vec<f32>),
    /// A column, by table and name.
    Column(&'static str, &'static str),
}

/// All, in the order of the key `v`; the first is shown at the start.
pub static QUANTITIES: &[Quantity] = &[
    Quantity::new("texture", "", "", "the look of the scene", |_| Vec::new()),
    Quantity::new("acceleration", "m/s²", "acceleration", "|acceleration| over the last frame", |state| {
        lengths(state.get(col::particle::acceleration))
    }),
    Quantity::new("stress", "N/m", "stress", "sum of the principal stresses; 0 where pressed", |state| {
        state.get(col::particle::stress).to_vec()
    })
    .smooth(),
    Quantity::new(
        "strand_stretch",
        "1",
        "",
        "| length / rest - 1 | of the segments of strands; 0.01 is one per cent",
        strands::stretch,
    )
    .of_strands(),
    Quantity::new(
        "tension",
        "N",
        "",
        "force along the segments of strands, E A (length / rest - 1): above 0 where they are pulled, below where pressed; \
         more than they bear where a solver holds them softer than E, as `strand_newton` beyond its `stiffest`",
        strands::tension,
    )
    .of_strands()
    .signed(),
    Quantity::new(
        "bend_moment",
        "N m",
        "",
        "moment across strands in their joints: E I times the curvature beyond that at rest, by frames, which solvers without \
         rods carry along",
        strands::bend_moment,
    )
    .of_strands(),
    Quantity::new(
        "twist_moment",
        "N m",
        "",
        "moment along strands in their joints: G J times the twist beyond that at rest",
        strands::twist_moment,
    )
    .of_strands(),
    Quantity::new(
        "strand_density",
        "kg/m³",
        "",
        "mass per volume of the strands around, as those with `between` feel it through their grid",
        strands::density,
    )
    .of_strands(),
    Quantity::new(
        "strand_grid",
        "",
        "",
        "free particles of strands in the same cell of the grid of `between`, which shows its cells; 0 for those that feel no others",
        in_cell,
    )
    .of_strands()
    .counts(),
    Quantity::new(
        "strand",
        "",
        "",
        "number of the strand, from 0 on over all lists: which hairs follow which strand",
        strands::number,
    )
    .of_strands()
    .counts(),
    Quantity::new(
        GUIDES,
        "",
        "",
        "the strands that are simulated, one hair each, without those that are drawn between them; in the colours of their numbers",
        strands::number,
    )
    .of_strands()
    .counts(),
];

const GUIDES: &str = "strand_guides";

impl Quantity {
    const fn new(
        name: &'static str,
        unit: &'static str,
        column: &'static str,
        doc: &'static str,
        of: fn(&State) -> Vec<f32>,
    ) -> Self {
        Self::with(name, unit, column, doc, Of::State(of))
    }

    const fn with(
        name: &'static str,
        unit: &'static str,
        column: &'static str,
        doc: &'static str,
        of: Of,
    ) -> Self {
        let values = Values::Amounts;
        Self { name, unit, doc, smooth: false, of_strands: false, values, column, of }
    }

    const fn smooth(mut self) -> Self {
        self.smooth = true;
        self
    }

    const fn of_strands(mut self) -> Self {
        self.of_strands = true;
        self
    }

    const fn signed(mut self) -> Self {
        self.values = Values::Signed;
        self
    }

    const fn counts(mut self) -> Self {
        self.values = Values::Counts;
        self
    }

    /// A column of the state. `column` is that of the particles, or empty.
    pub(super) fn of_column(
        name: &'static str,
        (unit, doc): (&'static str, &'static str),
        (table, column): (&'static str, &'static str),
    ) -> Self {
        let of_particles = if table == "particle" { column } else { "" };
        Self::with(name, unit, of_particles, doc, Of::Column(table, column))
    }

    /// Table and name of the column that it shows, if it shows one.
    pub fn shown_column(&self) -> Option<(&'static str, &'static str)> {
        match self.of {
            Of::State(_) => None,
            Of::Column(table, column) => Some((table, column)),
        }
    }

    /// The look itself.
    pub fn look() -> &'static Self {
        &QUANTITIES[0]
    }

    pub fn is_look(&self) -> bool {
        self == Self::look()
    }

    /// Strands are drawn without the hairs between them.
    pub(super) fn shows_guides(&self) -> bool {
        self.name == GUIDES
    }

    /// The one of this name, as `--view` takes it: of the list, or `table.column` of the built-in code.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        if let Some((table, column)) = name.split_once('.') {
            return columns::built_in(table, column);
        }
        let found = QUANTITIES.iter().find(|quantity| quantity.name == name);
        found.ok_or_else(|| format!("there are these:{}", Self::list()))
    }

    /// All, with what they are.
    pub fn list() -> String {
        let lines: Vec<String> =
            QUANTITIES.iter().map(|Self { name, doc, .. }| format!("\n- {name}: {doc}")).collect();
        lines.concat()
            + "\n- TABLE.COLUMN: any column of the state, such as particle.velocity or distance.force"
    }

    /// The one after this that says something of a state, and round again.
    pub(super) fn next(&self, state: &State) -> &'static Self {
        let from = self.place() + 1;
        let mut round = QUANTITIES[from..].iter().chain(QUANTITIES);
        round.find(|quantity| quantity.says_something(state)).unwrap_or_else(|| Self::look())
    }

    /// Whether a state has what it is of.
    pub fn says_something(&self, state: &State) -> bool {
        !self.of_strands || !state.get(col::strand::span).is_empty()
    }

    /// Its place in [`QUANTITIES`].
    pub fn place(&self) -> usize {
        QUANTITIES.iter().position(|quantity| quantity == self).unwrap_or(0)
    }

    /// One number a particle, always finite; none for the look.
    pub(super) fn read(&self, state: &State) -> Vec<f32> {
        let mut values = match self.of {
            Of::State(of) => {
                let mut values = of(state);
                if self.values != Values::Signed {
                    values.iter_mut().for_each(|value| *value = value.max(0.0));
                }
                values
            }
            Of::Column(table, column) => columns::read(state, table, column),
        };
        values.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
        values
    }

    pub(super) fn is_count(&self) -> bool {
        self.values == Values::Counts
    }

    pub(super) fn is_smooth(&self) -> bool {
        self.smooth
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Lengths of the first three values of each row.
fn lengths(rows: &[[f32; 4]]) -> Vec<f32> {
    rows.iter().map(|[x, y, z, _]| (x * x + y * y + z * z).sqrt()).collect()
}

//! What descriptions of solvers have in common: constraint tables by name, and readings that several give.

use sim_api::{List, ReadingDesc, Takes};

use crate::{
    coarse, self_collision,
    state::{Attachment, Balloon, Coarse, Distance, Hinge, Mount, Root, Segment, Tether, Triangle},
};

/// Springs and rods.
pub const DISTANCE: Takes = Takes { table: Distance::TABLE.name, models: List::new(&[]) };
/// Membranes of every model.
pub const TRIANGLE: Takes = Takes { table: Triangle::TABLE.name, models: List::new(&[]) };
/// Bending of every model.
pub const HINGE: Takes = Takes { table: Hinge::TABLE.name, models: List::new(&[]) };
/// Longest distances to a pin.
pub const TETHER: Takes = Takes { table: Tether::TABLE.name, models: List::new(&[]) };
/// Soft pins.
pub const ATTACHMENT: Takes = Takes { table: Attachment::TABLE.name, models: List::new(&[]) };
/// Gas in closed cloth.
pub const BALLOON: Takes = Takes { table: Balloon::TABLE.name, models: List::new(&[]) };
/// Coarse constraints.
pub const COARSE: Takes = Takes { table: Coarse::TABLE.name, models: List::new(&[]) };

/// Frames of strands, with their segments and joints.
pub const SEGMENT: Takes = Takes { table: Segment::TABLE.name, models: List::new(&[]) };

/// Roots of strands pull back at the cloth that holds them.
pub const ROOT: Takes = Takes { table: Root::TABLE.name, models: List::new(&[]) };

/// Ends of strands pull back at the bodies that hold them.
pub const MOUNT: Takes = Takes { table: Mount::TABLE.name, models: List::new(&[]) };

/// Every constraint table of single particles.
pub const ALL_TABLES: &[Takes] = &[DISTANCE, TRIANGLE, HINGE, TETHER, ATTACHMENT, BALLOON];
/// These, coarse constraints, roots on cloth and ends on bodies.
pub const ALL_AND_COARSE: &[Takes] =
    &[DISTANCE, TRIANGLE, HINGE, TETHER, ATTACHMENT, BALLOON, COARSE, ROOT, MOUNT];

/// Those of single particles, frames of strands, their roots on cloth and their ends on bodies.
pub const ALL_TABLES_AND_FRAMES: &[Takes] =
    &[DISTANCE, TRIANGLE, HINGE, TETHER, ATTACHMENT, BALLOON, SEGMENT, ROOT, MOUNT];
/// All.
pub const ALL_AND_FRAMES: &[Takes] =
    &[DISTANCE, TRIANGLE, HINGE, TETHER, ATTACHMENT, BALLOON, COARSE, SEGMENT, ROOT, MOUNT];

/// What a step says beside its solver's readings, where there is something to say.
pub const OF_THE_STEP: &[ReadingDesc] = &{
    let mut all = [coarse::MOVED; self_collision::READINGS.len() + 1];
    let mut i = 1;
    while i < all.len() {
        all[i] = self_collision::READINGS[i - 1];
        i += 1;
    }
    all
};

/// Of solvers that iterate.
pub const ITERATIONS_USED: ReadingDesc =
    ReadingDesc::count("iterations", "iterations that the solver used in the last frame");

/// What is left of the equation that the solver itself solves.
pub const RESIDUAL: ReadingDesc = ReadingDesc::new(
    "residual",
    "1",
    "what is left of the equation that the solver itself solves, as a fraction of what it was at the predicted positions: XPBD \
     and PBD sum (C + compliance lambda / h²)² over distance constraints (PBD without lambda), implicit solvers the force out of \
     balance; fractions of different equations do not compare",
);

/// Of solvers with a limit on the stiffness, see [`sim_api::Stiffness`].
pub const HELD_BACK: ReadingDesc = ReadingDesc::count(
    "constraints_held_back",
    "distance constraints that are stiffer than the solver bears, and run with the stiffness that it does",
);

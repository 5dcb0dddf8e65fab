//! Scenes: RON text → checked [`Scene`] → plain meshes, and what changes between two of them.
//!
//! Text to scene, in call order:
//! 0. `include` works in the files and variables that a scene is made of, if any.
//! 1. [`tree`] scans the text into a tree of spans; it tolerates errors, so it always has an answer.
//! 2. [`parse`] lets `ron` read the scene; each error is placed on its token through the tree, the
//!    faulty entry is blanked out and reading goes on, so that one pass finds many errors.
//! 3. [`check`] walks the table in [`fields`] (every tunable number once: unit, range, swap class) and
//!    the rules between fields; each finding is a [`Diagnostic`] with path, line, column and span.
//!
//! Scene to data: [`obj`] reads mesh files, [`mesh`] turns a cloth into particles, triangles and rows of constraints,
//! [`motion`] gives the pose of a collider at a time, [`mod@diff`] says what a swap of scenes keeps.
//!
//! Not here: no GPU or state tables, no file watching, no decoding of pictures.

pub mod assemble;
pub mod check;
mod cloth;
mod collider;
mod cost;
mod described;
mod diagnostic;
pub mod diff;
mod expect;
mod fields;
mod handle;
mod include;
mod load;
pub mod locate;
mod material;
pub mod mesh;
mod model;
mod motion;
mod notes;
pub mod obj;
mod origin;
mod parse;
pub mod picture;
pub mod preset;
mod rewrite;
pub mod rotation;
mod runs;
pub mod set;
mod solver_info;
pub mod start;
pub mod strands;
mod tear;
pub mod tree;
mod value;
pub mod workload;
mod world;
pub mod write;

pub use cloth::{Balloon, Cloth, Coarse, Corner, Edge, Look, Pin, SelfCollision, Shape, Tethers, Weight};
pub use collider::{Collider, ColliderShape, Friction, Key, Motion, Pose};
pub use described::{Described, described};
pub use diagnostic::{Diagnostic, SceneErrors};
pub use diff::{Change, Fate, diff, fate, removed};
pub use expect::Expect;
pub use fields::{Address, Choice, Class, Field, FieldKind, Row, Slot, Sort, schema, visit};
pub use handle::Handle;
pub use load::{Loaded, included, load, parse_kept, parse_text, peek, pending, without_place};
pub use material::{Bending, Compliance, Material, Membrane, Sheet};
pub use mesh::{ClothMesh, Distance, Hinge, Kind, build};
pub use model::{DEFAULT_SOLVER, Scene, SolverChoice, VERSION, Vec2, Vec3};
pub use obj::{KeptMeshes, MeshFiles, ReadWork, WorkNow, solid, unread_meshes};
pub use rewrite::{Changed, changed, rewrite};
pub use runs::{MOST_BESIDE, RunChoice, RunPath};
pub use set::{Edit, SetError, carry, edit, set};
pub use solver_info::{ParamInfo, SolverInfo, Vocabulary};
pub use strands::{Between, Rod, Root, Roots, Seat, Side, StrandCollision, StrandLook, Strands};
pub use tear::Tear;
pub use value::Value;
pub use world::{Auto, Camera, Light, Wind};
pub use write::write;

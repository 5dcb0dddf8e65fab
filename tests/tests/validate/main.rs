//! Known numbers: the validation cases with every solver, and what each scene that comes with the program expects of itself.

mod cases;
mod gallery;
mod strand_scenes;

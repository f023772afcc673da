//! What photos are made of when they leave: files with names that every system takes, without places where the person wants none, and one
//! zip of them all. In a browser and in a terminal alike.

mod names;
mod pack;
mod places;

pub use names::FileNames;
pub use pack::{Pack, PackError};
pub use places::without_places;

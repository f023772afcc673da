//! The person's data: how it is kept, how it leaves and comes back, and how it goes for good.

mod copies;
mod erase;
mod import;
mod screen;
mod storage;
mod transfer;
mod wipe;
pub mod words;

pub use screen::{copies_room, data_room, files_room};
pub use storage::{bytes, keep_for_good_once};
pub use transfer::{Format, MemoryLine};
pub use wipe::{leave_if_wiped, listen, wipe_if_asked};

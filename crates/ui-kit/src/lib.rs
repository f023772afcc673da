//! What the page's screens are made of, and the seam for an assistant's own ones: start at [`Panel`].
//!
//! Icons, dialogs, fields, notes, long lists, dates in words and text as Markdown have no feature in them. A [`Panel`] is what an assistant brings
//! to the page; [`Tools`] is how it reads and changes what the tools keep, [`lines`] how a change is shown.
//!
//! What it does not know: any assistant, the conversation, and the way to the tools.

pub mod agent_form;
pub mod change;
pub mod clock;
pub mod command;
pub mod dates;
pub mod each;
pub mod focus;
pub mod form;
pub mod fuzzy;
pub mod icons;
pub mod language;
pub mod line;
pub mod locale;
pub mod markdown;
pub mod moment;
pub mod panel;
pub mod parts;
pub mod past;
pub mod reactive;
pub mod rows;
pub mod sheet;
pub mod toast;
pub mod tools;
pub mod wall;
pub mod window;
pub mod words;

pub use change::{Difference, DomainChange, Kind, Line, Outcome, outcome};
pub use command::{Command, is_composing};
pub use each::Each;
pub use fuzzy::fits;
pub use icons::Icon;
pub use line::line_view;
pub use panel::{Chosen, Hit, LastCall, Launch, Panel, Panels, Shared};
pub use parts::NotLoaded;
pub use reactive::{effect, memo};
pub use rows::{AddLine, List, Phase, Rows, live_rows};
pub use toast::Toasts;
pub use tools::{CallError, Say, ToolCaller, Tools, told};
pub use wall::Wall;

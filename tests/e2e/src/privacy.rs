//! The question what a model elsewhere may read.

use crate::screen::screen;

screen! {
    /// What would be sent, and the ways to answer.
    Privacy {
        dialog "hide-dialog"  item "hide-item"  hide "hide"  show "hide-show"  stop "hide-stop"
    }
}

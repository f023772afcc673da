//! A conversation that is rehearsed.

use crate::screen::screen;

screen! {
    /// The dialog of rehearsals.
    Rehearsals {
        dialog "rehearse"  text "rehearse-text"  from_conversation "rehearse-from"  model "rehearse-model"
        play "rehearse-play"  stop "rehearse-stop"  verdict "rehearse-verdict"  wrong "rehearse-wrong"
        checks "rehearse-checks"  turns "rehearse-turns"  open_run "rehearse-open-run"
    }
}

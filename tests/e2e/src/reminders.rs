//! What reminds, over the page.

use crate::screen::screen;

screen! {
    /// Reminders, and the question for notifications.
    Reminders {
        section "reminders"  one "reminder"  show "reminder-open"  done "reminder-done"  later "reminder-later"
        away "reminder-away"  more "reminder-more"  put_all "reminder-put-all"  ask "reminder-ask"  allow "reminder-allow"
        not_now "reminder-not-now"  mark "todo-remind"  choice "edit-remind"  at "edit-remind-at"  hint "edit-remind-hint"
    }
}

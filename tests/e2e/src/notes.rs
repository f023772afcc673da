//! What the page says beside its screens: short notes, losses, newer versions, what another app shares.

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The notes at the edge of the page, and what stands in the way of all of it.
    Notes {
        toast "toast"  action "toast-action"  loss "loss-note"  update "update"  wiped "wiped"
        signed_in "signed-in"  not_signed_in "not-signed-in"
        share_name "share-name"  share_add "share-add"  share_cancel "share-cancel"
        unlock_field "unlock-field"  unlock "unlock"  unlock_trouble "unlock-trouble"
    }
}

impl<'p, P: Page> Notes<'p, P> {
    /// The way back in a note.
    pub fn undo(&self) -> Element<'p, P> {
        self.toast().within("[data-testid=undo]")
    }
}

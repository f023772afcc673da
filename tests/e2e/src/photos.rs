//! The photos' pane, and one of them large.

use crate::screen::screen;

screen! {
    /// The photos.
    Photos {
        tab "side-tab-photos"  count "photo-count"  empty "photos-empty"  file "photo-add"  intake "photo-intake"
        cell "photo-cell"  check "photo-check"  act_on_chosen "photo-chosen-act"  search "photo-search"  failed "photo-failed"
        show_faces "photo-show-faces"  show_bin "photo-show-bin"  show_all "photo-show-all"
        sheet "photo-sheet"  to_bin "photo-bin"
    }
}

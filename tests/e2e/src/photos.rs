//! The photos' pane, and one of them large.

use crate::screen::screen;

screen! {
    /// The photos.
    Photos {
        tab "side-tab-photos"  count "photo-count"  empty "photos-empty"  file "photo-add"  intake "photo-intake"
        cell "photo-cell"  check "photo-check"  act_on_chosen "photo-chosen-act"  search "photo-search"  failed "photo-failed"
        show_faces "photo-show-faces"  show_bin "photo-show-bin"  show_library "photo-show-library"
        sheet "photo-sheet"  to_bin "photo-bin"  strip "photo-strip"  show_found "photo-show-found"
        from_chat "photo-from-chat"  album "photo-album"  into_album "photo-into-album"  chosen_note "chosen-note"
        show_people "photo-show-people"  people_on "photo-people-on"  person "photo-person"
        person_name "photo-person-name"  people_off "photo-people-off"  erase "photo-people-erase"
        frame "photo-frame"  face_name "photo-face-name"
        show_all "photo-show-all"  show_events "photo-show-events"  show_duplicates "photo-show-duplicates"
        grid "photo-grid"  event "photo-event"  choose_day "photo-choose-day"
        twin "photo-twin"  best "photo-best"  keep "photo-keep"  keep_all "photo-keep-all"  no_duplicates "photo-no-duplicates"
        stage "photo-stage"  place "photo-place"  info "photo-info"  info_button "photo-info-button"  larger "photo-larger"
        star "photo-star"  tag "photo-tag"  tag_off "photo-tag-off"  tag_name "photo-tag-name"
    }
}

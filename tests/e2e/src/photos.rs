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
        erase_yes "photo-people-erase-yes"
        show_places "photo-show-places"  no_places "photo-no-places"  place "photo-place"  map "photo-map"  spot "photo-spot"
        without_place "photo-without-place"  on_map "photo-on-map"  tiles "photo-tiles"  tiles_address "photo-tiles-address"
        tiles_save "photo-tiles-save"
        shared "photo-shared"  take_shared "photo-shared-take"  discard_shared "photo-shared-discard"
        room "photo-room"  pause "photo-pause"
        frame "photo-frame"  face_name "photo-face-name"
        export "photo-export"  export_zip "photo-export-zip"  export_places "photo-export-places"
        export_result "photo-export-result"  save_found "photo-save-found"
        show_all "photo-show-all"  show_events "photo-show-events"  show_duplicates "photo-show-duplicates"
        grid "photo-grid"  event "photo-event"  choose_day "photo-choose-day"
        twin "photo-twin"  best "photo-best"  keep "photo-keep"  keep_all "photo-keep-all"  no_duplicates "photo-no-duplicates"
        no_file "photo-no-file"  stage "photo-stage"  which "photo-which"  info "photo-info"  info_button "photo-info-button"  larger "photo-larger"
        folder "photo-folder"  folder_leave "photo-folder-leave"  leave_folder "photo-leave-folder"  left_lack "photo-left-lack"
        folders_closed "photo-folders-closed"  folders_allow "photo-folders-allow"
        empty_bin "photo-empty-bin"  empty_bin_yes "photo-empty-bin-yes"
        star "photo-star"  tag "photo-tag"  tag_off "photo-tag-off"  tag_name "photo-tag-name"
    }
}

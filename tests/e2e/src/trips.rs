//! The trips' pane: all of them, the days of one, its forms, moves and checks.

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The trips.
    Trips {
        tab "side-tab-trips"  count "trips-count"  empty "trips-empty"  suggestion "trips-suggestion"  new_trip "trips-new"
        row "trips-row"  open "trips-open"  duplicate "trips-duplicate"  archive "trips-archive"  archived "trips-archived"
        delete "trips-delete"  delete_yes "trips-delete-yes"
        form "trip-trip-form"  title "trip-title"  start "trip-start"  end "trip-end"  destinations "trip-destinations"
        travellers_names "trip-travellers"  save "trip-save"  trouble "trip-trouble"
        trip "trip"  back "trip-back"  gone "trip-gone"  when "trip-when"  nothing "trip-nothing"
        show_days "trip-section-days"  show_checks "trip-section-checks"  show_map "trip-section-map"
        show_budget "trip-section-budget"  show_people "trip-section-people"  show_share "trip-section-share"
        days "trip-days"  day "trip-day"  night "trip-night"  segment "trip-segment"  open_segment "trip-open-segment"
        add_flight "trip-add-flight"  add_hotel "trip-add-hotel"  add_activity "trip-add-activity"  add_meeting "trip-add-meeting"
        segment_form "trip-form"  segment_save "trip-form-save"  segment_cancel "trip-form-cancel"
        segment_deleted "trip-form-deleted"  would_save "trip-form-would"  add_trouble "trip-form-trouble"
        from "trip-field-from"  to "trip-field-to"  place "trip-field-place"  name "trip-field-title"
        start_day "trip-field-start-day"  start_time "trip-field-start-time"  end_day "trip-field-end-day"
        end_time "trip-field-end-time"  cost "trip-field-cost"  currency "trip-field-currency"  status "trip-field-status"
        hang_how "trip-hang-how"  hang_on "trip-hang-on"
        move_it "trip-move"  delete_segment "trip-delete-segment"  move_dialog "trip-move-dialog"  move_day "trip-move-day"
        move_days "trip-move-days"  move_look "trip-move-look"  would "trip-would"  would_other "trip-would-other"
        move_do "trip-move-do"  move_leave "trip-move-leave"
        way_out "trip-way-out"  finding "trip-finding"  row_finding "trip-row-finding"  accept "trip-accept"  accept_why "trip-accept-why"
        accept_yes "trip-accept-yes"  accepted "trip-accepted"  accept_no_more "trip-accept-no-more"
        stop "trip-stop"  share "trip-share"  save_calendar "trip-save-calendar"  save_file "trip-save-file"
    }
}

impl<'p, P: Page> Trips<'p, P> {
    /// The row of the segment that is called so.
    pub fn called(&self, title: &str) -> Element<'p, P> {
        self.segment().with(title)
    }
}

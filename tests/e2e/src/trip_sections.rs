//! The sections of a trip beside its days: what is on its map, what it costs, who travels, what is known of them, how it leaves.

use crate::screen::screen;

screen! {
    /// The sections of an open trip.
    TripSections {
        map "trip-map"  map_day "trip-map-day"  spot "trip-spot"  stops "trip-stops"  stop "trip-stop"  summary "trip-map-summary"
        unplaced "trip-unplaced"  map_empty "trip-map-empty"
        left "trip-budget-left"  budget_edit "trip-budget-edit"  amount "trip-budget-amount"  currency "trip-budget-currency"
        budget_save "trip-budget-save"  in_all "trip-in-all"  costs "trip-costs"  unpriced "trip-unpriced"
        person "trip-person"  person_edit "trip-person-edit"  person_remove "trip-person-remove"
        traveller_add "trip-traveller-add"  traveller_name "trip-traveller-name"  country "trip-traveller-country"
        until "trip-traveller-until"  traveller_save "trip-traveller-save"  traveller_wrong "trip-traveller-wrong"
        told "trip-told"
        known_dates "trip-known-dates"  known_budget "trip-known-budget"  known_travelers "trip-known-travelers"
        nights "trip-said-nights"  around "trip-said-around"  said_amount "trip-said-amount"  said_currency "trip-said-currency"
        profile_save "trip-profile-save"  correct "trip-correct"  forget "trip-forget"
        private "trip-private"  save_file "trip-save-file"  save_calendar "trip-save-calendar"  share_demo "trip-share-demo"
        print "trip-print"  paper "trip-paper"  calendar_in "trip-calendar-in"  report "trip-report"
    }
}

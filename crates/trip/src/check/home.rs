//! Whether a trip that sets out from home comes back.

use super::telling::row as told;
use super::timeline::{HOME_KM, Row, Trip, distance};
use super::{Findings, Said, rule};
use crate::model::{Kind, Place};

/// Only where the way there and a bed are planned already, and the way back is not: who is still at the flights knows.
pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    let home = trip.itinerary.home.as_ref();
    let is_near = |place: &Option<Place>| distance(home, place.as_ref()).map(|km| km <= HOME_KM);
    let settled = || trip.rows.iter().filter(|row| row.is_settled() && row.start.point().is_some());
    let ways = || settled().filter(|row| row.is_way());
    let leads_away =
        |row: &&Row<'_>| is_near(&row.segment.from) == Some(true) && is_near(&row.segment.to) == Some(false);
    let Some(out) = ways().find(leads_away) else { return };
    let has_bed = settled().any(|row| row.segment.kind == Kind::Hotel);
    // Where one ends up: a way to a place that is not known may be the way home.
    let back = ways().filter(|row| row.place > out.place).any(|row| is_near(&row.segment.to) != Some(false));
    if back || !has_bed {
        return;
    }
    findings.warn(
        &[out],
        Said {
            rule: rule::NO_WAY_HOME,
            text: format!("{} leads away from home, and nothing leads back.", told(out)),
            way_out: "Add the way home, or say that there is to be none.".to_owned(),
            call: None,
        },
    );
}

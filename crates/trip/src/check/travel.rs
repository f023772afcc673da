//! How long a way takes at the least, with the assumptions it was reckoned with. Meant to be short rather than exact: what is found too
//! short by it is too short.

use super::telling::{kilometres, minutes, whole};
use crate::assumed::Assumed;
use crate::model::{Mode, Segment};

/// Nearer is the same place, in kilometres: coordinates of a park or of an airport are somewhere in it.
pub(super) const SAME_KM: f64 = 0.3;
/// Up to here one goes on foot.
const WALK_KM: f64 = 1.0;
/// From here trains are as likely as cars.
const RAIL_KM: f64 = 50.0;
/// From here fast trains and planes are reckoned with.
const FAR_KM: f64 = 100.0;
/// Until one is on the way, and at its end: to find a taxi, to wait for a train.
const SET_OUT_MIN: f64 = 10.0;
/// Fast trains go twice as fast as trains do, stops and detours with them: Paris to Lyon 200, Tokyo to Osaka 160 kilometres an hour.
const FAST_RAIL: f64 = 2.0;
/// From gate to gate as the crow flies.
const PLANE_KMH: f64 = 800.0;
/// No airliner is faster from gate to gate: the fastest crossing of the Atlantic so far had 1,120 by a storm behind it.
const FLIGHT_MOST_KMH: f64 = 1_150.0;

/// How long a way takes.
pub(super) struct Way {
    pub minutes: i64,
    /// `12 km, about 22 min by 60 km/h on the road and 10 min to set out`.
    pub words: String,
    /// So far that only fast trains and planes were reckoned with.
    pub is_far: bool,
}

/// The least time for a way of which nobody said how one goes.
pub(super) fn fastest(km: f64, assumed: &Assumed) -> Way {
    let set_out = whole(SET_OUT_MIN);
    let walk = km / kmh(assumed.walking_kmh) * 60.0;
    let road = SET_OUT_MIN + km / kmh(assumed.driving_kmh) * 60.0;
    let rail = SET_OUT_MIN + km / kmh(assumed.rail_kmh) * 60.0;
    let fast = SET_OUT_MIN + km / (kmh(assumed.rail_kmh) * FAST_RAIL) * 60.0;
    let airports = assumed.before_flight_min.saturating_add(assumed.leave_airport_min);
    let plane = f64::from(airports) + km / PLANE_KMH * 60.0;
    let (took, how) = if km < SAME_KM {
        (0.0, String::new())
    } else if km <= WALK_KM {
        (walk, format!("{} km/h on foot", assumed.walking_kmh))
    } else if km > FAR_KM {
        let rail = assumed.rail_kmh.saturating_mul(2);
        let how = format!(
            "a train at {rail} km/h or a plane at {} km/h and {} at airports",
            whole(PLANE_KMH),
            minutes(i64::from(airports))
        );
        (fast.min(plane), how)
    } else if km > RAIL_KM && rail < road {
        (rail, format!("{} km/h by train and {set_out} min to set out", assumed.rail_kmh))
    } else {
        (road, format!("{} km/h on the road and {set_out} min to set out", assumed.driving_kmh))
    };
    let took = whole(took.ceil());
    Way {
        minutes: took,
        words: format!("{}, at least {} by {how}", kilometres(km), minutes(took)),
        is_far: km > FAR_KM,
    }
}

/// The most kilometres an hour that a flight or a transfer can have from end to end, as the crow flies, and from how many kilometres on it
/// is looked at: a loop has no speed.
pub(super) fn most_kmh(segment: &Segment, is_flight: bool, assumed: &Assumed) -> (f64, f64) {
    if is_flight {
        return (FLIGHT_MOST_KMH, 100.0);
    }
    let most = match segment.mode {
        Some(Mode::Walk) => 2.0 * kmh(assumed.walking_kmh),
        Some(Mode::Bicycle) => 35.0,
        Some(Mode::Car | Mode::Taxi | Mode::Bus | Mode::Metro) => 2.0 * kmh(assumed.driving_kmh),
        Some(Mode::Ferry) => 90.0,
        Some(Mode::Train) | None => 3.0 * kmh(assumed.rail_kmh),
    };
    (most, 3.0)
}

fn kmh(assumed: u32) -> f64 {
    f64::from(assumed.max(1))
}

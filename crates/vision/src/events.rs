//! Which photos belong to one occasion: a walk, a dinner, a day at the sea. Time says most of it, place and likeness the rest.
//!
//! The rule for time is that of PhotoTOC (Platt, Czerwinski and Field 2003): an event ends at a gap that is much longer than the gaps around
//! it, measured in logarithms, because who takes a photo a minute pauses for ten, and who takes one an hour pauses for a morning. How much
//! longer depends on the gap: half an hour has to stand out by far, and the nearer a gap comes to a night, the less it has to. To it come a
//! gap that always ends an event (a night), one that never does alone, and a jump of the place; what is around a gap does not reach beyond
//! those. Likeness may close a middling gap: the same table before and after the speeches.

use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use crate::duplicates::BURST_SECONDS;
use crate::exif::Point;
use crate::likeness::PerceptualHash;
use crate::moment::Moment;

/// How many gaps to each side make the usual pace.
const PACE_REACH: usize = 10;

/// How many times the pace (the geometric mean of the gaps) a gap is that ends an event: one of [`SHORT`], and one of [`NIGHT`]; between
/// them it falls evenly in logarithms, so that two hours are 11 times the pace. PhotoTOC has 17 for every gap, which leaves dinner with
/// the afternoon of one who takes a photo in ten minutes, and parts a party at each pause. Chosen on generated albums with odd seeds.
const TIMES_PACE: (f64, f64) = (60.0, 2.0);

/// A gap of a night ends an event, whatever the pace: 8 hours, in seconds.
const NIGHT: i64 = 8 * 3600;

/// A gap shorter than this never ends one, unless the place jumps: half an hour, in seconds.
const SHORT: i64 = 30 * 60;

/// And from this on no likeness holds an event together: 3 hours, in seconds.
const LONG: i64 = 3 * 3600;

/// A place so far away is another one, if there was a pause: 3 km. Less is a walk.
const ELSEWHERE_METRES: f64 = 3000.0;

/// The pause that a jump of the place needs: ten minutes, in seconds. Who takes photos all the way is on one journey.
const PAUSE: i64 = 10 * 60;

/// Photos of one place without a date are within so many metres of each other.
const SAME_PLACE_METRES: f64 = 1000.0;

/// Hashes that differ in at most so many bits show the same scene; looser than for duplicates, because nothing is thrown away for it.
const SAME_SCENE: u32 = 18;

/// What is known of a photo that belongs to some event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shot {
    /// When it was taken, on the clock on the wall.
    pub taken: Option<Moment>,
    /// Where.
    pub place: Option<Point>,
    /// Of the upright picture.
    pub hash: Option<PerceptualHash>,
}

/// Photos of one occasion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Indices into what was given: those with a date by it, then those without, in the order given.
    pub photos: Vec<usize>,
    /// When the first was taken; nothing where none has a date.
    pub begins: Option<Moment>,
    /// When the last was taken.
    pub ends: Option<Moment>,
    /// The middle of the places, where at least one is known.
    pub place: Option<Point>,
}

/// The events of these photos, by when they begin; those without any date come last. Each photo is in exactly one. The same photos give the
/// same events, in whatever order; time is n·log n for n photos with a date, and n for each one without.
#[must_use]
pub fn events(shots: &[Shot]) -> Vec<Event> {
    let dated: BinaryHeap<(i64, usize)> =
        shots.iter().enumerate().filter_map(|(at, shot)| Some((shot.taken?.seconds(), at))).collect();
    let dated = dated.into_sorted_vec();
    let ends = ends(shots, &dated);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, (_, photo)) in dated.iter().enumerate() {
        let is_new = at.checked_sub(1).is_none_or(|gap| ends[gap]);
        match groups.last_mut() {
            Some(group) if !is_new => group.push(*photo),
            _ => groups.push(vec![*photo]),
        }
    }
    let dated_groups = groups.len();
    for (at, shot) in shots.iter().enumerate().filter(|(_, shot)| shot.taken.is_none()) {
        match home(shot, shots, &groups, dated_groups) {
            Some(group) => groups[group].push(at),
            None => groups.push(vec![at]),
        }
    }
    groups.into_iter().map(|photos| event(photos, shots)).collect()
}

/// For each gap between photos that follow each other: whether an event ends at it.
fn ends(shots: &[Shot], dated: &[(i64, usize)]) -> Vec<bool> {
    let gaps: Vec<i64> = dated.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    let mut ends: Vec<bool> = gaps.iter().map(|gap| *gap >= NIGHT).collect();
    // Many photos have no place: from one that has one to the next, whoever went elsewhere went in the longest pause.
    let mut last: Option<(usize, Point)> = None;
    for (at, (_, photo)) in dated.iter().enumerate() {
        let Some(place) = shots[*photo].place else { continue };
        if let Some((before, was)) = last.replace((at, place))
            && was.metres_to(place) > ELSEWHERE_METRES
            && let Some(pause) = (before..at).max_by_key(|gap| gaps[*gap])
        {
            ends[pause] |= gaps[pause] >= PAUSE;
        }
    }
    // The pace on the other side of an end that is sure is another occasion's.
    let mut from = 0;
    while from < gaps.len() {
        let to = ends[from..].iter().position(|is_end| *is_end).map_or(gaps.len(), |length| from + length);
        for (gap, is_long) in (from..to).zip(long_for_pace(&gaps[from..to])) {
            let is_pause = is_long && gaps[gap] >= SHORT;
            ends[gap] = is_pause && (gaps[gap] >= LONG || !is_same_scene(shots, dated, gap));
        }
        from = to + 1;
    }
    ends
}

/// For each gap: whether it is much longer than the usual pace around it.
fn long_for_pace(gaps: &[i64]) -> Vec<bool> {
    // A burst is one look at a thing: with its gaps of a second in the mean, every pause after three bursts would be long.
    let (of_pace, logs): (Vec<usize>, Vec<f64>) = gaps
        .iter()
        .enumerate()
        .filter(|(_, gap)| **gap >= BURST_SECONDS)
        .map(|(at, gap)| (at, (*gap as f64).ln()))
        .unzip();
    let mut is_long = vec![false; gaps.len()];
    for (at, log) in logs.iter().enumerate() {
        let around = &logs[at.saturating_sub(PACE_REACH)..(at + PACE_REACH + 1).min(logs.len())];
        let pace = around.iter().sum::<f64>() / around.len() as f64;
        is_long[of_pace[at]] = *log >= pace + times(*log);
    }
    is_long
}

/// How many times the pace a gap is that ends an event; both as logarithms.
fn times(gap: f64) -> f64 {
    let ((short, night), (at_short, at_night)) = ((SHORT as f64, NIGHT as f64), TIMES_PACE);
    let share = (gap - short.ln()) / (night / short).ln();
    at_short.ln() + (at_night / at_short).ln() * share.clamp(0.0, 1.0)
}

/// Whether one of the three photos before a gap shows what one of the three after it shows.
fn is_same_scene(shots: &[Shot], dated: &[(i64, usize)], before: usize) -> bool {
    let hash = |(_, photo): &(i64, usize)| shots[*photo].hash;
    let earlier = dated[(before + 1).saturating_sub(3)..=before].iter().filter_map(hash);
    earlier.into_iter().any(|one| {
        let later = dated[before + 1..].iter().take(3).filter_map(hash);
        later.into_iter().any(|other| one.distance(other) <= SAME_SCENE)
    })
}

/// The group that a photo without a date belongs to: that of the photo which looks most like it; else, among the groups without a date,
/// the first at its place, or the first without any place if it has none.
fn home(shot: &Shot, shots: &[Shot], groups: &[Vec<usize>], dated_groups: usize) -> Option<usize> {
    let likest = shot.hash.and_then(|hash| {
        let all = groups
            .iter()
            .enumerate()
            .flat_map(|(group, photos)| photos.iter().map(move |photo| (group, photo)));
        all.filter_map(|(group, photo)| Some((shots[*photo].hash?.distance(hash), group)))
            .min()
            .filter(|(bits, _)| *bits <= SAME_SCENE)
            .map(|(_, group)| group)
    });
    likest.or_else(|| {
        let undated = (dated_groups..groups.len()).filter(|group| {
            let first = shots[groups[*group][0]].place;
            match (first, shot.place) {
                (Some(one), Some(other)) => one.metres_to(other) <= SAME_PLACE_METRES,
                (None, None) => true,
                _ => false,
            }
        });
        undated.min()
    })
}

fn event(photos: Vec<usize>, shots: &[Shot]) -> Event {
    let taken = || photos.iter().filter_map(|photo| shots[*photo].taken);
    let (begins, ends) = (taken().min(), taken().max());
    Event { place: middle(photos.iter().filter_map(|photo| shots[*photo].place)), begins, ends, photos }
}

/// The mean of points as directions from the middle of the earth, so that 179° east and west have theirs between them.
fn middle(points: impl Iterator<Item = Point>) -> Option<Point> {
    let mut sums = [0.0; 3];
    for point in points {
        let (latitude, longitude) = (point.latitude.to_radians(), point.longitude.to_radians());
        sums[0] += latitude.cos() * longitude.cos();
        sums[1] += latitude.cos() * longitude.sin();
        sums[2] += latitude.sin();
    }
    let [x, y, z] = sums;
    if x.hypot(y).hypot(z) < 1e-9 {
        return None;
    }
    Point::new(z.atan2(x.hypot(y)).to_degrees(), y.atan2(x).to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot(hours: f64, place: Option<(f64, f64)>) -> Shot {
        let minutes = (hours * 60.0) as i64;
        let (day, hour, minute) = (1 + minutes / 1440, minutes / 60 % 24, minutes % 60);
        let taken = Moment::new(2026, [7, day as i8, hour as i8, minute as i8, 0]);
        assert!(taken.is_some());
        Shot {
            taken,
            place: place.and_then(|(latitude, longitude)| Point::new(latitude, longitude)),
            hash: None,
        }
    }

    fn grouped(shots: &[Shot]) -> Vec<Vec<usize>> {
        events(shots).into_iter().map(|event| event.photos).collect()
    }

    #[test]
    fn time_and_place_part_events() {
        let (rome, ostia) = (Some((41.9, 12.5)), Some((41.73, 12.29)));
        for (shots, expected) in [
            (vec![], vec![]),
            (vec![shot(9.0, None)], vec![vec![0]]),
            // A night apart, in any order.
            (vec![shot(33.0, None), shot(9.0, None), shot(9.1, None)], vec![vec![1, 2], vec![0]]),
            // Half an hour later and 25 km away is another event; five minutes later it is a drive.
            (vec![shot(9.0, rome), shot(9.1, rome), shot(9.6, ostia)], vec![vec![0, 1], vec![2]]),
            (vec![shot(9.0, rome), shot(9.08, ostia)], vec![vec![0, 1]]),
            // Without a place in between, the last known one counts.
            (vec![shot(9.0, rome), shot(9.1, None), shot(9.6, ostia)], vec![vec![0, 1], vec![2]]),
            // Nor in the photos after: whoever went elsewhere went in the longest pause.
            (
                vec![shot(9.0, rome), shot(9.1, None), shot(9.6, None), shot(9.7, ostia)],
                vec![vec![0, 1], vec![2, 3]],
            ),
            // Without a date: together, after all others.
            (vec![Shot::default(), shot(9.0, rome), Shot::default()], vec![vec![1], vec![0, 2]]),
        ] {
            assert_eq!(grouped(&shots), expected, "{shots:?}");
        }
    }

    #[test]
    fn the_pace_decides_what_is_a_pause() {
        // A photo a minute, two hours of nothing, a photo a minute.
        let party: Vec<Shot> = (0..24)
            .map(|at| shot(18.0 + f64::from(at) / 60.0 + if at >= 12 { 2.0 } else { 0.0 }, None))
            .collect();
        assert_eq!(grouped(&party).len(), 2);
        // The same pause of one who takes a photo an hour is none.
        let hike: Vec<Shot> = [8.0, 9.0, 10.2, 11.0, 13.0, 14.1, 15.0].map(|hour| shot(hour, None)).to_vec();
        assert_eq!(grouped(&hike).len(), 1);
        // One who takes a photo in ten minutes, and three hours later as many again; an hour of nothing is no end of either.
        let afternoon = |pause: f64| -> Vec<Shot> {
            (0..24)
                .map(|at| shot(9.0 + f64::from(at) / 6.0 + if at >= 12 { pause } else { 0.0 }, None))
                .collect()
        };
        assert_eq!(grouped(&afternoon(3.0)).len(), 2);
        assert_eq!(grouped(&afternoon(1.0)).len(), 1);
        // A party over midnight is one.
        let midnight: Vec<Shot> = (0..24).map(|at| shot(20.0 + f64::from(at) / 4.0, None)).collect();
        assert_eq!(grouped(&midnight).len(), 1);
    }

    #[test]
    fn likeness_holds_together_and_finds_a_home() {
        let scene = Some(PerceptualHash(0x0123_4567_89AB_CDEF));
        let mut party: Vec<Shot> = (0..24)
            .map(|at| shot(18.0 + f64::from(at) / 60.0 + if at >= 12 { 1.5 } else { 0.0 }, None))
            .collect();
        party[10].hash = scene;
        assert_eq!(grouped(&party).len(), 2);
        party[13].hash = scene;
        assert_eq!(grouped(&party).len(), 1);
        party.push(Shot { hash: scene, ..Shot::default() });
        assert_eq!(grouped(&party), [(0..25).collect::<Vec<_>>()]);
    }

    #[test]
    fn an_event_knows_its_middle() {
        let found = events(&[shot(9.0, Some((10.0, 179.99))), shot(9.1, Some((10.0, -179.99)))]);
        let place = found[0].place.unwrap();
        assert!(
            (place.longitude.abs() - 180.0).abs() < 0.01 && (place.latitude - 10.0).abs() < 0.01,
            "{place:?}"
        );
        assert_eq!(found[0].begins.map(String::from).as_deref(), Some("2026-07-01T09:00:00"));
    }
}

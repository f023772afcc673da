//! Where photos were taken: the places by name, and which photos stand together on a map at a scale. Numbers and words alone: what
//! draws them is `map`.

use std::collections::HashMap;

use ui_map::LatLon;

use crate::library::Cell;
use crate::words;

/// `Cell::gps` is in parts of a degree: 11 m, which is as near as a marker on a map has to be.
const PARTS: f64 = 10_000.0;

/// Photos this near to each other on the screen stand together, in CSS pixels: a marker is 44 wide.
const REACH_PX: f64 = 56.0;

impl Cell {
    /// Where it was taken, as its file says.
    pub fn spot(&self) -> Option<LatLon> {
        self.gps.map(|gps| gps.map(|part| f64::from(part) / PARTS))
    }
}

/// A place of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `Paris, France`.
    pub name: String,
    /// The ids of the photos taken there, in their order.
    pub photos: Vec<String>,
    /// The small picture of one of them; empty for none.
    pub thumb: String,
}

/// The places of these photos, the one with the most photos first; and how many photos have none.
pub fn places(cells: &[Cell]) -> (Vec<Place>, usize) {
    let (mut places, mut by_name) = (Vec::<Place>::new(), HashMap::<&str, usize>::new());
    let mut without = 0;
    for cell in cells {
        if cell.gps.is_none() {
            without += 1;
            continue;
        }
        let at = *by_name.entry(&cell.place).or_insert_with(|| {
            places.push(Place { name: words::place(&cell.place), ..Place::default() });
            places.len() - 1
        });
        places[at].photos.push(cell.id.clone());
        if places[at].thumb.is_empty() {
            places[at].thumb.clone_from(&cell.thumb);
        }
    }
    order::sort_by(&mut places, |one, other| {
        other.photos.len().cmp(&one.photos.len()).then_with(|| one.name.cmp(&other.name))
    });
    (places, without)
}

/// Photos that were taken at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub at: LatLon,
    /// Where that is on the whole map at zoom 0, in pixels to the right and down.
    pub on_map: [f64; 2],
    /// Which of the photos: their places among them.
    pub photos: Vec<usize>,
}

/// The points at which photos were taken; `project` says where one is on the whole map at zoom 0.
pub fn points(cells: &[Cell], project: impl Fn(LatLon) -> [f64; 2]) -> Vec<Point> {
    let (mut points, mut by_gps) = (Vec::<Point>::new(), HashMap::<[i32; 2], usize>::new());
    for (index, cell) in cells.iter().enumerate() {
        let (Some(gps), Some(at)) = (cell.gps, cell.spot()) else { continue };
        let of = *by_gps.entry(gps).or_insert_with(|| {
            points.push(Point { at, on_map: project(at), photos: Vec::new() });
            points.len() - 1
        });
        points[of].photos.push(index);
    }
    points
}

/// Photos that stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The middle of them, in degrees.
    pub at: LatLon,
    /// The same on the whole map at zoom 0.
    pub on_map: [f64; 2],
    /// Which of the photos, in their order.
    pub photos: Vec<usize>,
}

/// What stands together at this zoom. A point belongs to the nearest group whose first point is within reach, else it begins one: the
/// same points make the same groups, wherever the map is moved.
pub fn clusters(points: &[Point], zoom: f64) -> Vec<Cluster> {
    let reach = REACH_PX / zoom.exp2();
    let (mut groups, mut near) = (Vec::<Vec<&Point>>::new(), HashMap::<[i64; 2], Vec<usize>>::new());
    for point in points {
        let [column, row] = point.on_map.map(|part| (part / reach) as i64);
        let mut nearest = None;
        for around in (-1..=1).flat_map(|by| (-1..=1).map(move |down| [column + by, row + down])) {
            for &group in near.get(&around).into_iter().flatten() {
                let far = distance(groups[group][0].on_map, point.on_map);
                if far <= reach && nearest.is_none_or(|(least, _)| far < least) {
                    nearest = Some((far, group));
                }
            }
        }
        match nearest {
            Some((_, group)) => groups[group].push(point),
            None => {
                near.entry([column, row]).or_default().push(groups.len());
                groups.push(vec![point]);
            }
        }
    }
    groups.iter().map(|group| together(group)).collect()
}

fn distance(one: [f64; 2], other: [f64; 2]) -> f64 {
    let [x, y] = [one[0] - other[0], one[1] - other[1]];
    (x * x + y * y).sqrt()
}

/// A group in the middle of its photos.
fn together(points: &[&Point]) -> Cluster {
    let count: f64 = points.iter().map(|point| point.photos.len() as f64).sum();
    let middle = |of: fn(&Point) -> [f64; 2]| {
        [0, 1].map(|axis| {
            points.iter().map(|point| of(point)[axis] * point.photos.len() as f64).sum::<f64>() / count
        })
    };
    let mut photos: Vec<usize> = points.iter().flat_map(|point| point.photos.iter().copied()).collect();
    order::sort_by_key(&mut photos, |photo| *photo);
    Cluster { at: middle(|point| point.at), on_map: middle(|point| point.on_map), photos }
}

impl Cluster {
    /// Whether its middle is seen on a map of this size, in CSS pixels, that looks at `middle`.
    pub fn is_seen(&self, middle: [f64; 2], zoom: f64, size: [f64; 2]) -> bool {
        [0, 1].iter().all(|&axis| (self.on_map[axis] - middle[axis]).abs() * zoom.exp2() <= size[axis] / 2.0)
    }
}

/// A marker of the map, as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Where it stands.
    pub at: LatLon,
    /// `Paris, France and 2 more places`.
    pub name: String,
    /// The ids of its photos.
    pub photos: Vec<String>,
    /// The small picture of one of them; empty for none.
    pub thumb: String,
}

impl Marker {
    /// The marker of a group of these photos.
    pub fn of(cluster: &Cluster, cells: &[Cell]) -> Self {
        let cells = cluster.photos.iter().filter_map(|at| cells.get(*at));
        let cells: Vec<Cell> = cells.cloned().collect();
        let (places, _) = places(&cells);
        let name = places.first().map(|place| words::and_more_places(&place.name, places.len() - 1));
        Self {
            at: cluster.at,
            name: name.unwrap_or_default(),
            thumb: cells
                .iter()
                .map(|cell| &cell.thumb)
                .find(|thumb| !thumb.is_empty())
                .cloned()
                .unwrap_or_default(),
            photos: cells.into_iter().map(|cell| cell.id).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(id: &str, place: &str, gps: Option<[i32; 2]>) -> Cell {
        Cell { id: id.into(), place: place.into(), thumb: format!("t{id}"), gps, ..Cell::default() }
    }

    /// A map on which a degree is a pixel at zoom 0.
    fn flat([lat, lon]: LatLon) -> [f64; 2] {
        [180.0 + lon, 90.0 - lat]
    }

    const PARIS: [i32; 2] = [488_584, 22_945];
    const ROME: [i32; 2] = [418_902, 124_922];
    const SYDNEY: [i32; 2] = [-338_568, 1_512_153];

    fn album() -> Vec<Cell> {
        vec![
            cell("a", "Paris, France", Some(PARIS)),
            cell("b", "Rome, Italy", Some(ROME)),
            cell("c", "", None),
            cell("d", "Rome, Italy", Some([ROME[0] + 10, ROME[1]])),
            cell("e", "Sydney, Australia", Some(SYDNEY)),
            cell("f", "", Some([0, -300_000])),
        ]
    }

    #[test]
    fn places_are_listed_by_their_photos_and_what_has_none_is_counted() {
        let (places, without) = places(&album());
        let told: Vec<_> =
            places.iter().map(|place| (&*place.name, place.photos.join(""), &*place.thumb)).collect();
        assert_eq!(
            told,
            [
                ("Rome, Italy", "bd".to_owned(), "tb"),
                (words::far(), "f".to_owned(), "tf"),
                ("Paris, France", "a".to_owned(), "ta"),
                ("Sydney, Australia", "e".to_owned(), "te"),
            ]
        );
        assert_eq!(without, 1);
        assert_eq!(super::places(&[]), (Vec::new(), 0));
    }

    /// Which photos stand together, as words.
    fn groups(cells: &[Cell], zoom: f64) -> Vec<String> {
        let points = points(cells, flat);
        let ids = |cluster: Cluster| cluster.photos.iter().map(|at| &*cells[*at].id).collect();
        clusters(&points, zoom).into_iter().map(ids).collect()
    }

    #[test]
    fn what_is_near_on_the_screen_stands_together_and_comes_apart_when_seen_nearer() {
        // Paris and Rome are 12 pixels apart at zoom 0, what is at sea 59 from Paris.
        assert_eq!(groups(&album(), 0.0), ["abd", "e", "f"]);
        assert_eq!(groups(&album(), 3.0), ["a", "bd", "e", "f"]);
        // The two of Rome are a thousandth of a degree apart.
        assert_eq!(groups(&album(), 15.0), ["a", "bd", "e", "f"]);
        assert_eq!(groups(&album(), 16.0), ["a", "b", "d", "e", "f"]);
        assert!(groups(&[], 3.0).is_empty());
    }

    #[test]
    fn every_photo_is_in_one_group_and_groups_begin_out_of_reach_of_each_other() {
        // A lattice with a bend in it, across the edges of what is looked up together.
        let cells: Vec<Cell> = (0..400)
            .map(|at| {
                cell(&at.to_string(), "", Some([(at / 20) * 31_000 - at * 97, (at % 20) * 29_000 + at * 53]))
            })
            .collect();
        let points = points(&cells, flat);
        for zoom in [0.0, 1.0, 2.5, 4.0, 9.0] {
            let found = clusters(&points, zoom);
            let mut seen: Vec<usize> = found.iter().flat_map(|cluster| cluster.photos.clone()).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..400), "zoom {zoom}");
            let reach = REACH_PX / zoom.exp2();
            for cluster in &found {
                // The first photo began it.
                let first = flat(cells[cluster.photos[0]].spot().unwrap());
                for photo in &cluster.photos {
                    assert!(
                        distance(first, flat(cells[*photo].spot().unwrap())) <= reach + 1e-9,
                        "zoom {zoom}"
                    );
                }
                for other in found.iter().filter(|other| *other != cluster) {
                    assert!(
                        distance(first, flat(cells[other.photos[0]].spot().unwrap())) > reach,
                        "zoom {zoom}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_marker_stands_in_the_middle_of_its_photos_and_names_the_most_of_them() {
        let cells = album();
        let all = clusters(&points(&cells, flat), 0.0);
        let marker = Marker::of(&all[0], &cells);
        assert_eq!(
            (&*marker.name, marker.photos.join("")),
            ("Rome, Italy and 1 more place", "abd".to_owned())
        );
        assert_eq!(marker.thumb, "ta");
        let expected = (48.8584 + 41.8902 + 41.8912) / 3.0;
        assert!((marker.at[0] - expected).abs() < 1e-9, "{marker:?}");
        let alone = Marker::of(&all[2], &cells);
        assert_eq!((&*alone.name, alone.at), (words::far(), [0.0, -30.0]));
    }

    #[test]
    fn what_is_beyond_the_edge_is_not_seen() {
        let all = points(&album(), flat);
        let clusters = clusters(&all, 3.0);
        let seen =
            |middle| clusters.iter().filter(|cluster| cluster.is_seen(middle, 3.0, [400.0, 300.0])).count();
        // 400 by 300 pixels are 50 by 37 degrees here.
        assert_eq!(seen(flat([45.0, 8.0])), 2);
        assert_eq!(seen(flat([-33.0, 150.0])), 1);
        assert_eq!(seen(flat([80.0, 170.0])), 0);
    }
}

//! Lines over the globe as a flat map has them: great circles for flights, and what crosses the date line in two pieces. Pure.

use ui_map::LatLon;

/// A step of a great circle, in degrees of its arc.
const STEP: f64 = 2.0;

/// The most points of one.
const MOST: usize = 90;

/// Half of the way around the Earth, in degrees.
const HALF: f64 = 180.0;

/// The shortest way over the globe between two points, as one line, or as two where it crosses the date line.
pub fn arc(from: LatLon, to: LatLon) -> Vec<Vec<LatLon>> {
    let (start, end) = (on_globe(from), on_globe(to));
    let angle = dot(start, end).clamp(-1.0, 1.0).acos();
    // Of two opposite points, and of one and the same, no way is the shortest.
    if angle.sin().abs() < 1e-9 {
        return straight(from, to);
    }
    let steps = ((angle.to_degrees() / STEP).ceil() as usize).clamp(1, MOST);
    let mut points: Vec<LatLon> = (1..steps)
        .map(|step| {
            let part = step as f64 / steps as f64;
            let (one, other) =
                (((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin());
            on_map([0, 1, 2].map(|axis| start[axis] * one + end[axis] * other))
        })
        .collect();
    points.insert(0, from);
    points.push(to);
    pieces(points)
}

/// A straight line of the map between two points, the shorter way round: as two lines where that crosses the date line.
pub fn straight(from: LatLon, to: LatLon) -> Vec<Vec<LatLon>> {
    pieces(vec![from, to])
}

/// Cuts a line where it crosses the date line.
fn pieces(points: Vec<LatLon>) -> Vec<Vec<LatLon>> {
    let (mut lines, mut line) = (Vec::new(), Vec::<LatLon>::new());
    for point in points {
        if let Some(&[lat, lon]) = line.last()
            && (point[1] - lon).abs() > HALF
        {
            // Where it would be if the map went on beyond its edge.
            let edge = HALF.copysign(lon);
            let beyond = point[1] + 2.0 * edge;
            let part = if beyond == lon { 0.0 } else { (edge - lon) / (beyond - lon) };
            let crossing = lat + (point[0] - lat) * part;
            line.push([crossing, edge]);
            lines.push(std::mem::take(&mut line));
            line.push([crossing, -edge]);
        }
        line.push(point);
    }
    lines.push(line);
    lines
}

/// A point of the Earth as a vector of length 1.
fn on_globe([lat, lon]: LatLon) -> [f64; 3] {
    let (lat, lon) = (lat.to_radians(), lon.to_radians());
    [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
}

/// The same back, of a vector of any length.
fn on_map([x, y, z]: [f64; 3]) -> LatLon {
    [z.atan2(x.hypot(y)).to_degrees(), y.atan2(x).to_degrees()]
}

fn dot(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BERLIN: LatLon = [52.36, 13.5];
    const NEW_YORK: LatLon = [40.64, -73.78];
    const TOKYO: LatLon = [35.55, 139.78];
    const SAN_FRANCISCO: LatLon = [37.62, -122.38];

    /// Whether all points of a line lie in the plane of two points and the Earth's middle.
    fn is_great_circle(line: &[LatLon], from: LatLon, to: LatLon) -> bool {
        let ([a, b, c], [d, e, f]) = (on_globe(from), on_globe(to));
        let normal = [b * f - c * e, c * d - a * f, a * e - b * d];
        line.iter().all(|point| dot(normal, on_globe(*point)).abs() < 1e-9)
    }

    #[test]
    fn a_flight_follows_a_great_circle_from_its_start_to_its_end() {
        let arc = arc(BERLIN, NEW_YORK);
        let [line] = arc.as_slice() else { panic!("one line: {arc:?}") };
        assert_eq!((line.first(), line.last()), (Some(&BERLIN), Some(&NEW_YORK)));
        assert!(line.len() > 20 && is_great_circle(line, BERLIN, NEW_YORK));
        // It goes farther north than either of its ends.
        assert!(line.iter().any(|[lat, _]| *lat > 55.0), "{line:?}");
    }

    #[test]
    fn what_crosses_the_date_line_is_cut_there_at_one_height() {
        for (from, to, edge) in [(TOKYO, SAN_FRANCISCO, 180.0), (SAN_FRANCISCO, TOKYO, -180.0)] {
            for lines in [arc(from, to), straight(from, to)] {
                let [one, other] = lines.as_slice() else { panic!("two lines: {lines:?}") };
                let (end, begin) = (one.last().unwrap(), other.first().unwrap());
                assert_eq!((end[1], begin[1]), (edge, -edge));
                assert!((end[0] - begin[0]).abs() < 1e-9);
                let is_short =
                    |line: &[LatLon]| line.windows(2).all(|ends| (ends[0][1] - ends[1][1]).abs() < 180.0);
                assert!(is_short(one) && is_short(other));
                assert_eq!((one.first(), other.last()), (Some(&from), Some(&to)));
            }
        }
        // The Aleutians are in its way, Hawaii is not.
        let north = arc(TOKYO, SAN_FRANCISCO).concat().into_iter().map(|[lat, _]| lat).fold(0.0, f64::max);
        assert!((45.0..55.0).contains(&north), "{north}");
    }

    #[test]
    fn a_point_alone_and_two_opposite_ones_make_a_line_of_numbers() {
        for to in [BERLIN, [-52.36, -166.5]] {
            let lines = arc(BERLIN, to);
            assert!(lines.concat().iter().flatten().all(|part| part.is_finite()), "{lines:?}");
        }
        assert_eq!(straight(BERLIN, NEW_YORK), [vec![BERLIN, NEW_YORK]]);
        // On the date line already.
        let lines = straight([0.0, 180.0], [0.0, -179.0]);
        assert!(lines.concat().iter().flatten().all(|part| part.is_finite()), "{lines:?}");
    }
}

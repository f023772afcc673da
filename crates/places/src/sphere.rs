//! Distances on a sphere. The Earth is none, so they are right to half a percent: coordinates of cities are no better.

use std::f64::consts::{FRAC_PI_2, PI};

/// The mean radius of the Earth in metres (IUGG).
pub(crate) const EARTH_M: f64 = 6_371_008.8;

/// Whether a latitude and a longitude in degrees are on the Earth: -90 to 90 and -180 to 180; NaN is not.
pub(crate) fn is_on_earth(lat: f64, lon: f64) -> bool {
    (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lon)
}

/// The distance of two points in metres, by the haversine formula: it keeps its digits for near points.
pub(crate) fn metres(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (lat, lon) = ((to.0 - from.0).to_radians() / 2.0, (to.1 - from.1).to_radians() / 2.0);
    let across = cosine(from.0.to_radians()) * cosine(to.0.to_radians());
    let half_chord = sine(lat).powi(2) + across * sine(lon).powi(2);
    // Rounding may lead past 1 at the other side of the Earth.
    2.0 * EARTH_M * half_chord.sqrt().min(1.0).asin()
}

/// The great-circle distance of two points, each a latitude (-90 to 90) and a longitude (-180 to 180) in degrees: in kilometres, right
/// to half a percent. `None` where one of them is not on the Earth (NaN, 91°).
#[must_use]
pub fn distance_km(from: (f64, f64), to: (f64, f64)) -> Option<f64> {
    (is_on_earth(from.0, from.1) && is_on_earth(to.0, to.1)).then(|| metres(from, to) / 1_000.0)
}

/// The most degrees of longitude between a point at a latitude and anything within a distance: 180 where a pole is within it.
pub(crate) fn lon_reach(lat: f64, distance_m: f64) -> f64 {
    let angle = distance_m / EARTH_M;
    let reach = sine(angle) / cosine(lat.to_radians());
    if angle + lat.to_radians().abs() >= FRAC_PI_2 || !(-1.0..=1.0).contains(&reach) {
        return 180.0;
    }
    reach.asin().to_degrees()
}

/// The sine of an angle of -π to π, by its series: right to 14 digits. The library's takes angles of any size, which is 8 kB of code, and
/// that would be in what every start of a worker loads where two of its parts reckon with angles (ADR 0054).
fn sine(angle: f64) -> f64 {
    let angle = if angle.abs() > FRAC_PI_2 { PI.copysign(angle) - angle } else { angle };
    let square = angle * angle;
    // Each term of the series by the one before: from the last, 1 - x²/(n (n - 1)) × what follows.
    let series =
        (1..=10).rev().map(|n| f64::from(2 * n * (2 * n + 1))).fold(1.0, |sum, n| 1.0 - square / n * sum);
    angle * series
}

/// The cosine of an angle of -π/2 to π/2.
fn cosine(angle: f64) -> f64 {
    sine(FRAC_PI_2 - angle.abs())
}

#[cfg(test)]
mod tests {
    use super::{PI, cosine, distance_km, metres, sine};

    #[test]
    fn sines_are_those_of_the_library() {
        for step in -1_000..=1_000 {
            let angle = PI * f64::from(step) / 1_000.0;
            assert!((sine(angle) - angle.sin()).abs() < 1e-14, "{angle}: {}", sine(angle));
            let half = angle / 2.0;
            assert!((cosine(half) - half.cos()).abs() < 1e-14, "{half}: {}", cosine(half));
        }
        // Near points keep their digits: a millimetre on the Earth.
        let small = 1.6e-10_f64;
        assert!((sine(small) / small.sin() - 1.0).abs() < 1e-14);
        assert!(sine(f64::NAN).is_nan());
    }

    #[test]
    fn distances_are_those_of_the_world() {
        // Paris to London is 344 km, Fiji's two sides of the date line are 22 km apart, pole to pole is half a circle.
        for (from, to, km) in [
            ((48.8566, 2.3522), (51.5074, -0.1278), 344.0),
            ((-17.0, 179.9), (-17.0, -179.9), 21.3),
            ((90.0, 0.0), (-90.0, 77.0), 20_015.0),
            ((90.0, 0.0), (90.0, 123.0), 0.0),
        ] {
            assert!((metres(from, to) / 1000.0 - km).abs() < 0.5, "{from:?} {to:?}");
            assert!(distance_km(from, to).is_some_and(|said| (said - km).abs() < 0.5), "{from:?} {to:?}");
            assert_eq!(distance_km(from, to), distance_km(to, from));
        }
        // Frankfurt to Sydney by their airports, as the great circle mapper has it: 16,501 km on an ellipsoid.
        let far = distance_km((50.0333, 8.5706), (-33.9461, 151.1772));
        assert!(far.is_some_and(|km| (km - 16_501.0).abs() < 16_501.0 * 0.005), "{far:?}");
        for nowhere in [(f64::NAN, 0.0), (91.0, 0.0), (0.0, -180.1), (0.0, f64::INFINITY)] {
            assert_eq!(distance_km(nowhere, (0.0, 0.0)), None);
            assert_eq!(distance_km((0.0, 0.0), nowhere), None);
        }
    }
}

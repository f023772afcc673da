//! Points on the Earth as the map takes them.

/// Degrees: north, east.
pub type LatLon = [f64; 2];

/// What the map looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The middle of it.
    pub at: LatLon,
    /// How near: with each step everything is twice as large.
    pub zoom: f64,
}

/// South-west and north-east of these points; none where there are none.
#[must_use]
pub fn bounds(points: impl IntoIterator<Item = LatLon>) -> Option<[LatLon; 2]> {
    let mut points = points.into_iter();
    let first = points.next()?;
    Some(points.fold([first, first], |[least, most], point| {
        [[0, 1].map(|axis| least[axis].min(point[axis])), [0, 1].map(|axis| most[axis].max(point[axis]))]
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_everything() {
        let all = [[48.8584, 2.2945], [-33.8568, 151.2153], [0.0, -30.0]];
        assert_eq!(bounds(all), Some([[-33.8568, -30.0], [48.8584, 151.2153]]));
        assert_eq!(bounds([[1.0, 2.0]]), Some([[1.0, 2.0], [1.0, 2.0]]));
        assert_eq!(bounds([]), None);
    }
}

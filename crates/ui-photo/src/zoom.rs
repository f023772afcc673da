//! How large a picture lies in its frame, and where. Pure.

/// As many times as large as it fits, at most.
const MOST: f64 = 8.0;

/// How a picture lies: so many times as large as it fits, and so far from the middle, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// 1 is the whole picture.
    pub times: f64,
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// The width and height of the picture as it fits, and of what it is seen through, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// The picture's.
    pub picture: [f64; 2],
    /// The frame's.
    pub frame: [f64; 2],
}

impl Zoom {
    /// The whole picture.
    pub const WHOLE: Self = Self { times: 1.0, x: 0.0, y: 0.0 };

    /// Whether all of it is seen.
    pub fn is_whole(self) -> bool {
        self.times <= 1.0
    }

    /// Larger or smaller; what is at a point, from the middle of the frame, stays there.
    pub fn by(self, factor: f64, [x, y]: [f64; 2], sizes: Sizes) -> Self {
        let times = (self.times * factor).clamp(1.0, MOST);
        let scale = times / self.times;
        Self { times, x: x - (x - self.x) * scale, y: y - (y - self.y) * scale }.held(sizes)
    }

    /// Moved by so much.
    pub fn moved(self, [x, y]: [f64; 2], sizes: Sizes) -> Self {
        Self { x: self.x + x, y: self.y + y, ..self }.held(sizes)
    }

    /// No further than its edge: a picture that is smaller than the frame lies in the middle.
    fn held(self, Sizes { picture, frame }: Sizes) -> Self {
        let hold = |at: f64, picture: f64, frame: f64| {
            let reach = ((picture * self.times - frame) / 2.0).max(0.0);
            at.clamp(-reach, reach)
        };
        Self { x: hold(self.x, picture[0], frame[0]), y: hold(self.y, picture[1], frame[1]), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_stays_under_the_finger_and_no_edge_is_left() {
        let sizes = Sizes { picture: [400.0, 300.0], frame: [400.0, 300.0] };
        let twice = Zoom::WHOLE.by(2.0, [100.0, 50.0], sizes);
        assert_eq!(twice, Zoom { times: 2.0, x: -100.0, y: -50.0 });
        // The same point again: what was at 100, 50 is there still.
        assert_eq!(twice.by(0.5, [100.0, 50.0], sizes), Zoom::WHOLE);
        assert_eq!(twice.moved([1_000.0, -1_000.0], sizes), Zoom { times: 2.0, x: 200.0, y: -150.0 });
        assert_eq!(Zoom::WHOLE.moved([30.0, 30.0], sizes), Zoom::WHOLE);
        assert!((Zoom::WHOLE.by(100.0, [0.0, 0.0], sizes).times - MOST).abs() < f64::EPSILON);
        assert!(Zoom::WHOLE.by(0.1, [0.0, 0.0], sizes).is_whole());
    }

    #[test]
    fn a_narrow_picture_moves_only_where_it_is_larger_than_its_frame() {
        let sizes = Sizes { picture: [100.0, 300.0], frame: [400.0, 300.0] };
        let twice = Zoom::WHOLE.by(2.0, [40.0, 0.0], sizes);
        assert_eq!(twice, Zoom { times: 2.0, x: 0.0, y: 0.0 });
        assert_eq!(twice.moved([10.0, 10.0], sizes), Zoom { times: 2.0, x: 0.0, y: 10.0 });
    }
}

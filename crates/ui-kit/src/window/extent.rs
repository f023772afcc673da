//! How high a long list is and what stands where in it, from the parts of it that were seen. Pure.

use std::ops::Range;

/// Rows that are put into the page and taken out of it together.
pub const CHUNK: usize = 4;

/// From so many rows the others' heights are learnt. More would move the whole list a little with every look.
const LESSON_ROWS: usize = 64;

/// A measured height may be off by this much before anything is done about it, in CSS pixels.
const TOLERANCE_PX: f64 = 1.0;

/// The heights of a list of rows.
#[derive(Clone, Debug)]
pub struct Extent {
    count: usize,
    /// The height of each chunk, where it was seen.
    chunks: Vec<Option<f64>>,
    estimate: f64,
    seen_px: f64,
    seen_rows: usize,
}

impl Extent {
    /// An empty list whose rows are taken to be so high until some were seen.
    #[must_use]
    pub fn new(estimate: f64) -> Self {
        Self { count: 0, chunks: Vec::new(), estimate, seen_px: 0.0, seen_rows: 0 }
    }

    /// The list has this many rows now. What was seen of the places that remain is kept.
    pub fn resize(&mut self, count: usize) {
        if count == self.count {
            return;
        }
        // The last chunk may have grown or shrunk.
        let partial = self.count.min(count) / CHUNK;
        self.chunks.truncate(partial);
        self.chunks.resize(count.div_ceil(CHUNK), None);
        self.count = count;
    }

    /// How high a row is, on average, as far as is known.
    fn row(&self) -> f64 {
        if self.seen_rows == 0 { self.estimate } else { self.seen_px / self.seen_rows as f64 }
    }

    fn rows_in(&self, chunk: usize) -> usize {
        CHUNK.min(self.count - chunk * CHUNK)
    }

    fn chunk(&self, chunk: usize) -> f64 {
        self.chunks[chunk].unwrap_or_else(|| self.row() * self.rows_in(chunk) as f64)
    }

    /// Where a chunk's first row begins; for rows in the middle of a chunk, where the chunk begins, and the
    /// end for what is beyond it.
    #[must_use]
    pub fn offset(&self, row: usize) -> f64 {
        if row >= self.count {
            return self.total();
        }
        (0..row / CHUNK).map(|chunk| self.chunk(chunk)).sum()
    }

    /// How high all rows are together.
    #[must_use]
    pub fn total(&self) -> f64 {
        (0..self.chunks.len()).map(|chunk| self.chunk(chunk)).sum()
    }

    /// The rows that have to be in the page so that everything between two heights is: whole chunks.
    #[must_use]
    pub fn rows_between(&self, top: f64, bottom: f64) -> Range<usize> {
        let (mut begin, mut from, mut to) = (0.0, None, 0);
        for chunk in 0..self.chunks.len() {
            let end = begin + self.chunk(chunk);
            if end > top && begin < bottom {
                from.get_or_insert(chunk * CHUNK);
                to = chunk * CHUNK + self.rows_in(chunk);
            }
            if begin >= bottom {
                break;
            }
            begin = end;
        }
        from.unwrap_or(to)..to
    }

    /// A chunk was seen to be so high. True when it was thought to be otherwise.
    pub fn measured(&mut self, chunk: usize, height: f64) -> bool {
        if chunk >= self.chunks.len() || !height.is_finite() || height < 0.0 {
            return false;
        }
        let thought = self.chunk(chunk);
        if self.chunks[chunk].is_none() {
            if self.seen_rows < LESSON_ROWS {
                self.seen_px += height;
                self.seen_rows += self.rows_in(chunk);
            }
        } else if (thought - height).abs() <= TOLERANCE_PX {
            return false;
        }
        self.chunks[chunk] = Some(height);
        (thought - height).abs() > TOLERANCE_PX
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Extent};

    fn list(count: usize) -> Extent {
        let mut extent = Extent::new(50.0);
        extent.resize(count);
        extent
    }

    #[test]
    fn the_rows_of_a_viewport_are_whole_chunks_around_it() {
        let extent = list(100);
        let chunk = 50.0 * CHUNK as f64;
        assert_eq!(extent.total(), 5_000.0);
        let rows = [
            (0.0, 10.0, 0..CHUNK),
            (chunk - 1.0, chunk + 1.0, 0..2 * CHUNK),
            (chunk, chunk + 1.0, CHUNK..2 * CHUNK),
            (-500.0, 0.0, 0..0),
            (4_990.0, 9_000.0, 96..100),
            (5_000.0, 9_000.0, 0..0),
            (-100.0, 9_000.0, 0..100),
        ];
        for (top, bottom, expected) in rows {
            assert_eq!(extent.rows_between(top, bottom), expected, "{top} to {bottom}");
        }
        assert_eq!(list(0).rows_between(0.0, 100.0), 0..0);
    }

    #[test]
    fn what_was_seen_moves_what_is_below_it_and_teaches_the_rest() {
        let mut extent = list(100);
        assert!(extent.measured(0, 800.0));
        assert!(!extent.measured(0, 800.4), "half a pixel is nothing");
        // All other rows are now taken to be as high as those that were seen.
        assert_eq!(extent.offset(CHUNK), 800.0);
        assert_eq!(extent.total(), 100.0 * 800.0 / CHUNK as f64);
        assert_eq!(extent.offset(100), extent.total());
        assert!(extent.measured(0, 400.0));
        assert_eq!(extent.offset(CHUNK), 400.0);
        assert!(!extent.measured(1_000, 5.0), "a chunk that is no longer there is nothing");
        assert!(!extent.measured(0, f64::NAN));
    }

    #[test]
    fn a_list_that_grows_keeps_what_was_seen_of_it() {
        let mut extent = list(CHUNK + 1);
        extent.measured(0, 400.0);
        extent.measured(1, 100.0);
        extent.resize(CHUNK + 2);
        assert_eq!(extent.offset(CHUNK), 400.0);
        extent.resize(3);
        assert_eq!(extent.total(), 300.0);
        extent.resize(0);
        assert_eq!((extent.total(), extent.rows_between(0.0, 10.0)), (0.0, 0..0));
    }
}

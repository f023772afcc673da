//! Pixels in memory: what a decoder gives and everything else here reads.

/// A picture of 8-bit sRGB, row by row from the top left, without padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// In pixels; at least 1.
    pub width: usize,
    /// In pixels; at least 1.
    pub height: usize,
    /// `width × height × 3` bytes: red, green, blue.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// A picture of these pixels; nothing where their number is not `width × height × 3`, or a side is 0.
    #[must_use]
    pub fn new(width: usize, height: usize, rgb: Vec<u8>) -> Option<Self> {
        let bytes = width.checked_mul(height)?.checked_mul(3)?;
        (bytes > 0 && rgb.len() == bytes).then_some(Self { width, height, rgb })
    }

    /// A picture of what a canvas gives: four bytes a pixel, the last of which (opacity) is dropped.
    #[must_use]
    pub fn from_rgba(width: usize, height: usize, rgba: &[u8]) -> Option<Self> {
        let bytes = width.checked_mul(height)?.checked_mul(4)?;
        if rgba.len() != bytes {
            return None;
        }
        Self::new(
            width,
            height,
            rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
        )
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, into: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(into, "Picture {{ {} × {} }}", self.width, self.height)
    }
}

//! A text that grows, parsed as it grows: what came before the last two blocks is not looked at again. Pure.

use std::sync::Arc;

use super::{Block, parse};

/// So many blocks at the end may still become something else: a list goes on after a paragraph that turns out to be
/// its next item.
const OPEN: usize = 2;

/// The blocks of a text so far.
#[derive(Debug, Default)]
pub struct Growing {
    text: String,
    /// Where each block begins, and the block. One that did not change stays the same allocation.
    blocks: Vec<(usize, Arc<Block>)>,
}

impl Growing {
    /// The blocks of the text as it is now.
    pub fn update(&mut self, text: &str) -> Vec<Arc<Block>> {
        // The definition of a link anywhere gives its meaning to references everywhere.
        let grows = text.starts_with(&self.text) && !text.contains("]:");
        let kept = if grows { self.blocks.len().saturating_sub(OPEN) } else { 0 };
        let from = if kept == 0 { 0 } else { self.blocks.get(kept).map_or(0, |(begin, _)| *begin) };
        let before = self.blocks.split_off(kept);
        let parsed = text.get(from..).map(parse).unwrap_or_default();
        for (at, (begin, block)) in parsed.into_iter().enumerate() {
            let same = before.get(at).filter(|(_, old)| **old == block);
            let block = same.map_or_else(|| Arc::new(block), |(_, old)| Arc::clone(old));
            self.blocks.push((from + begin, block));
        }
        text.clone_into(&mut self.text);
        self.blocks.iter().map(|(_, block)| Arc::clone(block)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Growing;
    use crate::markdown::{Block, parse};

    fn whole(text: &str) -> Vec<Block> {
        parse(text).into_iter().map(|(_, block)| block).collect()
    }

    #[test]
    fn a_text_that_grows_is_at_every_letter_what_it_would_be_as_a_whole() {
        let texts = [
            "One *two* **three**\n\nfour `five`\n\n# Six\n\nseven\n===\n\neight\n---\n",
            "- a\n- b\n\n  more of b\n\n- c\n\nand then\n\n1. x\n2. y\n\n3. z\n\n   still z\n\n- other\n\n* another\n",
            "Before\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nafter\n\n> quoted\n> more\nlazy\n\n> again\n",
            "```rust\nlet x = 1;\n\nlet y = 2;\n```\n\n    indented\n\n    code\n\ntext\n\n***\n\n- [ ] open\n- [x] done\n",
            "See [it][1] and [that].\n\nLonger.\n\n[1]: https://example.org\n[that]: https://example.com\n\nEnd [that].\n",
            "<div>\nraw *html*\n\n</div>\n\ntext <b>bold</b>\n\n<!-- a\n\nb -->\n\nend\n",
            "a\n\n1\n\n1.\n\n1. b\n\n-\n\n--\n\n---\n\nüñí – 🎒\n\n🎒 **ü**\n",
        ];
        for text in texts {
            let mut growing = Growing::default();
            for (end, letter) in text.char_indices() {
                let so_far = &text[..end + letter.len_utf8()];
                let blocks: Vec<Block> =
                    growing.update(so_far).iter().map(|block| Block::clone(block)).collect();
                assert_eq!(blocks, whole(so_far), "{so_far:?}");
            }
        }
    }

    #[test]
    fn blocks_that_are_done_are_not_made_again() {
        let mut growing = Growing::default();
        let before = growing.update("one\n\ntwo\n\nthree\n\nfo");
        let after = growing.update("one\n\ntwo\n\nthree\n\nfour");
        let same: Vec<bool> = before.iter().zip(&after).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
        assert_eq!(same, [true, true, true, false]);
        assert_eq!(growing.update("another").len(), 1, "another text is read from its beginning");
    }
}

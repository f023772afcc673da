//! Markdown as a screen reader should say it: the words without their signs.

use super::cite::{Piece, cited, pieces};
use crate::i18n;
use ui_kit::markdown::{Block, Inline, Item, Mark, parse};

/// The words of a text, a sentence or more for each of its blocks.
#[must_use]
pub fn spoken(text: &str) -> String {
    let blocks: Vec<Block> = parse(text).into_iter().map(|(_, block)| block).collect();
    let mut sentences = Vec::new();
    say_all(&blocks, &mut sentences);
    sentences.join(" ")
}

fn say_all(blocks: &[Block], into: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Paragraph(line) | Block::Heading(_, line) => into.push(sentence(&words(line))),
            Block::Code { text, .. } => into.push(sentence(text)),
            Block::Quote(blocks) => say_all(blocks, into),
            Block::List { start, items } => {
                for (place, item) in items.iter().enumerate() {
                    say_item(item, start.map(|start| start + place as u64), into);
                }
            }
            Block::Table { head, rows } => {
                for row in std::iter::once(head).chain(rows) {
                    let cells: Vec<String> = row.iter().map(|cell| words(cell)).collect();
                    into.push(sentence(&cells.join(", ")));
                }
            }
            Block::Rule => {}
        }
    }
    into.retain(|sentence| !sentence.is_empty());
}

fn say_item(Item { mark, blocks, .. }: &Item, number: Option<u64>, into: &mut Vec<String>) {
    let mut said = Vec::new();
    say_all(blocks, &mut said);
    let number = number.map(|number| format!("{number}:"));
    let mark = match mark {
        Mark::None => None,
        Mark::Open => Some(i18n::spoken_open().to_owned()),
        Mark::Done => Some(i18n::spoken_done().to_owned()),
    };
    into.push(number.into_iter().chain(mark).chain(said).collect::<Vec<_>>().join(" "));
}

/// With an end, so that a pause follows.
fn sentence(words: &str) -> String {
    let words = words.trim();
    match words.chars().next_back() {
        None => String::new(),
        Some(last) if last.is_alphanumeric() || ")]”\"'".contains(last) => format!("{words}."),
        Some(_) => words.to_owned(),
    }
}

/// A number of a source says nothing to an ear.
fn without_citations(text: &str) -> String {
    let said = |piece| match piece {
        Piece::Words(words) => Some(words),
        Piece::Cite(_) => None,
    };
    pieces(text, &cited(text)).into_iter().filter_map(said).collect()
}

fn words(line: &[Inline]) -> String {
    line.iter().map(word).collect()
}

fn word(inline: &Inline) -> String {
    match inline {
        Inline::Text(text) => without_citations(text),
        Inline::Code(text) => text.clone(),
        Inline::Emphasis(line) | Inline::Strong(line) | Inline::Strike(line) | Inline::Mark(line) => {
            words(line)
        }
        Inline::Link { inlines, .. } => words(inlines),
        Inline::Break => " ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn signs_are_not_said() {
        let rows = [
            ("Added **Buy milk**", "Added Buy milk."),
            ("Two are open[todo_list:c1].", "Two are open."),
            ("Done:\n\n- [x] Milk\n- [ ] Call *mum*", "Done: Done: Milk. Open: Call mum."),
            ("You have 2:\n\n1. Milk\n2. [Eggs](https://a.example)", "You have 2: 1: Milk. 2: Eggs."),
            ("# Plan\n> Slowly. `ok`", "Plan. Slowly. ok."),
            ("| Day | What |\n|---|---|\n| Fri | Bank |", "Day, What. Fri, Bank."),
            ("```\nlet x;\n```\n\n---\n", "let x;"),
            ("", ""),
        ];
        for (text, expected) in rows {
            assert_eq!(spoken(text), expected, "{text}");
        }
    }
}

//! Markdown text to the tree, from `pulldown-cmark`'s events.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::{Block, Inline, Item, Mark};

/// Deeper nesting than this is flattened: a person cannot read it, and a hostile text must not
/// exhaust the stack when the tree is walked.
const MAX_DEPTH: usize = 12;

/// Longer texts are shown as they are: no model writes them, and the page must stay responsive.
const MAX_BYTES: usize = 200_000;

/// Parses a text into its blocks, each with where it begins. Never fails: what is no markdown is a paragraph.
#[must_use]
pub fn parse(text: &str) -> Vec<(usize, Block)> {
    parse_marked(text, &[])
}

/// The same with some places of the text marked, given in bytes, in order.
#[must_use]
pub fn parse_marked(text: &str, marks: &[Range<usize>]) -> Vec<(usize, Block)> {
    if text.len() > MAX_BYTES {
        return vec![(0, Block::Paragraph(vec![Inline::Text(text.to_owned())]))];
    }
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    let mut builder = Builder::default();
    let (mut begins, mut begin) = (Vec::new(), 0);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if builder.open.is_empty() {
            // The parser leaves out the indentation, which may be what makes a block what it is.
            begin = text[..range.start].rfind('\n').map_or(0, |line_end| line_end + 1);
        }
        let is_in_code = matches!(builder.open.last(), Some(Open::Code { .. }));
        let touched = marks.iter().any(|mark| mark.start < range.end && range.start < mark.end);
        match event {
            Event::Text(piece) if touched && !is_in_code => builder.marked(&piece, &range, marks),
            Event::Code(code) if touched => {
                builder.inline(Inline::Mark(vec![Inline::Code(code.into_string())]));
            }
            // By its end: spaces before it count as its own.
            Event::TaskListMarker(is_done) => {
                builder.task(is_done, range.end.saturating_sub("[ ]".len() + begin));
            }
            event => builder.event(event),
        }
        begins.resize(builder.done.len(), begin);
    }
    let blocks = builder.finish();
    begins.resize(blocks.len(), begin);
    begins.into_iter().zip(blocks).collect()
}

/// The address, when it is one a person may be sent to: `http`, `https` or `mailto`, absolute.
/// Browsers ignore white space and control characters in a scheme, so any of them disqualifies it.
#[must_use]
pub fn safe_href(address: &str) -> Option<String> {
    let address = address.trim();
    if address.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return None;
    }
    let (scheme, rest) = address.split_once(':')?;
    let allowed = match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => rest.starts_with("//") && rest.len() > 2,
        "mailto" => !rest.is_empty(),
        _ => false,
    };
    allowed.then(|| address.to_owned())
}

/// A container that is still open.
enum Open {
    Paragraph(Vec<Inline>),
    Heading(u8, Vec<Inline>),
    Code {
        language: String,
        text: String,
    },
    Quote(Vec<Block>),
    List {
        start: Option<u64>,
        items: Vec<Item>,
    },
    Item {
        mark: Mark,
        at: usize,
        blocks: Vec<Block>,
        line: Vec<Inline>,
    },
    Table {
        head: Vec<Vec<Inline>>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Row(Vec<Vec<Inline>>),
    Cell(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    Strike(Vec<Inline>),
    Link {
        href: Option<String>,
        inlines: Vec<Inline>,
    },
    /// Something with no shape of its own here: what is inside goes to what is around it.
    Through {
        blocks: Vec<Block>,
        inlines: Vec<Inline>,
    },
}

#[derive(Default)]
struct Builder {
    done: Vec<Block>,
    open: Vec<Open>,
}

impl Builder {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => self.inline(Inline::Code(text.into_string())),
            // Raw HTML is what the writer typed, so it is shown as that.
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => self.block(Block::Rule),
            // Its place is known where it is read.
            Event::TaskListMarker(_) => {}
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text);
            }
        }
    }

    /// The box of the item that is open.
    fn task(&mut self, is_done: bool, place: usize) {
        let is_item = |open: &&mut Open| matches!(open, Open::Item { .. });
        if let Some(Open::Item { mark, at, .. }) = self.open.iter_mut().rev().find(is_item) {
            (*mark, *at) = (if is_done { Mark::Done } else { Mark::Open }, place);
        }
    }

    /// A text of which some is marked. Where the source says it in other characters (an entity), all of it is.
    fn marked(&mut self, text: &str, range: &Range<usize>, marks: &[Range<usize>]) {
        if text.len() != range.len() {
            return self.inline(Inline::Mark(vec![Inline::Text(text.to_owned())]));
        }
        let mut at = 0;
        for mark in marks {
            let start = mark.start.saturating_sub(range.start).clamp(at, text.len());
            let end = mark.end.saturating_sub(range.start).clamp(start, text.len());
            // A place that is in the middle of a letter is no place of this text.
            let (Some(before), Some(piece)) = (text.get(at..start), text.get(start..end)) else { continue };
            if piece.is_empty() {
                continue;
            }
            if !before.is_empty() {
                self.text(before);
            }
            self.inline(Inline::Mark(vec![Inline::Text(piece.to_owned())]));
            at = end;
        }
        if let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            self.text(rest);
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let open = match tag {
            _ if self.open.len() >= MAX_DEPTH => Open::Through { blocks: vec![], inlines: vec![] },
            Tag::Paragraph => Open::Paragraph(vec![]),
            Tag::Heading { level, .. } => Open::Heading(level as u8, vec![]),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split_whitespace().next().unwrap_or_default().chars().take(24).collect()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                Open::Code { language, text: String::new() }
            }
            Tag::BlockQuote(_) => Open::Quote(vec![]),
            Tag::List(start) => Open::List { start, items: vec![] },
            Tag::Item => Open::Item { mark: Mark::None, at: 0, blocks: vec![], line: vec![] },
            Tag::Table(_) => Open::Table { head: vec![], rows: vec![] },
            Tag::TableHead | Tag::TableRow => Open::Row(vec![]),
            Tag::TableCell => Open::Cell(vec![]),
            Tag::Emphasis => Open::Emphasis(vec![]),
            Tag::Strong => Open::Strong(vec![]),
            Tag::Strikethrough => Open::Strike(vec![]),
            Tag::Link { dest_url, .. } => Open::Link { href: safe_href(&dest_url), inlines: vec![] },
            Tag::HtmlBlock => Open::Paragraph(vec![]),
            // An image would be a request to wherever the model says; its description stays.
            Tag::Image { .. }
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => Open::Through { blocks: vec![], inlines: vec![] },
        };
        self.open.push(open);
    }

    fn end(&mut self) {
        let Some(open) = self.open.pop() else { return };
        match open {
            Open::Paragraph(inlines) => self.block(Block::Paragraph(trimmed(inlines))),
            Open::Heading(level, inlines) => self.block(Block::Heading(level, inlines)),
            Open::Code { language, text } => {
                self.block(Block::Code { language, text: text.trim_end_matches('\n').to_owned() });
            }
            Open::Quote(blocks) => self.block(Block::Quote(blocks)),
            Open::List { start, items } => self.block(Block::List { start, items }),
            Open::Item { mark, at, mut blocks, line } => {
                flush(&mut blocks, line);
                match self.open.last_mut() {
                    Some(Open::List { items, .. }) => items.push(Item { mark, at, blocks }),
                    _ => blocks.into_iter().for_each(|block| self.block(block)),
                }
            }
            Open::Table { head, rows } => self.block(Block::Table { head, rows }),
            Open::Row(cells) => {
                if let Some(Open::Table { head, rows }) = self.open.last_mut() {
                    if head.is_empty() { *head = cells } else { rows.push(cells) }
                } else {
                    cells.into_iter().flatten().for_each(|inline| self.inline(inline));
                }
            }
            Open::Cell(inlines) => {
                if let Some(Open::Row(cells)) = self.open.last_mut() {
                    cells.push(inlines);
                } else {
                    inlines.into_iter().for_each(|inline| self.inline(inline));
                }
            }
            Open::Emphasis(inlines) => self.inline(Inline::Emphasis(inlines)),
            Open::Strong(inlines) => self.inline(Inline::Strong(inlines)),
            Open::Strike(inlines) => self.inline(Inline::Strike(inlines)),
            Open::Link { href: Some(href), inlines } => self.inline(Inline::Link { href, inlines }),
            Open::Link { href: None, inlines } => {
                inlines.into_iter().for_each(|inline| self.inline(inline));
            }
            Open::Through { mut blocks, inlines } => {
                if blocks.is_empty() {
                    inlines.into_iter().for_each(|inline| self.inline(inline));
                } else {
                    flush(&mut blocks, inlines);
                    blocks.into_iter().for_each(|block| self.block(block));
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(Open::Code { text: code, .. }) = self.open.last_mut() {
            code.push_str(text);
        } else {
            self.inline(Inline::Text(text.to_owned()));
        }
    }

    fn inline(&mut self, inline: Inline) {
        match self.open.last_mut() {
            Some(
                Open::Paragraph(inlines)
                | Open::Heading(_, inlines)
                | Open::Cell(inlines)
                | Open::Emphasis(inlines)
                | Open::Strong(inlines)
                | Open::Strike(inlines)
                | Open::Link { inlines, .. }
                | Open::Through { inlines, .. },
            ) => join(inlines, inline),
            Some(Open::Item { line, .. }) => join(line, inline),
            Some(Open::Code { text, .. }) => text.push_str(&plain(&[inline])),
            Some(Open::Quote(blocks)) => blocks.push(Block::Paragraph(vec![inline])),
            Some(Open::List { items, .. }) => {
                items.push(Item { mark: Mark::None, at: 0, blocks: vec![Block::Paragraph(vec![inline])] });
            }
            Some(Open::Row(cells)) => cells.push(vec![inline]),
            Some(Open::Table { .. }) | None => self.done.push(Block::Paragraph(vec![inline])),
        }
    }

    fn block(&mut self, block: Block) {
        match self.open.last_mut() {
            Some(Open::Quote(blocks) | Open::Through { blocks, .. }) => blocks.push(block),
            Some(Open::Item { blocks, line, .. }) => {
                flush(blocks, std::mem::take(line));
                blocks.push(block);
            }
            Some(Open::List { items, .. }) => {
                items.push(Item { mark: Mark::None, at: 0, blocks: vec![block] })
            }
            // A block inside a line cannot happen in well-formed events; its words are kept.
            Some(_) => self.inline(Inline::Text(plain_block(&block))),
            None => self.done.push(block),
        }
    }

    fn finish(mut self) -> Vec<Block> {
        while !self.open.is_empty() {
            self.end();
        }
        self.done
    }
}

/// Puts a tight item's line before what follows it.
fn flush(blocks: &mut Vec<Block>, line: Vec<Inline>) {
    if !line.is_empty() {
        blocks.push(Block::Paragraph(line));
    }
}

/// Adds a piece, joining neighbouring text so that a growing answer keeps its nodes.
fn join(inlines: &mut Vec<Inline>, inline: Inline) {
    match (inlines.last_mut(), inline) {
        (Some(Inline::Text(before)), Inline::Text(more)) => before.push_str(&more),
        (_, inline) => inlines.push(inline),
    }
}

/// Without the line end that an HTML block leaves behind.
fn trimmed(mut inlines: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Text(text)) = inlines.last_mut() {
        text.truncate(text.trim_end_matches('\n').len());
    }
    inlines
}

/// The words of a line.
fn plain(inlines: &[Inline]) -> String {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Text(text) | Inline::Code(text) => text.clone(),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) | Inline::Mark(inner) => {
                plain(inner)
            }
            Inline::Link { inlines, .. } => plain(inlines),
            Inline::Break => "\n".to_owned(),
        })
        .collect()
}

/// The words of a block.
pub(super) fn plain_block(block: &Block) -> String {
    let all = |blocks: &[Block]| blocks.iter().map(plain_block).collect::<Vec<_>>().join(" ");
    match block {
        Block::Paragraph(inlines) | Block::Heading(_, inlines) => plain(inlines),
        Block::Code { text, .. } => text.clone(),
        Block::Quote(blocks) => all(blocks),
        Block::List { items, .. } => items.iter().map(|item| all(&item.blocks)).collect::<Vec<_>>().join(" "),
        Block::Table { head, rows } => {
            head.iter().chain(rows.iter().flatten()).map(|cell| plain(cell)).collect::<Vec<_>>().join(" ")
        }
        Block::Rule => String::new(),
    }
}

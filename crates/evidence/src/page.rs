//! The answer as a page: sentences, and inside them what is quoted, set off, linked or cited.
//!
//! Not a whole reader of markdown: what does not matter to a claim is left as text. Each pass looks at a sign
//! a bounded number of times, so that a hostile answer costs no more than a long one.

use std::ops::Range;

use super::citations::citation;

/// A part of the answer with a form of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// With its marks.
    pub(super) outer: Range<usize>,
    /// Without them.
    pub(super) inner: Range<usize>,
    pub(super) form: Form,
}

/// How a part is set off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Quote,
    Strong,
    Code,
    /// A web or mail address.
    Address,
    Citation,
}

/// What a sentence stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Paragraph,
    Item,
    Heading,
    Row,
    /// A line that is quoted as a block.
    Quoted,
    /// A line of a code block.
    Code,
}

/// A sentence, a row or a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) range: Range<usize>,
    pub(super) place: Place,
    /// Which block it is in, counted from 0.
    pub(super) block: usize,
}

/// The answer in parts, in order.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) sentences: Vec<Sentence>,
    pub(super) spans: Vec<Span>,
}

/// The longest quote that is looked for.
const LONGEST_QUOTE: usize = 4_000;

/// Where a sentence without an end is ended: nobody writes such, and nothing is to be slow because of it.
const LONGEST_SENTENCE: usize = 2_000;

/// Reads an answer.
pub(super) fn page(answer: &str) -> Page {
    let mut page = Page::default();
    let mut block = 0;
    for (range, place) in blocks(answer) {
        if place == Place::Code {
            page.sentences.push(Sentence { range, place, block });
            block += 1;
            continue;
        }
        let first = page.spans.len();
        inline(answer, range.clone(), &mut page.spans);
        match place {
            Place::Row | Place::Heading if range.len() <= LONGEST_SENTENCE => {
                page.sentences.push(Sentence { range, place, block })
            }
            _ => {
                let spans = &page.spans[first..];
                page.sentences.extend(sentences(answer, range, spans).into_iter().map(|range| Sentence {
                    range,
                    place,
                    block,
                }));
            }
        }
        block += 1;
    }
    page
}

/// The blocks of the answer: paragraphs whole, everything else by the line.
fn blocks(answer: &str) -> Vec<(Range<usize>, Place)> {
    let mut blocks: Vec<(Range<usize>, Place)> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut broken = true;
    let mut start = 0;
    for line in answer.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let text = line.trim();
        let marks = ["```", "~~~"].into_iter().find(|marks| text.starts_with(marks));
        match (fence, marks) {
            (Some(open), Some(close)) if open == close => fence = None,
            (Some(_), _) => blocks.push((trimmed(answer, range), Place::Code)),
            (None, Some(open)) => fence = Some(open),
            (None, None) => {
                let (inner, place) = line_of(answer, trimmed(answer, range));
                let last = blocks.last_mut().filter(|_| !broken);
                match last {
                    Some((before, Place::Paragraph)) if place == Place::Paragraph && !inner.is_empty() => {
                        before.end = inner.end;
                    }
                    _ if !inner.is_empty() => blocks.push((inner.clone(), place)),
                    _ => {}
                }
                broken = inner.is_empty();
                continue;
            }
        }
        broken = true;
    }
    blocks
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..(start + part.trim().len())
}

/// A line without the marks of what it is.
fn line_of(text: &str, line: Range<usize>) -> (Range<usize>, Place) {
    let part = &text[line.clone()];
    let after = |prefix: usize, place: Place| (trimmed(text, line.start + prefix..line.end), place);
    let hashes = part.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes) && part[hashes..].starts_with(' ') {
        return after(hashes, Place::Heading);
    }
    if part.starts_with('>') {
        let (inner, _) = after(1, Place::Quoted);
        return (inner, Place::Quoted);
    }
    if part.starts_with('|') || part.matches('|').count() > 1 {
        let rule = part.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        return if rule { (line.end..line.end, Place::Row) } else { (line.clone(), Place::Row) };
    }
    let digits = part.bytes().take_while(u8::is_ascii_digit).count();
    let marker = if (1..=3).contains(&digits) && part[digits..].starts_with([')', '.']) {
        digits + 1
    } else {
        part.chars()
            .next()
            .filter(|c| matches!(c, '-' | '*' | '+' | '•' | '–' | '‣'))
            .map_or(0, char::len_utf8)
    };
    if marker == 0 || !part[marker..].starts_with([' ', '\t']) {
        // A line that is bold as a whole is a heading to who reads it.
        let bold = part.trim_end_matches(':').strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
        let heading = bold.is_some_and(|inner| !inner.contains("**"));
        return (line.clone(), if heading { Place::Heading } else { Place::Paragraph });
    }
    let rest = part[marker..].trim_start();
    let checkbox = ["[ ] ", "[x] ", "[X] "].into_iter().find(|boxed| rest.starts_with(boxed));
    after(part.len() - rest.len() + checkbox.map_or(0, str::len), Place::Item)
}

/// Where the next closing sign is: looked up once, however many signs open before it.
#[derive(Default)]
struct Closers(Vec<(&'static str, usize)>);

impl Closers {
    fn next(&mut self, text: &str, from: usize, end: usize, close: &'static str) -> Option<usize> {
        let known = self.0.iter().position(|(sign, _)| *sign == close);
        let place = match known {
            Some(at) if self.0[at].1 >= from => self.0[at].1,
            _ => {
                let place = text[from..end].find(close).map_or(usize::MAX, |at| from + at);
                match known {
                    Some(at) => self.0[at].1 = place,
                    None => self.0.push((close, place)),
                }
                place
            }
        };
        (place < end && place - from <= LONGEST_QUOTE).then_some(place)
    }
}

/// The signs that open a quote, and those that close it.
fn closing(open: char) -> &'static [&'static str] {
    match open {
        '“' => &["”"],
        '„' => &["“", "”"],
        '«' => &["»"],
        '»' => &["«"],
        '‹' => &["›"],
        '「' => &["」"],
        '"' => &["\""],
        '‘' => &["’"],
        '‚' => &["‘"],
        '\'' => &["'"],
        _ => &[],
    }
}

/// Finds the spans of a block.
fn inline(text: &str, range: Range<usize>, spans: &mut Vec<Span>) {
    let mut closers = Closers::default();
    let mut at = range.start;
    let mut before = ' ';
    let mut quoted_until = at;
    let mut strong_until = at;
    while at < range.end {
        let Some(c) = text[at..range.end].chars().next() else { break };
        let next = at + c.len_utf8();
        let mut skip_to = next;
        match c {
            '`' => {
                let open = if text[at..].starts_with("``") { "``" } else { "`" };
                let inside = at + open.len();
                let inside = inside.min(range.end);
                let end = closers.next(text, inside, range.end, open);
                if let Some(end) = end.filter(|end| !text[inside..*end].trim().is_empty()) {
                    skip_to = end + open.len();
                    spans.push(Span {
                        outer: at..skip_to,
                        inner: trimmed(text, inside..end),
                        form: Form::Code,
                    });
                }
            }
            '[' | '【' => {
                if let Some(end) = citation(text, at, range.end) {
                    skip_to = end;
                    spans.push(Span {
                        outer: at..end,
                        inner: next..end - closing_len(c),
                        form: Form::Citation,
                    });
                }
            }
            'h' | 'w' if !before.is_alphanumeric() && is_address(&text[at..range.end]) => {
                skip_to = address_end(text, at, range.end);
                spans.push(Span { outer: at..skip_to, inner: at..skip_to, form: Form::Address });
            }
            '@' if before.is_ascii_alphanumeric() => {
                let mail = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
                let local = text[range.start..at].chars().rev().take(64).take_while(|c| mail(*c)).count();
                let domain = text[next..range.end].chars().take(255).take_while(|c| mail(*c)).count();
                let (start, end) = (at - local, next + domain);
                let end = end - text[next..end].chars().rev().take_while(|c| *c == '.').count();
                if text[next..end].contains('.') {
                    spans.push(Span { outer: start..end, inner: start..end, form: Form::Address });
                    skip_to = end;
                }
            }
            '*' if at >= strong_until => {
                let open = if text[at..].starts_with("**") { "**" } else { "*" };
                let inside = (at + open.len()).min(range.end);
                let opens =
                    !before.is_alphanumeric() && text[inside..].starts_with(|c: char| !c.is_whitespace());
                if let Some(end) =
                    closers.next(text, inside, range.end, open).filter(|end| opens && *end > inside)
                {
                    strong_until = end + open.len();
                    spans.push(Span { outer: at..strong_until, inner: inside..end, form: Form::Strong });
                    skip_to = inside;
                }
            }
            _ if at >= quoted_until && !before.is_alphanumeric() => {
                let ends = closing(c).iter().filter_map(|close| {
                    closers.next(text, next, range.end, close).map(|end| (end, end + close.len()))
                });
                let end = ends.min().filter(|(end, after)| {
                    let single = matches!(c, '\'' | '‘' | '‚');
                    let follows = text[*after..].chars().next();
                    let joined = single && follows.is_some_and(char::is_alphanumeric);
                    !joined && !text[next..*end].trim().is_empty()
                });
                if let Some((end, after)) = end {
                    quoted_until = after;
                    skip_to = after;
                    spans.push(Span { outer: at..after, inner: next..end, form: Form::Quote });
                }
            }
            _ => {}
        }
        before = text[at..skip_to].chars().next_back().unwrap_or(c);
        at = skip_to;
    }
}

fn closing_len(open: char) -> usize {
    if open == '[' { 1 } else { '】'.len_utf8() }
}

fn is_address(rest: &str) -> bool {
    ["https://", "http://", "www."].into_iter().any(|start| rest.starts_with(start))
}

/// Where a web address ends: before the punctuation of its sentence.
fn address_end(text: &str, at: usize, end: usize) -> usize {
    let stops = |c: char| {
        c.is_whitespace() || matches!(c, ')' | ']' | '>' | '<' | '"' | '”' | '“' | '»' | '`' | '|' | '*')
    };
    let length = text[at..end].find(stops).unwrap_or(end - at);
    at + text[at..at + length].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’']).len()
}

/// Words with a dot that ends no sentence.
const ABBREVIATIONS: [&str; 28] = [
    "dr", "mr", "mrs", "ms", "prof", "st", "no", "nr", "vs", "approx", "ca", "inc", "co", "jr", "sr", "bzw",
    "usw", "hr", "fr", "ext", "kl", "godz", "sra", "dra", "núm", "tel", "ул", "стр",
];

/// The sentences of a block. A citation after the full stop belongs to the sentence before it.
fn sentences(text: &str, block: Range<usize>, spans: &[Span]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = block.start;
    let mut at = block.start;
    let mut span = 0;
    while at < block.end {
        while span < spans.len() && (spans[span].outer.end <= at || spans[span].form == Form::Strong) {
            span += 1;
        }
        let within = spans.get(span).filter(|span| span.outer.start <= at);
        if let Some(within) = within {
            let inner = text[within.inner.clone()].trim_end();
            at = within.outer.end;
            // A quote may bring the end of its sentence with it.
            let ended = within.form == Form::Quote && inner.ends_with(['.', '!', '?', '…']);
            if !(ended && begins_anew(text, at, block.end)) {
                continue;
            }
        } else {
            let Some(c) = text[at..block.end].chars().next() else { break };
            let word_end = at;
            at += c.len_utf8();
            let endless = at - start > LONGEST_SENTENCE && c.is_whitespace();
            let ends = matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？');
            if !ends && !endless && at - start < 2 * LONGEST_SENTENCE {
                continue;
            }
            if !ends {
                found.push(trimmed(text, start..at));
                start = at;
                continue;
            }
            let closers = text[at..block.end]
                .chars()
                .take_while(|c| matches!(c, ')' | '*' | '_' | '"' | '”' | '»' | '」' | '』' | '）'));
            let after = at + closers.map(char::len_utf8).sum::<usize>();
            // In scripts without spaces nothing stands between two sentences.
            let ends_itself = matches!(c, '。' | '！' | '？');
            if !(ends_itself || begins_anew(text, after, block.end))
                || (c == '.' && goes_on(text, start, word_end, after))
            {
                continue;
            }
            at = after;
        }
        at = past_citations(text, at, block.end, &spans[span.min(spans.len())..]);
        found.push(trimmed(text, start..at));
        start = at;
    }
    found.push(trimmed(text, start..block.end));
    found.retain(|range| !range.is_empty());
    found
}

/// Whether what follows can begin a sentence.
fn begins_anew(text: &str, at: usize, end: usize) -> bool {
    let rest = &text[at..end];
    rest.is_empty()
        || (rest.starts_with(char::is_whitespace)
            && rest.trim_start().starts_with(|c: char| !c.is_lowercase() && !matches!(c, ',' | ';' | ')')))
}

/// Whether a full stop belongs to an abbreviation or to an ordinal before a month.
fn goes_on(text: &str, start: usize, stop: usize, after: usize) -> bool {
    let said = &text[start..stop];
    let word_start = said
        .char_indices()
        .rev()
        .take(24)
        .take_while(|(_, c)| c.is_alphanumeric())
        .last()
        .map_or(said.len(), |(at, _)| at);
    let word = said[word_start..].to_lowercase();
    let mut chars = word.chars();
    let single = matches!((chars.next(), chars.next()), (Some(c), None) if c.is_alphabetic());
    if single || ABBREVIATIONS.contains(&word.as_str()) {
        return true;
    }
    let next = text[after..].trim_start();
    let next = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let short_month = word.chars().count() < 6 && dates::languages::month(&word).is_some();
    if short_month && next.starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    word.bytes().all(|b| b.is_ascii_digit())
        && word.len() < 3
        && !word.is_empty()
        && dates::languages::month(&next.to_lowercase()).is_some()
}

fn past_citations(text: &str, mut at: usize, end: usize, spans: &[Span]) -> usize {
    for span in spans.iter().filter(|span| span.form == Form::Citation) {
        if span.outer.start < at {
            continue;
        }
        let between = &text[at..span.outer.start];
        if span.outer.end > end || !between.chars().all(|c| c.is_whitespace() || matches!(c, ',' | '(' | ')'))
        {
            break;
        }
        at = span.outer.end;
        if text[at..end].starts_with('.') {
            at += 1;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        let rows: [(&str, &[&str]); 6] = [
            ("Dr. Okafor is in. Come at 9:15.", &["Dr. Okafor is in.", "Come at 9:15."]),
            ("Am 5. Dezember. Ja.", &["Am 5. Dezember.", "Ja."]),
            ("She wrote “No. Never.” [call_2] It ends.", &["She wrote “No. Never.” [call_2]", "It ends."]),
            ("Done. [a:call_1] Next?", &["Done. [a:call_1]", "Next?"]),
            ("- one\n- [x] two\n\n| a | b |\n|---|---|\n", &["one", "two", "| a | b |"]),
            ("It costs 4.2 EUR (see www.a.example). ok", &["It costs 4.2 EUR (see www.a.example). ok"]),
        ];
        for (text, expected) in rows {
            let page = page(text);
            let found: Vec<&str> =
                page.sentences.iter().map(|sentence| &text[sentence.range.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn quotes_titles_and_addresses_are_found() {
        let text = "**Milk** and „Brot“, `a.rs`, \"x y\", me@example.com; it's https://a.example/b. See [t](http://c.example).";
        let found: Vec<(Form, &str)> =
            page(text).spans.iter().map(|span| (span.form, &text[span.inner.clone()])).collect();
        let expected = [
            (Form::Strong, "Milk"),
            (Form::Quote, "Brot"),
            (Form::Code, "a.rs"),
            (Form::Quote, "x y"),
            (Form::Address, "me@example.com"),
            (Form::Address, "https://a.example/b"),
            (Form::Address, "http://c.example"),
        ];
        assert_eq!(found, expected);
    }
}

//! An answer sentence by sentence: what it cites, what it claims, and whether it claims anything at all.

mod quantities;

use std::ops::Range;

use super::citations::{Referent, referents};
use super::figures;
use super::fold;
use super::ground::{Found, Ground, Named};
use super::languages;
use super::lex::{Figure, Lexeme, Token, lex};
use super::moments::{When, moments};
use super::names;
use super::page::{Form, Page, Place, Sentence, Span, page};
use super::phrases;
use super::vocabulary::{self, Unit};
use super::whens;
use super::{Citation, Claim, ClaimKind, MOST_CLAIMS, Report, Verdict};

/// A sentence, and what bears on the claims in it.
pub(super) struct Said<'a> {
    /// Its words without citations, folded, without plural.
    pub(super) stemmed: String,
    /// Its words without citations and quotes, folded.
    pub(super) folded: String,
    /// The calls it cites.
    pub(super) cited: &'a [usize],
    /// It states nothing: advice, an offer, a question.
    pub(super) soft: bool,
    /// It says that something is not.
    pub(super) negated: bool,
    /// It puts two things beside each other.
    pub(super) compares: bool,
    /// It speaks of today.
    pub(super) names_today: bool,
    /// It stands in an answer that makes a plan.
    pub(super) plans: bool,
    /// It stands in an answer whose language is not read.
    pub(super) unread: bool,
    /// The records it names, by their source.
    pub(super) records: Vec<(usize, u32)>,
    /// The groups of records it names, by their source and their list.
    pub(super) groups: Vec<(usize, usize, usize)>,
}

/// What an answer is as a whole.
#[derive(Clone, Copy, Debug)]
struct Tone {
    /// It is in German, where every noun has a capital.
    german: bool,
    /// It makes a plan.
    plans: bool,
    /// It is in a language of which only numbers, dates and quotes are read.
    unread: bool,
}

/// Reads an answer and looks its claims up.
pub(super) fn read(answer: &str, ground: &Ground<'_>) -> Report {
    let page = page(answer);
    let mut report = Report::default();
    let cited = citations(answer, &page, ground, &mut report);
    let folded = fold::fold(answer);
    let set_off = page.spans.iter().filter(|span| span.form != Form::Strong).map(|span| span.outer.clone());
    let unread = languages::is_unread(&fold::fold(&outside(answer, &(0..answer.len()), set_off)));
    let tone = Tone { german: phrases::is_german(&folded), plans: phrases::is_plan(&folded), unread };
    let around = around(&page.sentences);
    let mut of_block = vec![Vec::new(); page.sentences.last().map_or(0, |last| last.block + 1)];
    for (sentence, calls) in page.sentences.iter().zip(&cited) {
        of_block[sentence.block].extend(calls);
    }
    for (at, sentence) in page.sentences.iter().enumerate() {
        if report.claims.len() > MOST_CLAIMS {
            report.cut = true;
            break;
        }
        match sentence.place {
            Place::Code | Place::Quoted => {
                quoted_line(answer, &page, (&cited, &of_block, &around), at, ground, &mut report)
            }
            Place::Paragraph | Place::Item | Place::Heading | Place::Row => {
                let mut reader = Reader::new((answer, tone), &page, (&cited, around[at]), at, ground);
                reader.read();
                reader.excuse_other_calls();
                report.claims.append(&mut reader.claims);
            }
        }
    }
    report
}

/// The citations, and which calls each sentence cites. A citation of a call that does not exist is a claim.
fn citations(answer: &str, page: &Page, ground: &Ground<'_>, report: &mut Report) -> Vec<Vec<usize>> {
    let mut cited = vec![Vec::new(); page.sentences.len()];
    for span in page.spans.iter().filter(|span| span.form == Form::Citation) {
        let found = referents(&answer[span.inner.clone()], ground.sources);
        if found.iter().all(|referent| *referent == Referent::Other) {
            continue;
        }
        let calls: Vec<usize> = found
            .iter()
            .filter_map(|referent| match referent {
                Referent::Call(at) => Some(*at),
                Referent::Missing(_) | Referent::Other => None,
            })
            .collect();
        let missing = found.iter().any(|referent| matches!(referent, Referent::Missing(_)));
        let call_ids: Vec<String> = calls.iter().map(|at| ground.sources[*at].call_id.clone()).collect();
        let verdict = if missing {
            Verdict::Unsupported { elsewhere: None }
        } else {
            Verdict::Supported { call_id: call_ids.first().cloned() }
        };
        report.claims.push(Claim { range: span.outer.clone(), kind: ClaimKind::Citation, verdict });
        report.citations.push(Citation { range: span.outer.clone(), call_ids });
        let at = page.sentences.partition_point(|sentence| sentence.range.end < span.outer.end);
        if let Some(of_sentence) = cited.get_mut(at) {
            of_sentence.extend(calls);
            order::sort(of_sentence);
            of_sentence.dedup();
        }
    }
    cited
}

/// What stands around a sentence.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// The items of a list that follows its block, and the rows of a table.
    items: usize,
    rows: usize,
    /// The nearest sentences that do not stand in the same place: for a quoted line, the text beside it.
    before: Option<usize>,
    after: Option<usize>,
}

/// What stands around each sentence, in one pass each way.
fn around(sentences: &[Sentence]) -> Vec<Around> {
    let mut all = vec![Around::default(); sentences.len()];
    for at in 1..sentences.len() {
        let same = sentences[at - 1].place == sentences[at].place;
        all[at].before = if same { all[at - 1].before } else { Some(at - 1) };
    }
    // The items and rows of the run that begins at the sentence after this one.
    let (mut items, mut rows) = (0, 0);
    for at in (0..sentences.len().saturating_sub(1)).rev() {
        let next = &sentences[at + 1];
        let other_block = sentences[at].block != next.block;
        all[at].after = if sentences[at].place == next.place { all[at + 1].after } else { Some(at + 1) };
        if !other_block {
            (all[at].items, all[at].rows) = (all[at + 1].items, all[at + 1].rows);
            continue;
        }
        items = if next.place == Place::Item { items + 1 } else { 0 };
        rows = if next.place == Place::Row { rows + 1 } else { 0 };
        (all[at].items, all[at].rows) = (items, rows);
    }
    all
}

/// A line of a quoted block or of code: a quote when the text beside it cites a call, else nobody knows whose
/// it is.
fn quoted_line(
    answer: &str,
    page: &Page,
    (cited, of_block, around): (&[Vec<usize>], &[Vec<usize>], &[Around]),
    at: usize,
    ground: &Ground<'_>,
    report: &mut Report,
) {
    let sentence = &page.sentences[at];
    let Around { before, after, .. } = around[at];
    let mut calls = cited[at].clone();
    for neighbour in [before, after].into_iter().flatten() {
        calls.extend(&of_block[page.sentences[neighbour].block]);
    }
    let text = answer[sentence.range.clone()].trim();
    if calls.is_empty() || text.is_empty() {
        return;
    }
    let said = Said {
        stemmed: String::new(),
        folded: String::new(),
        cited: &calls,
        soft: false,
        negated: false,
        compares: false,
        names_today: false,
        plans: false,
        unread: false,
        records: Vec::new(),
        groups: Vec::new(),
    };
    let found = if sentence.place == Place::Code {
        ground.exact(text)
    } else {
        let spans = page.spans.iter().filter(|span| span.outer.start >= sentence.range.start);
        let first = spans.into_iter().find(|span| span.form == Form::Citation);
        let end = first.map_or(sentence.range.end, |span| span.outer.start.min(sentence.range.end));
        names::quote(ground, &answer[sentence.range.start..end])
    };
    let verdict = ground.verdict(&said, found);
    report.claims.push(Claim { range: sentence.range.clone(), kind: ClaimKind::Quote, verdict });
}

/// Reads one sentence.
struct Reader<'a, 'g> {
    answer: &'a str,
    sentence: &'a Sentence,
    spans: Vec<&'a Span>,
    ground: &'a Ground<'g>,
    said: Said<'a>,
    /// How many things the answer shows beside the sentence: items, rows, titles.
    listed: Vec<usize>,
    header: bool,
    /// Capitals mean nothing: the answer is in German, or in a language that is not read.
    capitals: bool,
    /// The days that the sentence names.
    days: Vec<When>,
    claims: Vec<Claim>,
}

impl<'a, 'g> Reader<'a, 'g> {
    fn new(
        (answer, tone): (&'a str, Tone),
        page: &'a Page,
        (cited, around): (&'a [Vec<usize>], Around),
        at: usize,
        ground: &'a Ground<'g>,
    ) -> Self {
        let sentence = &page.sentences[at];
        let range = &sentence.range;
        let first = page.spans.partition_point(|span| span.outer.start < range.start);
        let spans: Vec<&Span> = page.spans[first..]
            .iter()
            .take_while(|span| span.outer.start < range.end)
            .filter(|span| span.outer.end <= range.end)
            .collect();
        let without = |forms: &[Form]| {
            let gone = spans.iter().filter(|span| forms.contains(&span.form)).map(|span| span.outer.clone());
            outside(answer, range, gone)
        };
        let plain = without(&[Form::Citation, Form::Quote, Form::Code, Form::Address]);
        let folded = fold::fold(&plain);
        let stemmed = fold::stems(&fold::fold(&without(&[Form::Citation])));
        let question = plain
            .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | ')'))
            .ends_with(['?', '？', '؟']);
        let Named { records, groups } = ground.named_in(&stemmed);
        let general = sentence.place == Place::Paragraph
            && cited[at].is_empty()
            && records.is_empty()
            && is_general(ground, &folded, &stemmed);
        // Where advice and offers cannot be told from statements, a sentence that cites nothing and names nothing of the
        // results states nothing.
        let unknown =
            tone.unread && ((cited[at].is_empty() && records.is_empty()) || languages::is_soft(&folded));
        let soft = question || phrases::is_soft(&folded) || general || unknown;
        let said = Said {
            negated: phrases::is_negated(&folded) || (tone.unread && languages::is_negated(&folded)),
            // Where "before" and "after" are not read, a sentence of two parts may be of two things.
            compares: (tone.unread && plain.contains([',', ';', '，', '、', '；', '،']))
                || phrases::compares(
                    &folded.replace(" day after tomorrow ", " ").replace(" day before yesterday ", " "),
                ),
            names_today: [" today ", " now ", " tonight ", " heute ", " jetzt "]
                .iter()
                .any(|cue| folded.contains(cue)),
            cited: &cited[at],
            soft,
            records,
            groups,
            plans: tone.plans,
            unread: tone.unread,
            stemmed,
            folded,
        };
        let marked =
            spans.iter().filter(|span| matches!(span.form, Form::Quote | Form::Strong | Form::Code)).count();
        let header = sentence.place == Place::Row && (at == 0 || page.sentences[at - 1].place != Place::Row);
        let listed = vec![around.items, around.rows.saturating_sub(1), marked, said.records.len()];
        let capitals = tone.german || tone.unread;
        let (days, claims) = (Vec::new(), Vec::new());
        Self { answer, sentence, spans, ground, said, listed, header, capitals, days, claims }
    }

    fn claim(&mut self, range: Range<usize>, kind: ClaimKind, found: Found) {
        let verdict = self.ground.verdict(&self.said, found);
        self.claims.push(Claim { range, kind, verdict });
    }

    fn read(&mut self) {
        self.done_by_a_failed_call();
        let mut masks: Vec<Range<usize>> = Vec::new();
        let spans = self.spans.clone();
        for (at, span) in spans.iter().enumerate() {
            // Spans come by their beginning: what holds another is followed by it.
            let nested = spans.get(at + 1).is_some_and(|next| next.outer.end <= span.inner.end);
            let inside = masks.last().is_some_and(|mask| mask.end > span.outer.start);
            if !inside && self.set_off(span, nested) {
                masks.push(span.outer.clone());
            }
        }
        let mut tokens = Vec::new();
        let mut from = self.sentence.range.start;
        for mask in masks.iter().chain([&(self.sentence.range.end..self.sentence.range.end)]) {
            if mask.start > from {
                tokens.append(&mut lex(&self.answer[from..mask.start], from));
            }
            from = from.max(mask.end);
        }
        let mut used = vec![false; tokens.len()];
        self.moments(&tokens, &mut used);
        self.numbers(&tokens, &mut used);
        if self.sentence.place != Place::Heading && !self.header {
            for (range, found) in names::in_sentence(self.ground, &tokens, &used, self.capitals) {
                self.claim(range, ClaimKind::Name, found);
            }
        }
    }

    /// A sentence that cites one call of the two it rests on is not wrong, as long as it says something of
    /// that one.
    fn excuse_other_calls(&mut self) {
        let cited = |verdict: &Verdict| match verdict {
            Verdict::Supported { call_id: Some(id) } => {
                self.said.cited.iter().any(|at| self.ground.sources[*at].call_id == *id)
            }
            _ => false,
        };
        if self.claims.iter().any(|claim| cited(&claim.verdict)) {
            for claim in &mut self.claims {
                if let Verdict::Unsupported { elsewhere: Some(id) } = &mut claim.verdict {
                    claim.verdict = Verdict::Supported { call_id: Some(std::mem::take(id)) };
                }
            }
        }
    }

    /// A sentence that says something was done, and cites nothing but calls that failed.
    fn done_by_a_failed_call(&mut self) {
        let failed = |at: &usize| self.ground.sources[*at].failed;
        if self.said.cited.is_empty()
            || !self.said.cited.iter().all(failed)
            || self.said.negated
            || self.said.soft
            || !phrases::claims_done(&self.said.folded)
        {
            return;
        }
        if let Some(span) = self.spans.iter().find(|span| span.form == Form::Citation) {
            let verdict = Verdict::Unsupported { elsewhere: None };
            self.claims.push(Claim { range: span.outer.clone(), kind: ClaimKind::Citation, verdict });
        }
    }

    /// Judges a quote, a title, code or an address. True when the words inside are not looked at any more.
    fn set_off(&mut self, span: &Span, nested: bool) -> bool {
        let text = &self.answer[span.inner.clone()];
        match span.form {
            Form::Citation => true,
            Form::Address => {
                self.claim(span.outer.clone(), ClaimKind::Quote, self.ground.exact(text));
                true
            }
            Form::Quote => {
                let found = names::quoted(self.ground, &self.said, text);
                self.claim(span.inner.clone(), ClaimKind::Quote, found);
                true
            }
            Form::Code => {
                let found = names::code(self.ground, &self.said, text);
                self.claim(span.inner.clone(), ClaimKind::Quote, found);
                true
            }
            Form::Strong => {
                let label = text.trim_end().ends_with(':') || self.answer[span.outer.end..].starts_with(':');
                if nested {
                    return false;
                }
                match names::title(self.ground, &self.said, text, label) {
                    Some(found) => {
                        self.claim(span.inner.clone(), ClaimKind::Name, found);
                        true
                    }
                    None => false,
                }
            }
        }
    }

    fn moments(&mut self, tokens: &[Token<'_>], used: &mut [bool]) {
        let found = moments(tokens);
        let count = |kind: ClaimKind| found.iter().filter(|moment| whens::kind(&moment.kind) == kind).count();
        // `15.30` is a time too, where the sources have it.
        let dotted = tokens.iter().filter(|token| {
            matches!(token.kind, Lexeme::Number(figure) if figure.decimals == 2 && figure.value < 24.6)
        });
        let (days, times) = (count(ClaimKind::Date), count(ClaimKind::Time) + dotted.count());
        for moment in &found {
            used[moment.tokens.clone()].fill(true);
            let kind = whens::kind(&moment.kind);
            let lone = if kind == ClaimKind::Date { days == 1 } else { times == 1 };
            let mut verdict = whens::look_up(self.ground, &self.said, &moment.kind, lone);
            if kind == ClaimKind::Date {
                self.days.push(moment.kind.clone());
            } else if verdict == Found::Nowhere && tokens[moment.tokens.start].text.contains(['h', 'H']) {
                // `2h30` may be a length of time.
                verdict = self.length_of(&moment.kind);
            }
            let range = tokens[moment.tokens.start].start..tokens[moment.tokens.end - 1].end;
            // Today is where everybody is; it is no claim.
            if moment.kind != When::Relative(0) {
                self.claim(range, kind, verdict);
            }
        }
        for token in tokens.iter().filter(|token| matches!(token.kind, Lexeme::Word)) {
            self.days.extend(whens::month_alone(&token.text.to_lowercase()));
        }
    }

    /// A time of the day read as a length of time.
    fn length_of(&self, when: &When) -> Found {
        let When::Time { minute, .. } = *when else { return Found::Nowhere };
        let minutes = Figure::plain(f64::from(minute));
        figures::look_up(self.ground, &self.said, minutes, Some(Unit::Seconds(60.0)), false, false)
    }
}

/// Whether a sentence has nothing to do with the sources or with who asks: general knowledge.
fn is_general(ground: &Ground<'_>, folded: &str, stemmed: &str) -> bool {
    let personal = [
        " you ", " your ", " yours ", " i ", " ive ", " my ", " we ", " our ", " she ", " he ", " her ",
        " his ", " they ", " du ", " dein ", " deine ", " deinen ", " dir ", " ich ", " ihr ", " ihre ",
        " sie ", " er ", " wir ", " todo ", " to ", " task ", " open ",
    ];
    !personal.iter().any(|word| folded.contains(word))
        && !stemmed.split_whitespace().any(|word| {
            let telling = !phrases::is_common(word) && word.chars().any(char::is_alphabetic);
            telling
                && vocabulary::unit(word).is_none()
                && vocabulary::spelled(word).is_none()
                && ground.has_word(word)
        })
}

/// The text of a range without some parts of it.
fn outside(text: &str, range: &Range<usize>, parts: impl Iterator<Item = Range<usize>>) -> String {
    let mut out = String::with_capacity(range.len());
    let mut from = range.start;
    for part in parts {
        if part.start > from {
            out.push_str(&text[from..part.start]);
        }
        out.push(' ');
        from = from.max(part.end);
    }
    out.push_str(text.get(from..range.end).unwrap_or_default());
    out
}

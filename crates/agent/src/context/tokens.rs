//! How many tokens a text is, without the model's own tokenizer (D-12): characters by kind, each with a rate, and the rates
//! learn from what the provider counted.

use std::ops::Deref;
use std::sync::Arc;

use protocol::{Image, Message, ToolSpec};
use serde::{Deserialize, Deserializer, Serialize};

/// The kinds of characters that tokenizers treat alike.
const KINDS: usize = 8;

/// The pixels of a picture that are about a token (28 × 28).
const SQUARE: u64 = 784;

/// A text's characters by kind, and its messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u32>", into = "Vec<u32>")]
pub struct Measure([u32; KINDS]);

/// Kinds that came later are not in what was saved before.
impl From<Vec<u32>> for Measure {
    fn from(counts: Vec<u32>) -> Self {
        Self(padded(&counts, [0; KINDS]))
    }
}

/// What has no pictures is saved as it was before there were any.
impl From<Measure> for Vec<u32> {
    fn from(Measure(counts): Measure) -> Self {
        let without_images = counts[Kind::Image as usize] == 0;
        counts[..KINDS - usize::from(without_images)].to_vec()
    }
}

fn padded(known: &[u32], mut all: [u32; KINDS]) -> [u32; KINDS] {
    all.iter_mut().zip(known).for_each(|(one, known)| *one = *known);
    all
}

/// The rates as they were saved, by a version that knew of fewer kinds perhaps.
fn rates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u32; KINDS], D::Error> {
    Vec::deserialize(deserializer).map(|known: Vec<u32>| padded(&known, Estimator::default().rates))
}

/// The places in a [`Measure`].
#[derive(Clone, Copy)]
enum Kind {
    /// `a` to `z`, either case: words of several letters are one token.
    Latin,
    /// Letters with marks, and of other alphabets that write words.
    Letter,
    /// Letters that are words or syllables: Chinese, Japanese, Korean, Thai.
    Wide,
    /// Digits come in threes.
    Digit,
    /// Marks: the skeleton of JSON and code.
    Sign,
    /// Line ends and indents; the one space between words belongs to the word.
    Space,
    /// What each message costs beside its text.
    Message,
    /// Of a picture, the squares that models see it in.
    Image,
}

impl Measure {
    /// The characters of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut measure = Self::default();
        // Each request is measured whole, and most of what is in one is ASCII: that is counted by a table.
        if text.is_ascii() {
            measure.add_ascii(text.as_bytes());
            return measure;
        }
        let mut before = ' ';
        for symbol in text.chars() {
            measure.add(kind_of(symbol, before));
            before = symbol;
        }
        measure
    }

    /// A tool as it is offered.
    #[must_use]
    pub fn of_tool(tool: &ToolSpec) -> Self {
        Self::of(&tool.name) + Self::of(&tool.description) + Self::of(&tool.input_schema.to_string())
    }

    /// A picture: providers count it by its size, in squares of about this many pixels.
    fn of_image(image: &Image) -> Self {
        let squares = u64::from(image.width).saturating_mul(u64::from(image.height)).div_ceil(SQUARE);
        let mut measure = Self::default();
        measure.0[Kind::Image as usize] = u32::try_from(squares).unwrap_or(u32::MAX);
        measure
    }

    /// One message.
    #[must_use]
    pub fn of_message(message: &Message) -> Self {
        let mut measure = match message {
            Message::System { content } => Self::of(content),
            Message::User { content, images } => {
                images.iter().fold(Self::of(content), |sum, image| sum + Self::of_image(image))
            }
            Message::Assistant { content, tool_calls, .. } => {
                tool_calls.iter().fold(Self::of(content), |sum, call| {
                    sum + Self::of(&call.name) + Self::of(&call.arguments.to_string())
                })
            }
            Message::Tool { content, .. } => Self::of(content),
        };
        measure.add(Kind::Message);
        measure
    }

    /// What is in this one beyond another; none where it has less of anything.
    fn beyond(&self, other: &Self) -> Option<Self> {
        let mut more = *self;
        for (count, less) in more.0.iter_mut().zip(other.0) {
            *count = count.checked_sub(less)?;
        }
        Some(more)
    }

    /// The characters of an ASCII text, each in the lane of its kind; a lane holds what a chunk can bring.
    fn add_ascii(&mut self, text: &[u8]) {
        let mut is_after_space = 1;
        for chunk in text.chunks(usize::from(u8::MAX)) {
            let mut lanes = 0;
            for byte in chunk {
                lanes += LANES[is_after_space][usize::from(*byte & 0x7f)];
                is_after_space = usize::from(*byte == b' ') | usize::from(*byte == b'\n');
            }
            for (count, more) in self.0.iter_mut().zip(lanes.to_le_bytes()) {
                *count = count.saturating_add(u32::from(more));
            }
        }
    }

    fn add(&mut self, kind: Kind) {
        let count = &mut self.0[kind as usize];
        *count = count.saturating_add(1);
    }
}

impl std::ops::Add for Measure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut sum = self;
        for (count, more) in sum.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
        sum
    }
}

/// A one in the lane of its kind, for each ASCII character after another one and after a space.
const LANES: [[u64; 128]; 2] = {
    let mut lanes = [[0; 128]; 2];
    let mut byte = 0;
    while byte < 128 {
        lanes[0][byte as usize] = 1 << (8 * kind_of_ascii(byte, false) as u32);
        lanes[1][byte as usize] = 1 << (8 * kind_of_ascii(byte, true) as u32);
        byte += 1;
    }
    lanes
};

const fn kind_of_ascii(byte: u8, is_after_space: bool) -> Kind {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => Kind::Latin,
        b'0'..=b'9' => Kind::Digit,
        b' ' if !is_after_space => Kind::Latin,
        b' ' | b'\t'..=b'\r' => Kind::Space,
        _ => Kind::Sign,
    }
}

/// A tool as a conversation holds it: shared with every request, and measured once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasuredTool {
    pub(crate) spec: Arc<ToolSpec>,
    pub(crate) size: Measure,
}

impl From<ToolSpec> for MeasuredTool {
    fn from(spec: ToolSpec) -> Self {
        Self { size: Measure::of_tool(&spec), spec: Arc::new(spec) }
    }
}

impl Deref for MeasuredTool {
    type Target = ToolSpec;

    fn deref(&self) -> &ToolSpec {
        &self.spec
    }
}

fn is_space(symbol: char) -> bool {
    matches!(symbol, ' ' | '\n')
}

fn kind_of(symbol: char, before: char) -> Kind {
    match symbol {
        '\0'..='\x7f' => kind_of_ascii(symbol as u8, is_space(before)),
        symbol if symbol.is_whitespace() => Kind::Space,
        '\u{0e00}'..='\u{0eff}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{1f000}'.. => Kind::Wide,
        symbol if symbol.is_alphabetic() => Kind::Letter,
        _ => Kind::Sign,
    }
}

/// Tokens per character of each kind. They start as what common tokenizers do, and learn. What a request has in common with
/// the last one that was counted is not guessed again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimator {
    /// In millionths, so that they are the same after they were saved.
    #[serde(deserialize_with = "rates")]
    rates: [u32; KINDS],
    /// The last request that was counted, and its count.
    #[serde(default)]
    last: Option<(Measure, u64)>,
}

impl Default for Estimator {
    fn default() -> Self {
        Self {
            rates: [220_000, 330_000, 800_000, 400_000, 450_000, 300_000, 5_000_000, 1_000_000],
            last: None,
        }
    }
}

/// How much of what was wrong is learnt at once. Less than all of it, because a request is never made of one kind alone.
const PACE: f64 = 0.9;

/// The furthest a rate goes from where it began, as a factor.
const FAR: f64 = 6.0;

impl Estimator {
    /// How many tokens that is, about.
    #[must_use]
    pub fn tokens(&self, measure: &Measure) -> u64 {
        let more = self.last.and_then(|(last, counted)| Some((measure.beyond(&last)?, counted)));
        match more {
            Some((more, counted)) => counted.saturating_add(self.sum(&more).round() as u64),
            None => self.sum(measure).round() as u64,
        }
    }

    /// What the provider counted for a request of this measure. A count of nothing teaches nothing.
    pub fn observe(&mut self, sent: &Measure, counted: u64) {
        let sum = self.sum(sent);
        if counted == 0 || sum <= 0.0 {
            return;
        }
        // What no tokenizer can make of such a text is no count, and nothing to learn from.
        if !(sum / FAR..=sum * FAR).contains(&(counted as f64)) {
            return;
        }
        // A server that cut what did not fit counts what it kept: more was sent than before, and it says that it was not.
        if self
            .last
            .is_some_and(|(last, before)| *sent != last && sent.beyond(&last).is_some() && counted <= before)
        {
            return;
        }
        self.last = Some((*sent, counted));
        // Each kind is corrected by its share of the whole, so that what makes up most of it learns most.
        let wrong = counted as f64 - sum;
        let shares: Vec<f64> = self.parts(sent).collect();
        let norm: f64 = shares.iter().map(|share| share * share).sum();
        if norm <= 0.0 {
            return;
        }
        let first = Self::default().rates;
        for ((rate, share), first) in self.rates.iter_mut().zip(&shares).zip(first) {
            let factor = 1.0 + PACE * wrong * share / norm;
            let first = f64::from(first);
            *rate = (f64::from(*rate) * factor).clamp(first / FAR, first * FAR).round() as u32;
        }
    }

    fn sum(&self, measure: &Measure) -> f64 {
        self.parts(measure).sum()
    }

    /// The tokens of each kind.
    fn parts(&self, measure: &Measure) -> impl Iterator<Item = f64> {
        let counts = measure.0;
        self.rates.into_iter().zip(counts).map(|(rate, count)| f64::from(rate) * f64::from(count) / 1e6)
    }
}

//! Chance from a seed, and what it finds to put into a body.

use serde_json::{Value, json};

/// Chance from a seed (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 where nothing is.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A part of a body.
pub fn somewhere(random: &mut Random, body: Value) -> Value {
    let mut here = body;
    for _ in 0..random.below(5) {
        here = match here {
            Value::Object(fields) if !fields.is_empty() => {
                let place = random.below(fields.len());
                fields.into_iter().nth(place).map(|(_, field)| field).unwrap_or_default()
            }
            Value::Array(mut items) if !items.is_empty() => items.swap_remove(random.below(items.len())),
            other => return other,
        };
    }
    here
}

/// What may stand anywhere in a body.
pub fn leaf(random: &mut Random) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => json!(random.one_in(2)),
        2 => json!(random.next()),
        3 => json!(random.next() as i64),
        4 => json!(f64::from_bits(random.next())),
        5 => json!(12345),
        6 => json!([]),
        7 => json!({}),
        8 => json!(1.5),
        _ => word(random).into(),
    }
}

/// Words that mean something to the server, and some that mean nothing.
pub const WORDS: [&str; 48] = [
    "",
    "id",
    "jsonrpc",
    "2.0",
    "method",
    "params",
    "_meta",
    "name",
    "arguments",
    "cursor",
    "uri",
    "result",
    "error",
    "taskId",
    "inputResponses",
    "requestState",
    "notifications",
    "resourceSubscriptions",
    "progressToken",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "2026-07-28",
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2027-01-01",
    "v999",
    "tools/call",
    "tools/list",
    "initialize",
    "ping",
    "tasks/get",
    "tasks/cancel",
    "subscriptions/listen",
    "echo",
    "wait",
    "delete",
    "two",
    "note://a",
    "=?base64?ZWNobw==?=",
    "=?base64?!?=",
    "application/json",
    "text/event-stream",
    "*/*",
    "null",
    "\u{feff}\u{202e}é\u{1f600}",
    "\u{0}\u{1f}\"\\",
];

/// A word that means something to the server, or nothing to anybody.
pub fn word(random: &mut Random) -> String {
    match random.below(8) {
        0 => "x".repeat(random.below(3_000)),
        1 => char::from_u32(random.below(0x11_0000) as u32).map(String::from).unwrap_or_default(),
        _ => (*random.pick(&WORDS)).to_owned(),
    }
}

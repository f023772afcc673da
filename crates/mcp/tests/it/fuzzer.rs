//! Exchanges that nobody would write by hand: valid ones of both protocol versions, bent a little or a lot, in sequences that use
//! the sessions, states, tasks and questions of earlier answers. Whatever comes in, what goes out keeps the rules.
//!
//! The same seed makes the same exchanges. `cargo run --release -p satchel-mcp --example fuzz` runs millions of them.

use std::collections::{BTreeMap, VecDeque};

use mcp::{Body, Events, Headers, HttpIn, HttpOut, Notification};
use serde_json::{Value, json};

use crate::chance::{Random, leaf, somewhere, word};
use crate::corpus::{Sample, corpus};
use crate::world::{Heard, TASKS, World, able, call_with, get};

/// An exchange takes fewer looks, once nothing keeps the tools waiting.
const MOST_LOOKS: usize = 30;

/// So many messages of one stream are read in a row.
const MOST_MESSAGES: usize = 30;

/// So many streams are open at the same time.
const MOST_STREAMS: usize = 12;

/// The states, tasks and questions that are remembered.
const MOST_REMEMBERED: usize = 24;

const STATUSES: [u16; 10] = [200, 202, 204, 400, 403, 404, 405, 406, 413, 415];

/// The codes that an answer may have (-32002 in the older protocol versions only).
const CODES: [i64; 9] = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -32002];

/// The last few of something.
#[derive(Default)]
struct Remembered(VecDeque<String>);

impl Remembered {
    fn add(&mut self, one: &str, most: usize) {
        if self.0.len() >= most {
            self.0.pop_front();
        }
        self.0.push_back(one.to_owned());
    }

    fn any(&self, random: &mut Random) -> Option<&str> {
        self.0.get(random.below(self.0.len())).map(String::as_str)
    }
}

/// A stream that is open.
struct Open {
    events: Events,
    is_modern: bool,
    is_listening: bool,
    has_begun: bool,
    is_answered: bool,
}

/// Prints what was sent when a check fails.
struct Sent<'a>(u64, &'a HttpIn);

impl Drop for Sent<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (Self(run, HttpIn { method, headers, body }), mut shown) = (self, String::new());
            for (name, value) in headers.iter() {
                shown.push_str(&format!("{name}: {value:?}\n"));
            }
            let body = String::from_utf8_lossy(&body[..body.len().min(4_000)]);
            eprintln!("run {run}: {method}\n{shown}\n{body}");
        }
    }
}

/// A server, and who sends it anything at all.
pub struct Fuzzer {
    pub world: World,
    random: Random,
    corpus: Vec<Sample>,
    sessions: Remembered,
    states: Remembered,
    tasks: Remembered,
    asked: Remembered,
    streams: VecDeque<Open>,
    runs: u64,
    /// How often each status, with the error's code or 0, was the answer.
    pub seen: BTreeMap<(u16, i64), u64>,
}

impl Fuzzer {
    pub fn new(seed: u64) -> Self {
        Self {
            world: World::new(),
            random: Random::new(seed),
            corpus: corpus(),
            sessions: Remembered::default(),
            states: Remembered::default(),
            tasks: Remembered::default(),
            asked: Remembered::default(),
            streams: VecDeque::new(),
            runs: 0,
            seen: BTreeMap::new(),
        }
    }

    /// Another process over the same place.
    pub fn restart(&mut self) {
        self.streams.clear();
        let world = std::mem::replace(&mut self.world, World::new());
        self.world = world.restart();
    }

    /// Lets everything end that can: what is left after it is left for good.
    pub fn settle(&mut self) {
        self.streams.clear();
        for _ in 0..3 {
            self.world.desk.open();
            self.world.run();
        }
        self.world.runtime.pass(2 * 60 * 60 * 1_000);
        let meta = able(json!({"extensions": {TASKS: {}}}));
        self.world.send(call_with("no_job", meta, json!({})));
        for name in self.world.runtime.kept("mcp-session-") {
            let id = name.strip_prefix("mcp-session-").unwrap_or_default();
            assert_eq!(self.world.send(get(id).by("DELETE")).status, 204);
        }
        self.world.run();
        self.forget();
        for known in [&mut self.sessions, &mut self.states, &mut self.tasks, &mut self.asked] {
            *known = Remembered::default();
        }
    }

    fn forget(&self) {
        self.world.desk.runs.take();
        self.world.desk.done.take();
        self.world.desk.caller.take();
    }

    /// One exchange, and whatever else happens meanwhile.
    pub fn run(&mut self) {
        self.runs += 1;
        self.happen();
        let (request, is_whole) = self.request();
        let sent = Sent(self.runs, &request);
        let sent_body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let mut exchange = self.world.start(request.clone());
        let mut looks = 0;
        let out = loop {
            if let Some(out) = self.world.look(&mut exchange) {
                break out;
            }
            looks += 1;
            assert!(looks < MOST_LOOKS, "no answer after {looks} looks");
            if looks == 3 {
                if self.random.one_in(8) {
                    // The client goes away.
                    return;
                }
                self.world.desk.open();
            }
        };
        self.answered(&request, &sent_body, out, is_whole);
        self.read_some();
        drop(sent);
        self.forget();
    }

    fn happen(&mut self) {
        self.world.runtime.pass(self.random.below(4_000) as i64);
        match self.random.below(60) {
            0 | 1 => self.world.desk.open(),
            2 => self.world.server.publish(&Notification::Tools),
            3 => self.world.server.publish(&Notification::Prompts),
            4 => self.world.server.publish(&Notification::Resources),
            5 => self.world.server.publish(&Notification::Anything),
            6 => {
                self.world.server.publish(&Notification::Updated(vec!["note://a".into(), "note://b".into()]))
            }
            7 if self.random.one_in(20) => self.world.server.end_streams(),
            _ => {}
        }
        self.world.run();
    }

    fn answered(&mut self, request: &HttpIn, sent: &Value, out: HttpOut, is_whole: bool) {
        let HttpOut { status, headers, body } = out;
        assert!(STATUSES.contains(&status), "HTTP {status}");
        // What the body says decides, then the header; a notification that is well-formed is neither here.
        let is_posted = request.method == "POST";
        let is_modern =
            is_posted && sent.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion").is_some();
        if let Some(session) = headers.get("mcp-session-id") {
            assert!(session.bytes().all(|byte| byte.is_ascii_graphic()), "{session:?}");
            assert!(!is_modern, "a session in the modern era");
            self.sessions.add(session, 70);
        }
        let mut code = 0;
        match body {
            Body::Empty => {
                assert!(matches!(status, 202 | 204), "HTTP {status} without a body");
                assert_eq!(headers.get("content-type"), None);
            }
            Body::Full(bytes) => {
                assert_eq!(headers.get("content-type"), Some("application/json"));
                let body: Value = serde_json::from_slice(&bytes).expect("JSON");
                assert!(!is_whole || status != 415, "{body}");
                match body {
                    Value::Array(items) => {
                        assert!(status == 200 && sent.is_array() && !items.is_empty());
                        for item in &items {
                            self.answer(item, false);
                        }
                    }
                    item => {
                        code = self.answer(&item, is_modern);
                        let expected: &[u16] = match code {
                            0 => &[200],
                            -32700 | -32022 | -32021 | -32020 => &[400],
                            -32601 if is_modern => &[404],
                            -32602 => &[200, 400, 406],
                            -32601 | -32603 | -32002 => &[200],
                            _ => &STATUSES,
                        };
                        assert!(expected.contains(&status), "{code} with HTTP {status}");
                        let id = sent.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64());
                        if item.get("id").is_some() || status == 200 {
                            assert_eq!(item.get("id"), id, "{item}");
                        }
                        if status >= 400 {
                            assert!(code != 0, "{item}");
                        }
                    }
                }
            }
            Body::Events(events) => {
                assert_eq!((status, headers.get("content-type")), (200, Some("text/event-stream")));
                let is_listening = is_posted && sent["method"] == "subscriptions/listen";
                let is_modern = is_modern || is_listening;
                let open =
                    Open { events, is_modern, is_listening, has_begun: !is_listening, is_answered: false };
                if self.streams.len() >= MOST_STREAMS {
                    self.streams.pop_front();
                }
                self.streams.push_back(open);
            }
        }
        *self.seen.entry((status, code)).or_default() += 1;
    }

    /// Checks a response, and remembers what can be used again. Its error code, or 0.
    fn answer(&mut self, item: &Value, is_modern: bool) -> i64 {
        assert_eq!(item["jsonrpc"], "2.0", "{item}");
        assert!(item["error"].is_object() != item["result"].is_object(), "{item}");
        assert_ne!(item.get("id"), Some(&Value::Null), "{item}");
        if item["error"].is_object() {
            let code = item["error"]["code"].as_i64().expect("a code");
            assert!(CODES.contains(&code) && !(is_modern && code == -32002), "{item}");
            assert!(item["error"]["message"].is_string(), "{item}");
            if code == -32021 {
                assert!(item["error"]["data"]["requiredCapabilities"].is_object(), "{item}");
            }
            return code;
        }
        assert!(item["id"].is_string() || item["id"].is_i64() || item["id"].is_u64(), "{item}");
        let result = &item["result"];
        assert_eq!(result["resultType"].is_string(), is_modern, "{item}");
        if result["resultType"] == "input_required" {
            let asks = result["inputRequests"].as_object().is_some_and(|requests| !requests.is_empty());
            assert!(asks && result.get("ttlMs").is_none(), "{item}");
        }
        for (name, known) in [("requestState", &mut self.states), ("taskId", &mut self.tasks)] {
            if let Some(one) = result[name].as_str() {
                known.add(one, MOST_REMEMBERED);
            }
        }
        0
    }

    /// Reads the newest stream and, now and then, an older one; some are left before their end.
    fn read_some(&mut self) {
        if self.streams.is_empty() {
            return;
        }
        let place = if self.random.one_in(3) {
            self.random.below(self.streams.len())
        } else {
            self.streams.len() - 1
        };
        let Some(mut open) = self.streams.remove(place) else { return };
        let most = self.random.below(MOST_MESSAGES);
        for _ in 0..most {
            match self.world.next(&mut open.events) {
                Heard::Silence => break,
                Heard::End => return,
                Heard::Message(message) => self.heard(&mut open, &message),
            }
        }
        if !self.random.one_in(4) {
            self.streams.push_front(open);
        }
    }

    fn heard(&mut self, open: &mut Open, message: &Value) {
        assert!(!open.is_answered, "after the answer: {message}");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        let Some(method) = message["method"].as_str() else {
            open.is_answered = true;
            self.answer(message, open.is_modern);
            return;
        };
        if let Some(id) = message.get("id") {
            assert!(!open.is_modern, "a request on a modern stream: {message}");
            self.asked.add(id.as_str().expect("an id"), MOST_REMEMBERED);
        }
        if open.is_listening {
            let subscription = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
            assert!(!subscription.is_null(), "{message}");
            let is_first = method == "notifications/subscriptions/acknowledged";
            assert_eq!(is_first, !open.has_begun, "{message}");
            open.has_begun = true;
            assert!(!method.ends_with("/progress") && !method.ends_with("/message"), "{message}");
        }
    }

    /// A request, and whether it is as the corpus has it.
    fn request(&mut self) -> (HttpIn, bool) {
        let Sample { mut method, mut headers, mut body } = self.random.pick(&self.corpus).clone();
        if body.is_object() && method == "POST" && self.random.one_in(40) {
            let more = (0..self.random.below(6)).map(|_| self.random.pick(&self.corpus).body.clone());
            body = std::iter::once(body).chain(more.collect::<Vec<_>>()).collect();
        }
        for (_, value) in &mut headers {
            self.fill_text(value);
        }
        self.fill(&mut body);
        let is_whole = self.random.one_in(3);
        let mut text = Vec::new();
        if is_whole {
            text = body.to_string().into_bytes();
        } else {
            for _ in 0..=self.random.below(3) {
                match self.random.below(10) {
                    0..6 => self.bend(&mut body),
                    6..9 => self.bend_headers(&mut headers),
                    _ if self.random.one_in(10) => {
                        let methods = ["GET", "DELETE", "PUT", "post", "", "OPTIONS"];
                        method = (*self.random.pick(&methods)).to_owned();
                    }
                    _ => {}
                }
            }
            text.extend(body.to_string().into_bytes());
            if self.random.one_in(6) {
                self.bend_bytes(&mut text);
            }
        }
        if body.is_null() && method != "POST" {
            text.clear();
        }
        (HttpIn { method, headers: headers.into_iter().collect::<Headers>(), body: text }, is_whole)
    }

    /// Puts what earlier answers gave in the place of the words for it.
    fn fill(&mut self, value: &mut Value) {
        match value {
            Value::String(text) if text.starts_with('$') => self.fill_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.fill(field)),
            _ => {}
        }
    }

    fn fill_text(&mut self, text: &mut String) {
        let known = match text.as_str() {
            "$session" => &self.sessions,
            "$state" => &self.states,
            "$task" => &self.tasks,
            "$asked" => &self.asked,
            _ => return,
        };
        // Half the time the newest, so that a sequence goes on.
        let newest = if self.random.one_in(2) { known.0.back().map(String::as_str) } else { None };
        if let Some(one) = newest.or_else(|| known.any(&mut self.random)) {
            *text = one.to_owned();
        }
    }

    /// Changes something somewhere in a body.
    fn bend(&mut self, body: &mut Value) {
        let donor = self.random.pick(&self.corpus).body.clone();
        let random = &mut self.random;
        // Half the time inside the parameters, where the envelope stays whole and more than the door is tried.
        let names: Vec<String> = match body.get("params") {
            Some(Value::Object(params)) if random.one_in(2) => {
                params.keys().filter(|name| *name != "_meta").cloned().collect()
            }
            _ => Vec::new(),
        };
        let mut here = if names.is_empty() { body } else { &mut body["params"][random.pick(&names)] };
        for _ in 0..random.below(6) {
            let children = match &*here {
                Value::Array(items) => items.len(),
                Value::Object(fields) => fields.len(),
                _ => 0,
            };
            if children == 0 {
                break;
            }
            let place = random.below(children);
            here = match here {
                Value::Array(items) => &mut items[place],
                Value::Object(fields) => match fields.values_mut().nth(place) {
                    Some(field) => field,
                    None => return,
                },
                _ => return,
            };
        }
        match random.below(9) {
            0 | 1 => {
                let names: Vec<String> =
                    here.as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default();
                if let (Value::Object(fields), false) = (&mut *here, names.is_empty()) {
                    fields.remove(random.pick(&names));
                } else {
                    *here = leaf(random);
                }
            }
            2 | 3 => *here = leaf(random),
            4 => *here = Value::Array(vec![here.take()]),
            5 => *here = Value::from(here.to_string()),
            6 => {
                let deep = if random.one_in(20) { 200 } else { random.below(6) };
                for _ in 0..deep {
                    *here = if random.one_in(2) { json!([here.take()]) } else { json!({ "a": here.take() }) };
                }
            }
            7 => *here = somewhere(random, donor),
            _ => {
                let name = word(random);
                let value = somewhere(random, donor);
                if let Value::Object(fields) = here {
                    fields.insert(name, value);
                } else if let Value::Array(items) = here {
                    items.push(value);
                } else {
                    *here = value;
                }
            }
        }
    }

    fn bend_headers(&mut self, headers: &mut Vec<(String, String)>) {
        let random = &mut self.random;
        let place = random.below(headers.len());
        let Some((name, value)) = headers.get(place).cloned() else { return };
        match random.below(7) {
            0 => drop(headers.remove(place)),
            1 => headers.push((name, value)),
            2 => headers.push((name, word(random))),
            3 => headers[place].1 = word(random),
            4 => headers[place].1 = format!("  {value}\t"),
            5 => {
                let mut characters: Vec<char> = value.chars().collect();
                let at = random.below(characters.len());
                if let Some(character) = characters.get_mut(at) {
                    *character = *random.pick(&['\u{0}', ' ', ',', ';', '=', 'é', '\u{10ffff}', 'A', '\n']);
                }
                headers[place].1 = characters.into_iter().collect();
            }
            _ => {
                let known =
                    ["mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name", "origin", "accept"];
                headers.push(((*random.pick(&known)).to_owned(), word(random)));
            }
        }
    }

    fn bend_bytes(&mut self, text: &mut Vec<u8>) {
        let random = &mut self.random;
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            match random.below(7) {
                0 if !text.is_empty() => text[at] = random.next() as u8,
                1 if !text.is_empty() => drop(text.remove(at)),
                2 => text.insert(at, random.next() as u8),
                3 if random.one_in(3) => text.truncate(at),
                4 => {
                    // A number where there was a digit.
                    if let Some(digit) = text.iter().position(u8::is_ascii_digit) {
                        let numbers =
                            ["1e400", "-0", "1e308", "18446744073709551616", "0.1e-400", "00", "1E+2"];
                        text.splice(digit..=digit, random.pick(&numbers).bytes());
                    }
                }
                5 => {
                    // A field twice.
                    if text.first() == Some(&b'{') {
                        let fields = [
                            r#""id":null,"#, r#""id":7,"#, r#""method":"ping","#, r#""jsonrpc":"2.0","#,
                            r#""params":{},"#,
                        ];
                        text.splice(1..1, random.pick(&fields).bytes());
                    }
                }
                _ => {
                    let half = text[at..].to_vec();
                    text.extend(half);
                }
            }
        }
        if random.one_in(2_000) {
            text.resize(mcp::MAX_BODY_BYTES + random.below(2), b' ');
        }
    }
}

#[allow(dead_code, reason = "the example has a longer run of its own")]
fn short(seed: u64, runs: u64) {
    let mut fuzzer = Fuzzer::new(seed);
    for run in 1..=runs {
        fuzzer.run();
        if run % 5_000 == 0 {
            fuzzer.settle();
            fuzzer.restart();
        }
    }
    let results = fuzzer.seen.get(&(200, 0)).copied().unwrap_or_default();
    assert!(results > runs / 10, "most of it is not refused at the door: {:?}", fuzzer.seen);
}

#[test]
fn twenty_thousand_exchanges_keep_the_rules() {
    short(1, 20_000);
}

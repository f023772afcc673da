//! Stored results and their references (`CanonicalMemoryStorage`, S0-22 to S0-25): what a model saw only in short it can page
//! into, and name as an argument (D-02, D-18).
//!
//! Nothing is stored twice: the results are in the log, and this finds them there.

use protocol::{Hints, ToolCall, ToolResult, ToolSpec, canonical_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::canonical::data_ref;
use crate::context::Measure;
use crate::{AgentState, Canonical, Entry, EntryBody, Estimator};

/// The form that references are made in (D-02).
const SCHEME: &str = "mem://";

/// The form that is taken as well (S0-06).
const LONG_SCHEME: &str = "memory://tool_results/";

/// The name of the tool that reads a stored result.
pub(crate) const READ: &str = "memory_read";

/// The name of the tool that lists them.
pub(crate) const LIST: &str = "memory_list";

/// The most characters of one page.
const PAGE_CHARS: usize = 6_000;

/// The most items of one page.
const PAGE_ITEMS: usize = 200;

/// The most references in a list.
const LISTED: usize = 50;

/// The most references that a request lists unasked (S0-37).
pub(crate) const TOLD: usize = 10;

/// Which results travel whole, and how long stored ones can be read (D-03).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryPolicy {
    /// A result of at most this many tokens, about, travels whole; a longer one in short, with a reference.
    pub whole_tokens: u64,
    /// A stored result can be read until this many bytes of newer ones came after it.
    pub max_bytes: u64,
    /// And until it is this old, in milliseconds.
    pub max_age_ms: i64,
}

impl Default for MemoryPolicy {
    /// 400 tokens (D-03), 4 MiB, a week.
    fn default() -> Self {
        Self { whole_tokens: 400, max_bytes: 4 << 20, max_age_ms: 7 * 24 * 3_600_000 }
    }
}

/// Where a stored result stands in the log. Reduced, never saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Its entry.
    pub(crate) seq: u64,
    /// Bytes of all stored results up to and with this one.
    pub(crate) bytes_so_far: u64,
}

/// Why a reference leads nowhere (S0-24).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceError {
    /// It is no reference.
    Format(String),
    /// There is no such result.
    NotFound(String),
    /// There was one; it is too old, or too much came after it.
    Expired(String),
    /// The result is there, and has nothing at this path.
    Path {
        /// The reference.
        reference: String,
        /// The path.
        path: String,
        /// The names, or the number of items, that are there.
        has: String,
    },
}

impl std::fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Format(reference) => {
                write!(f, "Invalid reference format: {reference}. It has to be mem://tool/id.")
            }
            Self::NotFound(reference) => {
                write!(f, "Reference not found: {reference}. memory_list shows those there are.")
            }
            Self::Expired(reference) => {
                write!(f, "Reference not found: {reference} is no longer kept. Call the tool again.")
            }
            Self::Path { reference, path, has } => {
                write!(f, "{reference} has nothing at \"{path}\"; there is {has}.")
            }
        }
    }
}

impl std::error::Error for ReferenceError {}

/// How a good result is kept, as its entry says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its reference (D-02).
    pub data_ref: String,
    /// About how many tokens its text has: what decides whether it travels whole.
    pub tokens: u64,
}

impl Kept {
    /// How the result of a call is kept; a failed one is not.
    pub(crate) fn of(call: &ToolCall, result: &ToolResult) -> Option<Self> {
        // What it was called with, as the model wrote it: the same call has the same reference.
        (!result.is_error).then(|| Self {
            data_ref: data_ref(&call.name, &call.arguments, result),
            tokens: Estimator::default().tokens(&Measure::of(&result.content)),
        })
    }
}

/// What a reference stands for (`resolve_reference`).
///
/// # Errors
/// When it is none, or leads nowhere.
pub fn resolve_reference<'a>(
    state: &'a AgentState,
    reference: &str,
    now_ms: i64,
) -> Result<&'a ToolResult, ReferenceError> {
    let normal = normal(reference).ok_or_else(|| ReferenceError::Format(reference.to_owned()))?;
    let stored = state.stored.get(&normal).ok_or_else(|| ReferenceError::NotFound(reference.to_owned()))?;
    let entry =
        entry_at(state, stored.seq).filter(|entry| !is_expired(state, stored, entry, &normal, now_ms));
    match entry.map(|entry| &entry.body) {
        Some(EntryBody::Result { result, .. }) => Ok(result),
        _ => Err(ReferenceError::Expired(reference.to_owned())),
    }
}

/// A stored result, as a list shows it (S0-23, S0-25).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The reference.
    pub data_ref: String,
    /// The tool that gave it.
    pub tool: String,
    /// It in short.
    pub summary: String,
    /// When, in Unix milliseconds.
    pub at_ms: i64,
}

/// The stored results that can be read, the newest first (`list_available_references`); of one tool, where one is named.
#[must_use]
pub fn list_available_references(
    state: &AgentState,
    tool: Option<&str>,
    now_ms: i64,
    most: usize,
) -> Vec<Reference> {
    readable(state, tool, u64::MAX, now_ms).take(most).map(Readable::reference).collect()
}

/// A stored result that can be read.
pub(crate) struct Readable<'a> {
    data_ref: &'a str,
    at_ms: i64,
    result: &'a ToolResult,
}

impl Readable<'_> {
    /// As a list shows it. This reads the whole result: it is for those that are shown.
    pub(crate) fn reference(self) -> Reference {
        Reference {
            data_ref: self.data_ref.to_owned(),
            tool: self.result.name.clone(),
            summary: Canonical::of(self.result, self.data_ref).summary,
            at_ms: self.at_ms,
        }
    }
}

/// The stored results of before an entry that can be read, the newest first, one after the other as they are asked for.
pub(crate) fn readable<'a>(
    state: &'a AgentState,
    tool: Option<&str>,
    before: u64,
    now_ms: i64,
) -> impl Iterator<Item = Readable<'a>> {
    let mut places: Vec<(&String, &Stored)> = state
        .stored
        .iter()
        .filter(|(data_ref, stored)| stored.seq < before && tool.is_none_or(|tool| tool_of(data_ref) == tool))
        .collect();
    order::sort_by_key(&mut places, |(_, stored)| std::cmp::Reverse(stored.seq));
    places.into_iter().filter_map(move |(data_ref, stored)| {
        let entry = entry_at(state, stored.seq)?;
        let EntryBody::Result { result, .. } = &entry.body else { return None };
        (!is_expired(state, stored, entry, data_ref, now_ms)).then(|| Readable {
            data_ref,
            at_ms: entry.at_ms,
            result,
        })
    })
}

/// The arguments with every reference among them replaced by what it stands for (D-18, S0-31). A string is a reference when
/// it is nothing else; `#` and a path behind it take a part.
///
/// # Errors
/// When one leads nowhere.
pub(crate) fn resolved(state: &AgentState, arguments: &Value, now_ms: i64) -> Result<Value, ReferenceError> {
    Ok(match arguments {
        Value::String(text) if text.starts_with(SCHEME) || text.starts_with(LONG_SCHEME) => {
            let (reference, path) = text.split_once('#').unwrap_or((text, ""));
            let data = data_of(resolve_reference(state, reference, now_ms)?);
            part(&data, path, reference)?.clone()
        }
        Value::Array(items) => {
            let items: Result<_, _> = items.iter().map(|item| resolved(state, item, now_ms)).collect();
            Value::Array(items?)
        }
        Value::Object(fields) => {
            let mut map = Map::new();
            for (name, value) in fields {
                map.insert(name.clone(), resolved(state, value, now_ms)?);
            }
            Value::Object(map)
        }
        leaf => leaf.clone(),
    })
}

/// True when an argument is a reference.
pub(crate) fn has_reference(arguments: &Value) -> bool {
    match arguments {
        Value::String(text) => text.starts_with(SCHEME) || text.starts_with(LONG_SCHEME),
        Value::Array(items) => items.iter().any(has_reference),
        Value::Object(fields) => fields.values().any(has_reference),
        _ => false,
    }
}

/// The two tools, as they are offered to a model.
pub(crate) fn specs() -> [ToolSpec; 2] {
    let spec = |name: &str, title: &str, description: &str, input_schema: Value| ToolSpec {
        name: name.to_owned(),
        title: title.to_owned(),
        description: description.to_owned(),
        input_schema,
        hints: Hints {
            read_only: true,
            destructive: false,
            idempotent: true,
            open_world: false,
            lasting: false,
        },
    };
    [
        spec(
            READ,
            "Read a stored result",
            "Reads a page of a tool result that was too long to show whole, by its reference (mem://…). A reference is also \
             taken as an argument of any tool, with #/path for a part of it.",
            json!({
                "type": "object",
                "properties": {
                    "ref": {"type": "string", "description": "The reference: mem://tool/id."},
                    "path": {"type": "string", "description": "Where in the result, as a JSON pointer: /todos/3/title. Left out: the list in it, or all of it."},
                    "from": {"type": "integer", "minimum": 0, "description": "The first item of a list, or the first character of a text; from 0."},
                    "count": {"type": "integer", "minimum": 1, "description": "How many items or characters; the page ends earlier where it gets too long."}
                },
                "required": ["ref"],
                "additionalProperties": false
            }),
        ),
        spec(
            LIST,
            "List stored results",
            "Lists the results of this conversation's tool calls that memory_read can show, the newest first.",
            json!({
                "type": "object",
                "properties": {"tool": {"type": "string", "description": "Only results of this tool."}},
                "additionalProperties": false
            }),
        ),
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    #[serde(rename = "ref")]
    reference: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    from: usize,
    #[serde(default)]
    count: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    #[serde(default)]
    tool: Option<String>,
}

/// What `memory_list` answers.
///
/// # Errors
/// A sentence for the model: what is wrong with its arguments.
pub(crate) fn list(state: &AgentState, arguments: &Value, now_ms: i64) -> Result<Value, String> {
    let asked: ListArguments = read(arguments, LIST)?;
    let all: Vec<Readable<'_>> = readable(state, asked.tool.as_deref(), u64::MAX, now_ms).collect();
    let total = all.len();
    // The times say nothing to a model: the newest comes first.
    let row = |reference: Reference| json!({"ref": reference.data_ref, "summary": reference.summary});
    Ok(
        json!({"references": all.into_iter().take(LISTED).map(Readable::reference).map(row).collect::<Vec<_>>(), "total": total}),
    )
}

/// What `memory_read` answers: a page, whole items or whole words, and where the next one begins.
///
/// # Errors
/// A sentence for the model: what is wrong with its arguments or the reference.
pub(crate) fn page(state: &AgentState, arguments: &Value, now_ms: i64) -> Result<Value, String> {
    let asked: ReadArguments = read(arguments, READ)?;
    let (reference, behind) = asked.reference.split_once('#').unwrap_or((&asked.reference, ""));
    let result = resolve_reference(state, reference, now_ms).map_err(|error| error.to_string())?;
    let path = if asked.path.is_empty() { behind } else { &asked.path };
    let data = data_of(result);
    let mut value = part(&data, path, reference).map_err(|error| error.to_string())?;
    let mut place = path.to_owned();
    // Who says no path wants the list that there is, which is what can be paged.
    if path.is_empty()
        && let Some((name, list)) = value.as_object().and_then(only_list)
    {
        place = format!("/{name}");
        value = list;
    }
    let mut page = Map::new();
    page.insert("ref".into(), json!(reference));
    page.insert("path".into(), json!(place));
    match value {
        Value::Array(items) => {
            let count = asked.count.unwrap_or(PAGE_ITEMS).clamp(1, PAGE_ITEMS);
            let mut left = PAGE_CHARS;
            let mut shown = Vec::new();
            for item in items.iter().skip(asked.from).take(count) {
                let size = item.to_string().chars().count();
                if size > left {
                    break;
                }
                left -= size;
                shown.push(item.clone());
            }
            let next = asked.from.saturating_add(shown.len());
            if shown.is_empty() && asked.from < items.len() {
                let (from, place) = (asked.from, place.trim_end_matches('/'));
                return Err(format!(
                    "Item {from} alone is too long for a page. Read parts of it: path {place}/{from}/…"
                ));
            }
            page.insert("items".into(), Value::Array(shown));
            page.insert("from".into(), json!(asked.from));
            page.insert("total".into(), json!(items.len()));
            if next < items.len() {
                page.insert("next".into(), json!(next));
            }
        }
        Value::String(text) => text_page(&mut page, text, &asked),
        other => {
            let text = other.to_string();
            if text.chars().count() > PAGE_CHARS {
                return Err(format!("That is too long for a page. Name a part of it: {}.", contents(other)));
            }
            page.insert("value".into(), other.clone());
        }
    }
    Ok(Value::Object(page))
}

/// A page of a text, up to the end of a line or a word.
fn text_page(page: &mut Map<String, Value>, text: &str, asked: &ReadArguments) {
    let total = text.chars().count();
    let count = asked.count.unwrap_or(PAGE_CHARS).clamp(1, PAGE_CHARS);
    let piece: String = text.chars().skip(asked.from).take(count).collect();
    let is_last = asked.from.saturating_add(count) >= total;
    let end = if is_last { None } else { piece.rfind('\n').or_else(|| piece.rfind(char::is_whitespace)) };
    let kept = match end {
        Some(end) if end > 0 => piece.get(..=end).unwrap_or(&piece),
        _ => &piece,
    };
    let next = asked.from.saturating_add(kept.chars().count());
    page.insert("text".into(), json!(kept));
    page.insert("from".into(), json!(asked.from));
    page.insert("total".into(), json!(total));
    if next < total {
        page.insert("next".into(), json!(next));
    }
}

fn read<T: serde::de::DeserializeOwned>(arguments: &Value, tool: &str) -> Result<T, String> {
    serde_json::from_value(arguments.clone())
        .map_err(|error| format!("Invalid parameters: {error}. Look at the schema of {tool}."))
}

/// The one list of a record; none where there are several, or it has none.
fn only_list(fields: &Map<String, Value>) -> Option<(&String, &Value)> {
    let mut lists = fields.iter().filter(|(_, value)| value.is_array());
    let first = lists.next()?;
    lists.next().is_none().then_some(first)
}

/// A result as data; its text where it has none.
fn data_of(result: &ToolResult) -> Value {
    match &result.structured {
        Some(data) => data.clone(),
        None => {
            serde_json::from_str(&result.content).unwrap_or_else(|_| Value::String(result.content.clone()))
        }
    }
}

/// The part at a path: a JSON pointer, or names with dots between them, as models write them.
fn part<'a>(data: &'a Value, path: &str, reference: &str) -> Result<&'a Value, ReferenceError> {
    let pointer = if path.is_empty() || path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{}", path.trim_start_matches("$.").replace(['.', '['], "/").replace(']', ""))
    };
    let pointer = if pointer == "/" { "" } else { &pointer };
    data.pointer(pointer).ok_or_else(|| ReferenceError::Path {
        reference: reference.to_owned(),
        path: path.to_owned(),
        has: contents(data),
    })
}

/// What there is at a place, in a few words.
fn contents(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().take(20).map(|name| format!("/{name}")).collect();
            names.join(", ")
        }
        Value::Array(items) => format!("a list of {} items, /0 and on", items.len()),
        Value::String(_) => "one text".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => canonical_json(value),
    }
}

/// A reference in the form it is made in; none when it is no reference.
fn normal(reference: &str) -> Option<String> {
    let rest = reference.strip_prefix(SCHEME).or_else(|| reference.strip_prefix(LONG_SCHEME))?;
    let (tool, id) = rest.split_once('/')?;
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (!tool.is_empty() && is_id).then(|| format!("{SCHEME}{tool}/{id}"))
}

fn tool_of(data_ref: &str) -> &str {
    let rest = data_ref.strip_prefix(SCHEME).unwrap_or_default();
    rest.split_once('/').map_or("", |(tool, _)| tool)
}

fn entry_at(state: &AgentState, seq: u64) -> Option<&Entry> {
    state.entries.get(usize::try_from(seq).ok()?).map(|entry| &**entry)
}

/// Too old, or too much came after it; never one that the conversation leans on.
fn is_expired(state: &AgentState, stored: &Stored, entry: &Entry, data_ref: &str, now_ms: i64) -> bool {
    let policy = &state.config.memory;
    let newer = state.stored_bytes.saturating_sub(stored.bytes_so_far);
    let is_old = now_ms.saturating_sub(entry.at_ms) > policy.max_age_ms || newer > policy.max_bytes;
    is_old && !is_pinned(state, stored.seq, entry, data_ref)
}

/// Whether anything said since then leans on the result: an answer cites its call, or a call takes its reference.
fn is_pinned(state: &AgentState, seq: u64, entry: &Entry, data_ref: &str) -> bool {
    let EntryBody::Result { result, .. } = &entry.body else { return false };
    let since = |name: &str| state.leaned_on.get(name).is_some_and(|last| *last >= seq);
    since(&result.call_id.0) || since(data_ref)
}

/// The longest citation that is looked at, in bytes.
const CITATION: usize = 300;

/// What a response leans on: the ids of the calls it cites in brackets (`[tool:id]`), and the references in its calls'
/// arguments. Noted once, when the response comes: who asks for every result of a long conversation reads none of it again.
pub(crate) fn leaned_on<'a>(text: &str, arguments: impl Iterator<Item = &'a Value>) -> Vec<String> {
    let mut names = Vec::new();
    for (end, _) in text.match_indices([']', '】']) {
        let mut start = end.saturating_sub(CITATION);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let window = text.get(start..end).unwrap_or_default();
        let inside = window.rsplit(['[', '【']).next().unwrap_or_default();
        for part in inside.split([',', ';']).map(str::trim) {
            names.push(part.to_owned());
            // An id may have a colon of its own.
            names.extend(
                part.match_indices(':')
                    .filter_map(|(at, _)| part.get(at + 1..).map(|id| id.trim().to_owned())),
            );
        }
    }
    arguments.for_each(|arguments| references_in(arguments, &mut names));
    names
}

/// The references in arguments, wherever they stand in a text, in the form they are made in.
fn references_in(arguments: &Value, found: &mut Vec<String>) {
    match arguments {
        Value::String(text) => {
            for scheme in [SCHEME, LONG_SCHEME] {
                for (at, _) in text.match_indices(scheme) {
                    let rest = text.get(at + scheme.len()..).unwrap_or_default();
                    let Some((tool, id)) = rest.split_once('/') else { continue };
                    let id: String = id.chars().take_while(char::is_ascii_alphanumeric).collect();
                    found.push(format!("{SCHEME}{tool}/{id}"));
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references_in(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| references_in(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

//! A skill for a domain that only adds, lists, finds and deletes: notes, say. It takes the words for its things and the names
//! of its tools, and puts into words what the tools answer.

mod words;

use serde_json::{Map, Value, json};

use self::words::{Command, Which};

use crate::conversation::Turn;
use crate::german::finished;
use crate::results::declined;
use crate::run::{Caller, End, Run, Step, Stop};
use crate::skill::{Asked, Help, Reading, Skill, Sureness, Words};
use crate::text::escape;

/// A domain whose things have an id and a text, and four tools.
///
/// ```
/// use builtin::{Simple, respond};
///
/// static NOTES: Simple = Simple {
///     domain: "notes",
///     thing: "note",
///     things: "notes",
///     also: &["memo", "memos"],
///     field: "text",
///     add: "note_add",
///     list: "note_list",
///     find: Some(("note_find", "query")),
///     delete: "note_delete",
///     example: "buy paint",
/// };
/// # let _ = |request: &protocol::ModelRequest| respond(request, &[&NOTES]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    /// The domain's id, as tagged changes have it.
    pub domain: &'static str,
    /// What one of its things is called.
    pub thing: &'static str,
    /// What several are called.
    pub things: &'static str,
    /// What else people call them, one or several.
    pub also: &'static [&'static str],
    /// The field of a row, and of the arguments of `add`, that has what a person wrote.
    pub field: &'static str,
    /// The tool that adds one; its answer has `changes`.
    pub add: &'static str,
    /// The tool that lists them, as `items` with an `id` each; where there are more, with a `next_cursor` that it takes as `cursor`.
    pub list: &'static str,
    /// The tool that finds some by words, with the name of that argument; its answer is like a list's. Without one the list
    /// is looked through.
    pub find: Option<(&'static str, &'static str)>,
    /// The tool that deletes one by its `id`; its answer has `changes`.
    pub delete: &'static str,
    /// What the examples in its help are about: `buy paint`.
    pub example: &'static str,
}

/// One of the things, as far as it is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    /// For the tools, never for a person.
    id: String,
    /// What a person wrote.
    text: String,
}

/// What was read of a list.
struct Found {
    items: Vec<Item>,
    /// Whether there is no more of it.
    is_all: bool,
    /// How many were looked through for them, where there are more that were not.
    among: Option<usize>,
}

impl Found {
    /// Whether everything was looked through.
    fn is_read(&self) -> bool {
        self.is_all && self.among.is_none()
    }
}

/// How many pages are read where everything is looked through.
const PAGES: usize = 5;
/// How many items a list shows.
const SHOWN: usize = 50;
/// The most that one command deletes.
const MOST: usize = 20;

/// What a turn came to: its end, and what it left open or pointed at.
struct Outcome {
    end: End,
    /// The things that the answer shows, in its order; none where it shows no list, and nothing can be pointed at.
    shown: Option<Vec<Item>>,
    /// Whether it asks which of those to delete.
    asks: bool,
}

/// What "it" and "the second one" can point at.
enum Seen {
    /// Nothing was said yet.
    Nothing,
    /// What the answer before shows.
    List(Vec<Item>),
    /// The answer before shows none of the things, or is not ours.
    Another,
}

impl Seen {
    fn of(before: Option<Outcome>, past: &[Turn]) -> Self {
        match before.and_then(|before| before.shown) {
            Some(items) => Self::List(items),
            None if past.is_empty() => Self::Nothing,
            None => Self::Another,
        }
    }
}

impl Skill for Simple {
    fn domain(&self) -> &'static str {
        self.domain
    }

    fn words(&self) -> Words {
        Words {
            thing: self.thing.into(),
            things: self.things.into(),
            show: format!("show my {}", self.things).into(),
            nouns: self.nouns().collect::<Vec<_>>().join("|").into(),
            list_tool: self.list.into(),
        }
    }

    fn help(&self) -> Help {
        let (thing, things, example) = (self.thing, self.things, self.example);
        let word = example.split(' ').next_back().unwrap_or_default();
        Help {
            lines: format!(
                "- **Add**: “{thing}: {example}”, “add a {thing}: {example}”\n- **Show**: “show my {things}”, “find {things} about {word}”\n- **Delete**: “delete the {thing} about {word}”, after a list “delete the last one” (the app asks you first)"
            )
            .into(),
            examples: format!("“{thing}: {example}”, “show my {things}” or “find {things} about {word}”").into(),
            begin: format!("Tell me what to note, such as “{thing}: {example}”, or say “show my {things}”. ").into(),
            first: format!("{thing}: {example}").into(),
            ..Help::default()
        }
    }

    fn read<'r>(&'r self, asked: Asked<'r>) -> Option<Reading<'r>> {
        let (command, mut sureness) = self.command(&asked.turn.said, asked.past)?;
        // What "it" and "the second one" stand for, and what a bare answer answers, is in the turn before.
        let before = if command.hangs_on_before() { self.before(&asked) } else { None };
        if command.is_answer() && !before.as_ref().is_some_and(|before| before.asks) {
            return None;
        }
        if command.hangs_on_before() && sureness < Sureness::Names {
            sureness = if before.is_some() { Sureness::Names } else { Sureness::Guesses };
        }
        let seen = Seen::of(before, asked.past);
        Some(Reading { sureness, carry_out: Box::new(move |run| self.carry_out(run, &command, &seen).end) })
    }
}

impl Simple {
    /// How people call one of them or several.
    fn nouns(&self) -> impl Iterator<Item = &'static str> {
        [self.thing, self.things].into_iter().chain(self.also.iter().copied())
    }

    fn command(&self, said: &str, past: &[Turn]) -> Option<(Command, Sureness)> {
        words::read(said, &self.nouns().collect::<Vec<_>>().join("|"), !past.is_empty())
    }

    /// What the turn before came to, found by carrying it out again.
    fn before(&self, asked: &Asked<'_>) -> Option<Outcome> {
        let (turn, past) = asked.past.split_last()?;
        let earlier = Asked { past, turn, ..*asked };
        let (command, _) = self.command(&turn.said, past)?;
        let before = if command.hangs_on_before() { self.before(&earlier) } else { None };
        let seen = Seen::of(before, past);
        let outcome = self.carry_out(Run::of(&earlier, turn, self.words()), &command, &seen);
        // It must be the answer that the person read: another model may have given it.
        matches!(&outcome.end, End::Answer(text) if finished(text, turn.language) == turn.answer)
            .then_some(outcome)
    }

    fn carry_out(&self, mut run: Run<'_>, command: &Command, seen: &Seen) -> Outcome {
        let mut shown = None;
        let mut asks = false;
        let step = match command {
            Command::Add(text) => self.added(&mut run, text, &mut shown),
            Command::List => self.listed(&mut run, None, &mut shown),
            Command::Count => self.counted(&mut run),
            Command::Find(words) => self.listed(&mut run, Some(words), &mut shown),
            Command::Delete(which) => self.deleted(&mut run, which, seen).map(|asked| {
                asks = asked.is_some();
                shown = asked;
            }),
            Command::What => {
                run.say(format!("Which {}? Say “{}: {}”.", self.thing, self.thing, self.example));
                Ok(())
            }
        };
        Outcome { end: run.ended(step), shown, asks }
    }

    fn added(&self, run: &mut Run<'_>, text: &str, shown: &mut Option<Vec<Item>>) -> Step<()> {
        let result = run.call(self.add, json!({ self.field: text }))?;
        let added = self.changed(&result, "after");
        run.say(match added.as_slice() {
            [] => summary(&result).unwrap_or_else(|| "Nothing was added.".to_owned()),
            added => format!("Added:\n\n{}", bullets(added)),
        });
        *shown = Some(added);
        Ok(())
    }

    fn listed(&self, run: &mut Run<'_>, words: Option<&str>, shown: &mut Option<Vec<Item>>) -> Step<()> {
        let found = match words {
            Some(words) => self.found(run, words)?,
            None => self.all(run)?,
        };
        let about = words.map(|words| format!(" about “{}”", escape(words))).unwrap_or_default();
        let about = about + &self.among(&found);
        run.say(match found.items.as_slice() {
            [] => format!("You have no {}{about}.", self.things),
            items => {
                let more = items.len().saturating_sub(SHOWN);
                let more = match (more, found.is_all) {
                    (0, true) => String::new(),
                    (more, true) => format!("\n\n… and {more} more."),
                    (..) => "\n\n… and more.".to_owned(),
                };
                let count = self.count_of(&found);
                format!("You have {count}{about}:\n\n{}{more}", numbered(&items[..items.len().min(SHOWN)]))
            }
        });
        // What a place points at was seen.
        let mut items = found.items;
        items.truncate(SHOWN);
        *shown = Some(items);
        Ok(())
    }

    fn counted(&self, run: &mut Run<'_>) -> Step<()> {
        let found = self.all(run)?;
        run.say(match found.items.as_slice() {
            [] => format!("You have no {}.", self.things),
            _ => format!("You have {}.", self.count_of(&found)),
        });
        Ok(())
    }

    /// Deletes what is meant. Where that is not clear it asks, and gives what it asks about.
    fn deleted(&self, run: &mut Run<'_>, which: &Which, seen: &Seen) -> Step<Option<Vec<Item>>> {
        let none = |why: String| format!("{why}, so I deleted nothing.");
        let meant = match (which, seen) {
            (Which::Every, _) => {
                let found = self.all(run)?;
                if !found.is_all {
                    run.say(format!("That is {}; I delete {MOST} at a time at most.", self.count_of(&found)));
                    return Ok(None);
                }
                found.items
            }
            (Which::About(words), _) => {
                let found = self.found(run, words)?;
                if found.items.is_empty() {
                    let among = self.among(&found);
                    run.say(none(format!("I found no {} about “{}”{among}", self.thing, escape(words))));
                    return Ok(None);
                }
                // Further ones may stand in what was not read: even an only one is asked about.
                if !found.is_read() {
                    let unread = format!("I did not read all of your {}. ", self.things);
                    return Ok(Some(ask_which(run, &unread, found.items)));
                }
                // One that says just this is the one, whatever else has the words in it.
                let mut exact = found.items.iter().filter(|item| item.text.eq_ignore_ascii_case(words));
                match (exact.next(), exact.next()) {
                    (Some(only), None) => vec![only.clone()],
                    _ => found.items,
                }
            }
            (Which::Place(place), _) if place.is_unknown() => Vec::new(),
            (Which::It | Which::Those, Seen::List(items)) => items.clone(),
            (Which::Place(place), Seen::List(items)) => match place.of(items) {
                Some(item) => vec![item.clone()],
                None => {
                    run.say(none(format!("There is no such {} in what I showed", self.thing)));
                    return Ok(None);
                }
            },
            // Nothing was said yet: a place is one in the whole list.
            (Which::Place(place), Seen::Nothing) => {
                let found = self.all(run)?;
                match place.of(&found.items) {
                    _ if place.is_last() && !found.is_all => {
                        let count = self.count_of(&found);
                        run.say(none(format!("You have {count}, and I did not read them to their end")));
                        return Ok(None);
                    }
                    Some(item) => vec![item.clone()],
                    None => {
                        run.say(none(format!("There is no such {}", self.thing)));
                        return Ok(None);
                    }
                }
            }
            (Which::It | Which::Those | Which::Place(_), Seen::Nothing | Seen::Another) => Vec::new(),
        };
        let are_several_meant = matches!(which, Which::Every | Which::Those);
        match meant.as_slice() {
            [] => run.say(none(format!("I do not know which {} you mean", self.thing))),
            several if several.len() > MOST && are_several_meant => {
                run.say(format!(
                    "That is {}; I delete {MOST} at a time at most.",
                    self.so_many(several.len())
                ));
            }
            several if several.len() == 1 || are_several_meant => self.delete(run, several)?,
            _ => return Ok(Some(ask_which(run, "", meant))),
        }
        Ok(None)
    }

    /// Deletes them, and says which are gone and which are not: a person may say no to one of several.
    fn delete(&self, run: &mut Run<'_>, items: &[Item]) -> Step<()> {
        let calls = items.iter().map(|item| (self.delete.to_owned(), json!({ "id": item.id }))).collect();
        let mut gone = Vec::new();
        // A step back takes changes: one may be of several things, and of what was gone already there is none.
        let mut changes = 0;
        // Each reason, and what is still there for it.
        let mut kept: Vec<(String, Vec<Item>)> = Vec::new();
        for (item, came) in items.iter().zip(run.call_each(calls)?) {
            let why = match came {
                Ok(value) => {
                    let changed = self.changed(&value, "before");
                    if changed.is_empty() {
                        gone.push(item.clone());
                    } else {
                        changes += 1;
                        gone.extend(changed);
                    }
                    continue;
                }
                Err((_, done)) if items.len() > 1 && declined(&done) => {
                    "As you decided, I left alone:".to_owned()
                }
                Err((why, _)) => why,
            };
            match kept.iter_mut().find(|(other, _)| *other == why) {
                Some((_, items)) => items.push(item.clone()),
                None => kept.push((why, vec![item.clone()])),
            }
        }
        if !gone.is_empty() {
            let them = if gone.len() == 1 { "it" } else { "them" };
            let way_back = match changes {
                0 => String::new(),
                1 => format!("\n\nSay “undo” to bring {them} back."),
                n => format!("\n\nSay “undo the last {n}” to bring {them} back."),
            };
            run.say(format!("Deleted:\n\n{}{way_back}", bullets(&gone)));
        }
        for (why, items_kept) in kept {
            run.say(if items.len() == 1 { why } else { format!("{why}\n\n{}", bullets(&items_kept)) });
        }
        Ok(())
    }

    /// All of them, as far as they are read.
    fn all(&self, run: &mut Run<'_>) -> Step<Found> {
        self.pages(run, self.list, Map::new())
    }

    /// Those that have the words in them.
    fn found(&self, run: &mut Run<'_>, words: &str) -> Step<Found> {
        if let Some((tool, argument)) = self.find
            && run.offers(tool)
        {
            let mut arguments = Map::new();
            arguments.insert(argument.to_owned(), json!(words));
            return self.pages(run, tool, arguments);
        }
        let mut found = self.all(run)?;
        let looked = found.items.len();
        found.items.retain(|item| words::fits(&item.text, words));
        Ok(Found { is_all: true, among: (!found.is_all).then_some(looked), ..found })
    }

    fn pages(&self, run: &mut Run<'_>, tool: &str, mut arguments: Map<String, Value>) -> Step<Found> {
        let mut items = Vec::new();
        for _ in 0..PAGES {
            let page = run.call(tool, Value::Object(arguments.clone()))?;
            let rows = page
                .get("items")
                .and_then(Value::as_array)
                .ok_or_else(|| Stop::Fail(crate::results::unreadable(&run.words)))?;
            items.extend(rows.iter().filter_map(|row| self.item(row)));
            match page.get("next_cursor").filter(|cursor| !cursor.is_null()) {
                Some(cursor) => arguments.insert("cursor".to_owned(), cursor.clone()),
                None => return Ok(Found { items, is_all: true, among: None }),
            };
        }
        Ok(Found { items, is_all: false, among: None })
    }

    fn item(&self, row: &Value) -> Option<Item> {
        let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Item { id: text("id")?, text: text(self.field)? })
    }

    /// The rows that a write changed, as they were (`before`) or are (`after`).
    fn changed(&self, result: &Value, side: &str) -> Vec<Item> {
        crate::history::changes(result).iter().filter_map(|change| self.item(change.get(side)?)).collect()
    }

    /// "3 notes", "more than 500 notes".
    fn count_of(&self, found: &Found) -> String {
        let count = self.so_many(found.items.len());
        if found.is_all { count } else { format!("more than {count}") }
    }

    /// " among the first 500", where no more were looked through.
    fn among(&self, found: &Found) -> String {
        found.among.map(|count| format!(" among the first {}", self.so_many(count))).unwrap_or_default()
    }

    fn so_many(&self, count: usize) -> String {
        if count == 1 { format!("1 {}", self.thing) } else { format!("{count} {}", self.things) }
    }
}

/// Asks which of these to delete, and gives those it shows.
fn ask_which(run: &mut Run<'_>, before: &str, mut items: Vec<Item>) -> Vec<Item> {
    let more = items.len().saturating_sub(SHOWN);
    items.truncate(SHOWN);
    let rest = if more == 0 { String::new() } else { format!("\n\n… and {more} more.") };
    run.say(format!("{before}Which one shall I delete?\n\n{}{rest}", numbered(&items)));
    items
}

fn summary(result: &Value) -> Option<String> {
    result.get("summary").and_then(Value::as_str).map(escape)
}

fn bullets(items: &[Item]) -> String {
    items.iter().map(|item| format!("- **{}**", escape(&item.text))).collect::<Vec<_>>().join("\n")
}

fn numbered(items: &[Item]) -> String {
    let line = |(n, item): (usize, &Item)| format!("{n}. **{}**", escape(&item.text));
    (1..).zip(items).map(line).collect::<Vec<_>>().join("\n")
}

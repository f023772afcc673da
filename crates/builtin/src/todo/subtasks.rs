//! Subtasks of to-dos that are there, and copies of them.

use crate::todo::plan::{Halt, Run, Step, Want, Wants, ask_which, say};
use crate::todo::rows::Todo;
use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use crate::lex::{Kind, Token, after, before, longest, starts, trim_signs};
use crate::todo::acts::moved;
use crate::todo::attrs::{Attrs, Lexicon};
use crate::todo::intent::{Draft, Intent, Target};
use crate::todo::making::create;
use crate::todo::moving::peel_new;
use crate::todo::target::target;
use crate::todo::{adding, answer};

const COPY: &str = "I can copy a to-do, also to another day or list: “copy the report to friday”.";
const SUBTASK: &str = "subtask|subtasks|sub-task|sub-tasks|subtodo|subtodos|checklist";

/// "add subtask X to Y", "add X as a subtask of Y", "split Y into A, B and C", "copy it".
pub fn subtasks(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if let Some(rest) = after(tokens, &["copy|duplicate|clone", "make|create a copy|duplicate of"]) {
        let aim = before(rest, &["again", "once", "once more"]).unwrap_or(rest);
        let (aim, attrs) = peel_new(aim, lexicon);
        // "copy the files to the server" is nothing that is done here.
        let far = aim.iter().any(|t| t.of("to from into onto"));
        let clear = !aim.is_empty() && !far;
        return Some(if clear {
            Intent::Copy(target(&aim, lexicon), Box::new(attrs))
        } else {
            Intent::say(COPY)
        });
    }
    const SPLIT: &[&str] = &[
        "split|break|divide|chop|cut|slice|carve|separate|partition|chunk",
        "split|break|divide|chop|cut|slice|carve|separate up|down|apart",
    ];
    if let Some(rest) = after(tokens, SPLIT) {
        let at = rest.iter().position(|t| t.of("into in") || t.sign(":")).filter(|at| *at > 0)?;
        let aim = before(&rest[..at], &["up", "down", "apart"]).unwrap_or(&rest[..at]);
        let parts = after(&rest[at + 1..], &["the", "the following"]).unwrap_or(&rest[at + 1..]);
        let counted = pieces(parts);
        let parts = &parts[if counted < parts.len() { counted } else { 0 }..];
        let parts = trim_signs(parts);
        // "into three parts" names none of them.
        let unnamed = parts.is_empty()
            || counted == parts.len()
            || parts.len() <= 4
                && parts
                    .last()
                    .is_some_and(|t| t.of("parts subtasks steps pieces tasks todos to-dos halves two"));
        let mut drafts = if unnamed { Vec::new() } else { adding::enumerated(parts, lexicon) };
        crate::todo::cues::in_plain_form(&mut drafts);
        return Some(Intent::Under(target(aim, lexicon), drafts));
    }
    let rest = after(tokens, &["add|create|make|put|insert|new|attach|append", "attach|append the"])?;
    // "add "X" under Y": quoted, or it could be where to look for something.
    if let [first, under, aim @ ..] = rest
        && first.kind == Kind::Quoted
        && under.of("under below beneath")
        && !aim.is_empty()
    {
        return Some(Intent::Under(target(aim, lexicon), adding::enumerated(&rest[..1], lexicon)));
    }
    // "add X as a subtask of Y"
    let under = (1..rest.len()).find_map(|at| {
        let n = starts(&rest[at..], &format!("as a|an|another {SUBTASK}"))
            .or_else(|| starts(&rest[at..], &format!("as {SUBTASK}")))?;
        let n = n + starts(&rest[at + n..], "of|to|for|under|in|on")?;
        Some((at, at + n))
    });
    if let Some((at, aim)) = under {
        let drafts = adding::enumerated(&rest[..at], lexicon);
        return Some(Intent::Under(target(&rest[aim..], lexicon), drafts));
    }
    let n = ["", "a|an|another|the|one|two|three|four ", "a new ", "new ", "the following "]
        .iter()
        .find_map(|article| starts(rest, &format!("{article}{SUBTASK}")))?;
    let named = starts(&rest[n..], "called|named|to|titled").unwrap_or(0);
    let begin = trim_signs(&rest[n..]);
    const TO: &str = "to of under for in on";
    // "to the report: check the spelling", and "to the report" alone.
    if begin.first().is_some_and(|t| t.of(TO)) {
        let colon = begin.iter().position(|t| t.sign(":") || t.of("called named saying"));
        let aim = target(&begin[1..colon.unwrap_or(begin.len())], lexicon);
        // "a subtask to buy paper for the report" names it first.
        let verb = named > 0 && begin.get(1).is_some_and(|t| t.any(crate::verbs::DOING));
        if !verb {
            let words = colon.map_or(&[][..], |at| &begin[at + 1..]);
            let drafts = if words.is_empty() { Vec::new() } else { adding::enumerated(words, lexicon) };
            return Some(Intent::Under(aim, drafts));
        }
    }
    let begin = trim_signs(&rest[n + named..]);
    let at = begin.iter().rposition(|t| t.of(TO)).filter(|at| *at > 0);
    let (words, aim) = match at {
        Some(at) => (&begin[..at], target(&begin[at + 1..], lexicon)),
        // Of what was last spoken of.
        None => (begin, Target::It),
    };
    let named = words.iter().any(|t| t.kind != Kind::Sign);
    Some(Intent::Under(aim, if named { adding::enumerated(words, lexicon) } else { Vec::new() }))
}

/// How many words only count parts: "4 bits", "three smaller steps", "a few chunks".
pub fn pieces(tokens: &[Token]) -> usize {
    const COUNT: &[&str] = &[
        "a few|couple",
        "a couple of",
        "two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|6|7|8|9|10|some|several|these|those|following|multiple",
    ];
    const KIND: &[&str] =
        &["smaller|little|manageable|small|separate|equal|single|easy|individual|bite-sized"];
    const NOUN: &[&str] = &[
        "subtasks|sub-tasks|steps|parts|pieces|bits|chunks|stages|phases|sections|segments|portions|tasks|todos|to-dos",
        "halves|thirds|quarters|subtask|items|blocks|chapters|sessions",
    ];
    let taken = |tokens: &[Token], phrases: &[&str]| longest(tokens, phrases).unwrap_or(0);
    let count = taken(tokens, COUNT);
    let kind = count + taken(&tokens[count..], KIND);
    let noun = taken(&tokens[kind..], NOUN);
    // "into small talk and dance" counts nothing; "into two: …" does.
    if noun > 0 {
        kind + noun
    } else if count > 0 && (tokens.len() == count || tokens[count].sign(":")) {
        count
    } else {
        0
    }
}

/// Adds subtasks to a to-do that is there.
pub fn under(run: &mut Run, aim: &Target, drafts: &[Draft]) -> Step<usize> {
    let (todos, swallowed) = run.resolve(aim, Want::Open, false)?;
    let [whole] = todos.as_slice() else {
        return if todos.is_empty() {
            say(run, "No to-do fits that, so I added nothing.")
        } else {
            Err(ask_which("Subtasks belong to one to-do. Which one do you mean?", todos, run.now))
        };
    };
    if drafts.is_empty() {
        let text = format!(
            "Which parts shall it have? Name one, or several with commas.\n\n{}",
            answer::task(whole, run.now)
        );
        return Err(Halt::Ask { text, wants: Box::new(Wants::Parts(Target::Chosen(todos))) });
    }
    let items: Vec<Value> =
        drafts.iter().map(|draft| crate::todo::making::item(run, draft, Some(&whole.id))).collect();
    let added = create(run, &items)?;
    run.run.said.push(format!(
        "Added to {}:\n\n{}",
        crate::text::quoted(&whole.title),
        answer::tasks(&added, run.now)
    ));
    Ok(swallowed)
}

/// Makes another one that says the same.
pub fn copy(run: &mut Run, aim: &Target, attrs: &Attrs) -> Step<usize> {
    let (todos, swallowed) = run.resolve(aim, Want::Open, false)?;
    if todos.is_empty() {
        return say(run, "No to-do fits that, so I copied nothing.");
    }
    // As they are now, with their notes.
    let calls = todos.iter().take(20).map(|todo| ("todo_get".to_owned(), json!({"id": todo.id}))).collect();
    let results = run.call_all(calls)?;
    let read = results.iter().filter_map(|result| result.get("todo").and_then(Todo::read));
    let read: Vec<Todo> = read.collect();
    let items: Vec<Value> = read.iter().map(|todo| same(todo, attrs, run.now)).collect();
    let added = create(run, &items)?;
    run.run.said.push(format!("Copied, so there is one more now:\n\n{}", answer::tasks(&added, run.now)));
    // Its parts go with it, each to be done anew and without a date, which was for that time.
    let all = run.look()?;
    let plain = Attrs::default();
    let parts: Vec<Value> = read
        .iter()
        .zip(&added)
        .flat_map(|(whole, copy)| {
            let part = |part: &&Todo| part.parent.as_ref() == Some(&whole.id);
            let again = |part: &Todo| {
                let mut item = same(&Todo { due: None, repeat: None, ..part.clone() }, &plain, run.now);
                item["parent"] = json!(copy.id);
                item
            };
            all.iter().filter(part).map(again).collect::<Vec<_>>()
        })
        .collect();
    if !parts.is_empty() {
        let parts = create(run, &parts)?;
        let head = if parts.len() == 1 { "Its subtask:" } else { "Its subtasks:" };
        run.run.said.push(format!("{head}\n\n{}", answer::tasks(&parts, run.now)));
    }
    Ok(swallowed)
}

/// The arguments that make the same to-do again, with what was said otherwise.
fn same(todo: &Todo, attrs: &Attrs, now: Option<DateTime>) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(key.to_owned(), value);
        }
    };
    let dated = attrs.when.is_some() || attrs.repeat.is_some();
    let due = now.filter(|_| dated).and_then(|now| moved(attrs, todo, now)).or_else(|| todo.due.clone());
    let priority = attrs.priority.unwrap_or(&todo.priority);
    let tags: Vec<&String> =
        todo.tags.iter().chain(attrs.tags.iter().filter(|tag| !todo.tags.contains(tag))).collect();
    put("title", Some(json!(todo.title)));
    put("list", Some(json!(attrs.list.as_ref().unwrap_or(&todo.list))));
    put("notes", (!todo.notes.is_empty()).then(|| json!(todo.notes)));
    put("due", due.map(|due| json!(due)));
    put("priority", (priority != "none").then(|| json!(priority)));
    put("tags", (!tags.is_empty()).then(|| json!(tags)));
    // A copy for another day is for that day alone.
    let kept = todo.repeat.clone().filter(|_| attrs.when.is_none());
    put("repeat", attrs.rule(now).or(kept).map(|rule| json!(rule)));
    Value::Object(out)
}

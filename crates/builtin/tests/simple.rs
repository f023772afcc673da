//! A skill for notes, made of words and tools' names: what it reads, what it calls, what it says; and that the model says no
//! word about to-dos where it has no skill for them.

use crate::common;

use std::sync::Arc;

use builtin::{Simple, Skill, TODO_SKILL, respond};
use common::{collect, specs};
use protocol::{Message, ModelRequest, RunId, StopReason, fence, now_line};
use serde_json::{Value, json};

static NOTES: Simple = Simple {
    domain: "notes",
    thing: "note",
    things: "notes",
    also: &["memo", "memos"],
    field: "text",
    add: "note_add",
    list: "note_list",
    find: Some(("note_find", "query")),
    delete: "note_delete",
    example: "buy paint",
};

const TOOLS: [&str; 13] = [
    "note_add", "note_list", "note_find", "note_delete", "undo", "redo", "history", "user_memory_save",
    "user_memory_search", "user_memory_forget", "todo_create", "todo_list", "todo_delete",
];

/// A conversation over a double of the notes' tools.
struct Talk {
    skills: Vec<&'static dyn Skill>,
    tools: Vec<&'static str>,
    notes: Vec<(String, String)>,
    past: Vec<Vec<(String, String)>>,
    messages: Vec<Message>,
    refuse: Option<&'static str>,
    /// How many notes a page of the list has.
    page: usize,
    /// Deleting a note takes the one after it along.
    in_pairs: bool,
    run: u32,
}

impl Talk {
    fn new(skills: &[&'static dyn Skill]) -> Self {
        let system =
            format!("You are Satchel.\n{}", now_line("2026-11-21T22:30", "Saturday", "Europe/Berlin"));
        Self {
            skills: skills.to_vec(),
            tools: TOOLS.to_vec(),
            notes: vec![],
            past: vec![],
            messages: vec![Message::System { content: system }],
            refuse: None,
            page: usize::MAX,
            in_pairs: false,
            run: 0,
        }
    }

    fn with_notes(notes: &[&str]) -> Self {
        let mut talk = Self::new(&[&NOTES]);
        talk.notes = (1..).zip(notes).map(|(n, text)| (format!("n{n}"), (*text).to_owned())).collect();
        talk
    }

    /// The calls that are made for a message, and the answer.
    fn say(&mut self, text: &str) -> (Vec<String>, String) {
        self.run += 1;
        self.messages.push(Message::user(text));
        let mut calls = Vec::new();
        for step in 1..=10 {
            let request = ModelRequest {
                run_id: RunId(format!("run_{}", self.run)),
                step,
                model: "builtin".into(),
                messages: self.messages.iter().cloned().map(Arc::new).collect(),
                tools: specs(&self.tools),
                temperature: None,
                max_output_tokens: None,
            };
            let (content, tool_calls, reason) = collect(&respond(&request, &self.skills));
            let tool_calls_made = tool_calls.clone();
            self.messages.push(Message::Assistant {
                content: content.clone(),
                thought: String::new(),
                tool_calls,
            });
            if reason == StopReason::Stop {
                assert!(
                    !self.notes.iter().any(|(id, _)| content.contains(id.as_str())),
                    "an id is shown: {content}"
                );
                return (calls, content);
            }
            for call in tool_calls_made {
                calls.push(format!("{} {}", call.name, call.arguments));
                let result = self.answer(&call.name, &call.arguments);
                self.messages.push(Message::Tool {
                    call_id: call.id,
                    name: call.name,
                    content: fence("0123456789abcdef", "tool", &result.clone().unwrap_or_else(|text| text)),
                    is_error: result.is_err(),
                });
            }
        }
        panic!("no answer to {text}");
    }

    fn answer(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let row = |(id, text): &(String, String)| json!({"id": id, "text": text});
        let change = |before: Option<&(String, String)>, after: Option<&(String, String)>| {
            let label = before.or(after).unwrap().1.clone();
            json!({"domain": "notes", "table": "notes", "label": label, "before": before.map(row), "after": after.map(row)})
        };
        let list = |notes: &[(String, String)]| {
            Ok(json!({"items": notes.iter().map(row).collect::<Vec<_>>()}).to_string())
        };
        match tool {
            "note_list" => {
                let from: usize = arguments["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
                let to = from.saturating_add(self.page).min(self.notes.len());
                let mut page = json!({"items": self.notes[from..to].iter().map(row).collect::<Vec<_>>()});
                if to < self.notes.len() {
                    page["next_cursor"] = json!(to.to_string());
                }
                Ok(page.to_string())
            }
            "note_find" => {
                let query = arguments["query"].as_str().unwrap().to_lowercase();
                let found: Vec<_> = self
                    .notes
                    .iter()
                    .filter(|(_, text)| text.to_lowercase().contains(&query))
                    .cloned()
                    .collect();
                list(&found)
            }
            _ if self.refuse.is_some() => Err(self.refuse.take().unwrap().to_owned()),
            "note_add" => {
                self.past.push(self.notes.clone());
                let note =
                    (format!("n{}", self.notes.len() + 1), arguments["text"].as_str().unwrap().to_owned());
                self.notes.push(note.clone());
                Ok(json!({"summary": "Added.", "changes": [change(None, Some(&note))]}).to_string())
            }
            "note_delete" => {
                self.past.push(self.notes.clone());
                let at =
                    self.notes.iter().position(|(id, _)| *id == arguments["id"]).ok_or("It is not there.")?;
                let to = if self.in_pairs { at + 2 } else { at + 1 };
                let gone: Vec<_> = self.notes.drain(at..to).collect();
                let changes: Vec<Value> = gone.iter().map(|note| change(Some(note), None)).collect();
                Ok(json!({"summary": "Deleted.", "changes": changes}).to_string())
            }
            "undo" => {
                let steps = arguments["last"].as_u64().unwrap_or(1) as usize;
                let before = self.past.drain(self.past.len() - steps..).next().unwrap_or_default();
                let mut changes: Vec<Value> = before
                    .iter()
                    .filter(|n| !self.notes.contains(n))
                    .map(|n| change(None, Some(n)))
                    .collect();
                changes
                    .extend(self.notes.iter().filter(|n| !before.contains(n)).map(|n| change(Some(n), None)));
                self.notes = before;
                Ok(json!({"summary": "Undone.", "changes": changes, "undone": [{"tool": "note", "key": "k"}]}).to_string())
            }
            "history" => {
                Ok(json!({"entries": [{"kind": "change", "state": "done", "summary": "Added “Buy paint”."}]})
                    .to_string())
            }
            "user_memory_save" => Ok(json!({"changes": [{}]}).to_string()),
            "todo_create" => Ok(json!({"changes": [{"before": null, "after":
                {"id": "t1", "title": arguments["title"], "status": "open", "priority": "none"}}]})
            .to_string()),
            other => panic!("{other} is not called here"),
        }
    }
}

#[test]
fn a_note_is_added_by_any_of_its_names() {
    for said in [
        "note: buy paint", "Note: buy paint.", "add a note: buy paint",
        "please add a new note saying buy paint", "write down a note about buy paint",
        "could you make a memo: buy paint", "add buy paint to my notes", "save buy paint as a note please",
        "note to self: buy paint", "note that buy paint", "add buy paint",
    ] {
        let mut talk = Talk::new(&[&NOTES]);
        let (calls, answer) = talk.say(said);
        assert_eq!(calls, [r#"note_add {"text":"Buy paint"}"#], "{said}");
        assert_eq!(answer, "Added:\n\n- **Buy paint**", "{said}");
    }
    let (calls, answer) = Talk::new(&[&NOTES]).say("add a note");
    assert_eq!((calls.len(), answer.as_str()), (0, "Which note? Say “note: buy paint”."));
}

#[test]
fn notes_are_shown_counted_and_found() {
    const ALL: &str = "You have 2 notes:\n\n1. **Buy paint**\n2. **Ring Ada**";
    const PAINT: &str = "You have 1 note about “paint”:\n\n1. **Buy paint**";
    for (said, call, expected) in [
        ("show my notes", "note_list {}", ALL),
        ("notes", "note_list {}", ALL),
        ("what notes do I have?", "note_list {}", ALL),
        ("what's in my notes?", "note_list {}", ALL),
        ("list all notes", "note_list {}", ALL),
        ("how many notes do I have?", "note_list {}", "You have 2 notes."),
        ("find notes about paint", r#"note_find {"query":"paint"}"#, PAINT),
        ("find the note about paint", r#"note_find {"query":"paint"}"#, PAINT),
        ("search my notes for paint", r#"note_find {"query":"paint"}"#, PAINT),
        ("which notes mention paint?", r#"note_find {"query":"paint"}"#, PAINT),
        ("do I have a note about paint?", r#"note_find {"query":"paint"}"#, PAINT),
        ("find paint in my notes", r#"note_find {"query":"paint"}"#, PAINT),
        ("find paint", r#"note_find {"query":"paint"}"#, PAINT),
        ("find notes about wood", r#"note_find {"query":"wood"}"#, "You have no notes about “wood”."),
    ] {
        let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
        assert_eq!(talk.say(said), (vec![call.to_owned()], expected.to_owned()), "{said}");
    }
}

#[test]
fn without_a_tool_that_finds_the_list_is_looked_through() {
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
    talk.tools.retain(|tool| *tool != "note_find");
    let (calls, answer) = talk.say("find notes about painting");
    assert_eq!((calls.len(), answer.as_str()), (1, "You have no notes about “painting”."));
    assert!(talk.say("find notes about paint").1.contains("1. **Buy paint**"));
}

#[test]
fn a_note_is_deleted_by_its_words_and_comes_back() {
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
    let (calls, answer) = talk.say("delete the note about paint");
    assert_eq!(calls, [r#"note_find {"query":"paint"}"#, r#"note_delete {"id":"n1"}"#]);
    assert_eq!(answer, "Deleted:\n\n- **Buy paint**\n\nSay “undo” to bring it back.");
    assert_eq!(talk.notes.len(), 1);
    let (calls, answer) = talk.say("undo");
    assert_eq!(
        (calls, answer.as_str()),
        (vec!["undo {}".to_owned()], "Undone:\n\n- “Buy paint” — back again")
    );
    assert_eq!(talk.notes.len(), 2);
    for said in ["delete the paint note", "remove my note about paint", "delete paint"] {
        let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
        talk.say(said);
        assert_eq!(talk.notes, [("n2".to_owned(), "Ring Ada".to_owned())], "{said}");
    }
}

#[test]
fn what_fits_several_is_asked_and_nothing_is_deleted_unless_it_is_clear() {
    let mut talk = Talk::with_notes(&["Buy paint", "Paint the door", "Ring Ada"]);
    let (calls, answer) = talk.say("delete the note about paint");
    assert_eq!(calls.len(), 1);
    assert_eq!(answer, "Which one shall I delete?\n\n1. **Buy paint**\n2. **Paint the door**");
    let (calls, _) = talk.say("the second one");
    assert_eq!(calls, [r#"note_delete {"id":"n2"}"#]);
    // Nothing was asked any more.
    let (calls, _) = talk.say("the second one");
    assert_eq!(calls, [""; 0]);
    let (calls, answer) = talk.say("delete the note about wood");
    assert_eq!(calls, [r#"note_find {"query":"wood"}"#]);
    assert_eq!(answer, "I found no note about “wood”, so I deleted nothing.");
    assert_eq!(talk.notes.len(), 2);
}

#[test]
fn what_was_shown_last_is_pointed_at() {
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
    talk.say("show my notes");
    assert_eq!(talk.say("delete the second one").0, [r#"note_delete {"id":"n2"}"#]);
    talk.say("note: water the fern");
    assert_eq!(talk.say("delete it").0, [r#"note_delete {"id":"n2"}"#]);
    talk.say("show my notes");
    talk.say("delete them");
    assert!(talk.notes.is_empty());
    // Something else was spoken of meanwhile: what stood second then is not guessed at.
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
    talk.say("show my notes");
    talk.say("hello");
    // Nor when it is said once more, nor of the one that is last.
    for said in ["delete the second note", "delete the second note", "delete the last one"] {
        let (calls, answer) = talk.say(said);
        let unknown = "I do not know which note you mean, so I deleted nothing.";
        assert_eq!((calls.len(), answer.as_str()), (0, unknown), "{said}");
    }
    // Nor what stands where something was deleted from.
    talk.say("find notes about paint");
    assert_eq!(talk.say("delete the first one").0, [r#"note_delete {"id":"n1"}"#]);
    assert_eq!(talk.say("delete the first one").0, [""; 0]);
    assert_eq!(talk.notes.len(), 1);
    // Nothing was spoken of: nothing is guessed.
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
    talk.say("hello");
    let (calls, answer) = talk.say("delete the note");
    assert_eq!(
        (calls.len(), answer.as_str()),
        (0, "I do not know which note you mean, so I deleted nothing.")
    );
}

#[test]
fn several_that_were_deleted_come_back_by_what_is_said_of_them() {
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada", "Water the fern"]);
    let (_, answer) = talk.say("delete all my notes");
    let way_back = "undo the last 3";
    assert!(answer.ends_with(&format!("Say “{way_back}” to bring them back.")), "{answer}");
    assert!(talk.notes.is_empty());
    talk.say(way_back);
    assert_eq!(talk.notes.len(), 3);
}

#[test]
fn a_step_back_is_counted_in_changes_not_in_what_they_were_about() {
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada", "Water the fern"]);
    talk.in_pairs = true;
    let (_, answer) = talk.say("delete the note about paint");
    assert_eq!(answer, "Deleted:\n\n- **Buy paint**\n- **Ring Ada**\n\nSay “undo” to bring them back.");
}

#[test]
fn what_is_still_there_of_several_is_named_beside_the_reason() {
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
    talk.refuse = Some("It is locked.");
    let (_, answer) = talk.say("delete all my notes");
    assert!(answer.ends_with("That did not work: It is locked.\n\n- **Buy paint**"), "{answer}");
}

#[test]
fn a_no_to_one_of_two_leaves_that_one_and_says_so() {
    let mut talk = Talk::with_notes(&["Buy paint", "Ring Ada"]);
    talk.refuse = Some("The person declined this. Nothing was done.");
    let (calls, answer) = talk.say("delete all my notes");
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert_eq!(
        answer,
        "Deleted:\n\n- **Ring Ada**\n\nSay “undo” to bring it back.\n\nAs you decided, I left alone:\n\n- **Buy paint**"
    );
}

#[test]
fn a_long_list_is_counted_as_far_as_it_is_read_and_its_last_is_the_last_shown() {
    let names: Vec<String> = (1..=700).map(|n| format!("Note {n}")).collect();
    let mut talk = Talk::with_notes(&names.iter().map(String::as_str).collect::<Vec<_>>());
    talk.page = 100;
    assert_eq!(talk.say("how many notes do I have?").1, "You have more than 500 notes.");
    let (_, answer) = talk.say("show my notes");
    assert!(
        answer.starts_with("You have more than 500 notes:") && answer.ends_with("… and more."),
        "{answer}"
    );
    let (calls, answer) = talk.say("delete the 60th note");
    assert_eq!(
        (calls.len(), answer.as_str()),
        (0, "There is no such note in what I showed, so I deleted nothing.")
    );
    talk.say("show my notes");
    assert_eq!(talk.say("delete the last one").0, [r#"note_delete {"id":"n50"}"#]);
    // Nobody has read to the end: neither the last nor all of them are known.
    let mut talk = Talk::with_notes(&names.iter().map(String::as_str).collect::<Vec<_>>());
    talk.page = 100;
    let (calls, answer) = talk.say("delete the last note");
    assert!(!calls.iter().any(|call| call.starts_with("note_delete")), "{calls:?}");
    assert!(answer.starts_with("You have more than 500 notes, and I did not read"), "{answer}");
    let (_, answer) = talk.say("delete all my notes");
    assert_eq!(answer, "That is more than 500 notes; I delete 20 at a time at most.");
    // Without a tool that finds, what was looked through is said.
    talk.tools.retain(|tool| *tool != "note_find");
    let (_, answer) = talk.say("find notes about note 123");
    assert!(answer.starts_with("You have 1 note about “note 123” among the first 500 notes:"), "{answer}");
    let (_, answer) = talk.say("find notes about wood");
    assert_eq!(answer, "You have no notes about “wood” among the first 500 notes.");
    let (_, answer) = talk.say("delete the note about wood");
    assert_eq!(answer, "I found no note about “wood” among the first 500 notes, so I deleted nothing.");
    // The only one that was found may have another beside it where nobody looked.
    let (calls, answer) = talk.say("delete the note about note 123");
    assert!(!calls.iter().any(|call| call.starts_with("note_delete")), "{calls:?}");
    assert_eq!(answer, "I did not read all of your notes. Which one shall I delete?\n\n1. **Note 123**");
    assert_eq!(talk.say("the first one").0.last().unwrap(), r#"note_delete {"id":"n123"}"#);
    // Which end of a list is the newest, its tool alone knows.
    for said in ["delete the newest note", "delete the latest one"] {
        assert_eq!(talk.say(said).1, "I do not know which note you mean, so I deleted nothing.", "{said}");
    }
}

#[test]
fn a_person_who_says_no_is_heard() {
    let mut talk = Talk::with_notes(&["Buy paint"]);
    talk.refuse = Some("The person declined this. Nothing was done.");
    let (_, answer) = talk.say("delete the note about paint");
    assert_eq!(answer, "As you decided, I left that alone: nothing was changed.");
    talk.refuse = Some("n1 is not there.");
    let (_, answer) = talk.say("delete the note about paint");
    assert_eq!(
        answer,
        "That did not work: the note is not there any more. Say “show my notes” to see what is."
    );
}

#[test]
fn nothing_is_said_of_to_dos_where_they_are_none_of_its_business() {
    let mut talk = Talk::with_notes(&["Buy paint"]);
    for (said, expected) in [
        ("hello", "Hello! Tell me what to note"),
        ("help", "I keep your notes by plain English commands"),
        ("thanks", "You're welcome."),
        ("yes", "for example “note: buy paint” or “show my notes”"),
        ("no", "All right, I did nothing."),
        (
            "what's the weather like in Berlin?",
            "I can only keep notes by plain commands, such as “note: buy paint”",
        ),
        ("complete the report", "I can only keep notes"),
        ("who can see my notes?", "Your notes stay on this device"),
        ("does it work offline?", "your notes and the built-in model work without the internet"),
        ("will you remind me?", "I cannot remind you"),
        ("what time is it?", "It is Saturday"),
        ("what did I change?", "- Added “Buy paint”."),
        ("remember that I'm vegetarian", "I'll remember “I'm vegetarian” in every conversation"),
        ("undo everything", "I can do 20 at once"),
    ] {
        let (_, answer) = talk.say(said);
        assert!(answer.contains(expected), "{said}: {answer}");
        let lower = answer.to_lowercase();
        assert!(
            !["todo", "to-do", "task", "milk"].iter().any(|word| lower.contains(word)),
            "{said}: {answer}"
        );
    }
    let mut mute = Talk::new(&[]);
    assert!(!mute.say("add milk").1.to_lowercase().contains("to-do"));
}

#[test]
fn skills_stand_side_by_side() {
    let mut talk = Talk::new(&[&TODO_SKILL, &NOTES]);
    assert_eq!(talk.say("note: buy paint").0, [r#"note_add {"text":"Buy paint"}"#]);
    assert_eq!(talk.say("add milk").0, [r#"todo_create {"title":"Milk"}"#]);
    assert_eq!(talk.say("show my notes").0, ["note_list {}"]);
    assert_eq!(talk.say("delete the first one").0, [r#"note_delete {"id":"n1"}"#]);
    let help = talk.say("help").1;
    assert!(help.contains("I keep your to-dos and notes") && help.contains("“note: buy paint”"), "{help}");
    // What is taken back is told by whose it is.
    assert_eq!(talk.say("undo").1, "Undone.");
    assert_eq!(talk.notes.len(), 1);
}

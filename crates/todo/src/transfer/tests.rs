//! The readers of other programs' files, with files as those programs write them.

use proptest::prelude::*;
use serde_json::Value;
use store::Moment;

use super::{Drafts, csv, foreign, ics, json};

/// 2026-11-21T22:30 in Berlin, a Saturday.
fn here() -> Moment {
    Moment { at_ms: 1_795_296_600_000, zone: "Europe/Berlin".into(), offset_s: 3600 }
}

fn read(format: &str, text: &str) -> Result<Drafts, String> {
    match format {
        "csv" => csv::read(text, &here()),
        "ics" => ics::read(text, &here()),
        _ => json::read(text, &here()),
    }
}

/// Files by their format.
const FILES: [(&str, &str, &str); 5] = [
    ("google_tasks", "json", include_str!("fixtures/google_tasks.json")),
    ("things", "json", include_str!("fixtures/things.json")),
    ("apple_reminders", "ics", include_str!("fixtures/apple_reminders.ics")),
    ("outlook", "csv", include_str!("fixtures/outlook.csv")),
    ("ticktick", "csv", include_str!("fixtures/ticktick.csv")),
];

/// What is read, a line a to-do: ids in the order in which they come, and no field that says what is so anyway.
fn shown(found: &Drafts) -> String {
    let ids: Vec<&str> = found.drafts.iter().filter_map(|draft| draft.given.get("id")?.as_str()).collect();
    let place =
        |id: &str| ids.iter().position(|known| *known == id).map_or(id.to_owned(), |at| format!("#{at}"));
    let mut text = String::new();
    for draft in &found.drafts {
        text.push_str(&format!("{}:", draft.line));
        for (field, said) in &draft.given {
            match (field.as_str(), said) {
                ("id" | "parent", Value::String(id)) => text.push_str(&format!(" {field}={}", place(id))),
                _ => text.push_str(&format!(" {field}={said}")),
            }
        }
        text.push('\n');
    }
    for (line, why) in &found.rejected {
        text.push_str(&format!("{line} refused: {why}\n"));
    }
    for note in &found.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}

#[test]
fn files_of_other_programs_are_read() {
    for (name, format, text) in FILES {
        insta::assert_snapshot!(name, shown(&read(format, text).unwrap()));
    }
}

#[test]
fn the_same_file_gives_the_same_ids_and_each_once() {
    for (name, format, text) in FILES {
        let ids = || {
            let drafts = read(format, text).unwrap().drafts;
            drafts.iter().map(|draft| draft.given["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let mut once = ids();
        assert_eq!(once, ids(), "{name}");
        once.sort();
        once.dedup();
        assert_eq!(once.len(), ids().len(), "{name}");
    }
}

#[test]
fn what_is_open_in_the_file_and_done_here_stays_done() {
    for (name, format, text) in FILES.into_iter().filter(|(_, format, _)| *format != "ics") {
        let statuses = read(format, text).unwrap().drafts;
        let said: Vec<&Value> = statuses.iter().filter_map(|draft| draft.given.get("status")).collect();
        assert!(!said.is_empty() && said.iter().all(|status| **status == "done"), "{name}: {said:?}");
    }
}

/// What came in from Todoist with an earlier version is known again.
#[test]
fn ids_of_todoists_rows_are_what_they_were() {
    let text = "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DEADLINE\nsection,Trip,,,,,\ntask,Pack,By Friday,4,1,every day,2026-12-01\n";
    let said = r#"1 {"list":"Trip","notes":"By Friday\nevery day\nDeadline: 2026-12-01","priority":"none","title":"Pack"}"#;
    assert_eq!(read("csv", text).unwrap().drafts[0].given["id"], super::made_up(said));
}

#[test]
fn the_order_of_day_and_month_is_the_files() {
    let dues = |dates: &[&str]| {
        let rows: String = dates.iter().map(|date| format!("A,{date},0\n")).collect();
        let found = read("csv", &format!("Subject,Due Date,% Complete\n{rows}")).unwrap();
        let due = |draft: &super::Draft| draft.given.get("due").map_or("-".into(), ToString::to_string);
        let dues: Vec<String> = found.drafts.iter().map(due).collect();
        (dues.join(" ").replace('"', ""), found.notes)
    };
    for (dates, expected) in [
        (&["12/13/2026", "1/2/2027"][..], "2026-12-13 2027-01-02"),
        (&["13/12/2026", "1/2/2027"], "2026-12-13 2027-02-01"),
        (&["13.12.2026", "1.2.2027"], "2026-12-13 2027-02-01"),
        (&["13-12-2026", "1-2-2027"], "2026-12-13 2027-02-01"),
        (&["2026-12-13", "2026/12/13", "5/5/2026"], "2026-12-13 2026-12-13 2026-05-05"),
        (&["12/13/26 12:00:00 AM", "None", ""], "2026-12-13 - -"),
    ] {
        assert_eq!(dues(dates), (expected.to_owned(), vec![]), "{dates:?}");
    }
    let two_ways = |count: &str| vec![format!("{count} read as month/day/year: look whether that is so.")];
    let (read, notes) = dues(&["1/2/2027", "3/3/2027"]);
    assert_eq!(read, "2027-01-02 2027-03-03");
    assert_eq!(notes, two_ways("1 date that can be read in two ways was"));
    // One says this and another that: only they are sure.
    let (read, notes) = dues(&["13/1/2027", "1/13/2027", "1/2/2027", "2/1/2027"]);
    assert_eq!(read, "2027-01-13 2027-01-13 2027-01-02 2027-02-01");
    assert_eq!(notes, two_ways("2 dates that can be read in two ways were"));
    let (read, notes) = dues(&["99/99/2027", "1/2/99999999999", "-1/-2/-3", "/", "☃☃☃"]);
    assert_eq!(read, "- - - - -");
    assert_eq!(notes, ["5 dates are in words and stand in the notes now."]);
}

#[test]
fn moments_and_times_of_day_are_read_as_others_write_them() {
    for (text, expected) in [
        ("2026-11-22T10:00:00Z", Some("2026-11-22T10:00:00Z")),
        ("2026-11-22T10:00:00.123Z", Some("2026-11-22T10:00:00Z")),
        ("2026-11-22T10:00:00+0000", Some("2026-11-22T10:00:00Z")),
        ("2026-11-22T00:30:00+01:00", Some("2026-11-21T23:30:00Z")),
        ("2026-11-22T23:30:00-0230", Some("2026-11-23T02:00:00Z")),
        ("2026-11-22T10:00:00", Some("2026-11-22T10:00:00Z")),
        ("2026-11-22", None),
        ("2026-13-22T10:00:00Z", None),
        ("2026-11-22T10:00:00+1", None),
        ("2026-11-22T10:00:00 UTC", None),
        ("9999-12-31T23:59:59-2359", None),
        ("2026-11-22T10:00:0☃Z", None),
        ("", None),
    ] {
        assert_eq!(foreign::stamp(text).as_deref(), expected, "{text}");
    }
    for (text, expected) in [
        ("9:30:00 AM", Some("09:30:00")),
        ("12:05 a.m.", Some("00:05:00")),
        ("12:05 PM", Some("12:05:00")),
        ("9 pm", Some("21:00:00")),
        ("21.30", Some("21:30:00")),
        ("24:00", None),
        ("13:61", None),
        ("999999:00", None),
        ("soon", None),
    ] {
        assert_eq!(foreign::clock(text).map(|time| time.to_string()).as_deref(), expected, "{text}");
    }
}

#[test]
fn what_is_too_long_is_cut_or_refused_in_no_time() {
    let name = "n".repeat(300);
    let calendar =
        format!("BEGIN:VCALENDAR\nX-WR-CALNAME:{name}\nBEGIN:VTODO\nSUMMARY:A\nEND:VTODO\nEND:VCALENDAR");
    assert_eq!(read("ics", &calendar).unwrap().drafts[0].given["list"], name[..100]);
    let links = vec![r#"{"description":"d","link":"https://a.example/"}"#; 300_000].join(",");
    let task = format!(r#"{{"title":"A","links":[{links}]}}"#);
    let file = format!(r#"{{"kind":"tasks#taskLists","items":[{{"title":"{name}","items":[{task}]}}]}}"#);
    let given = &read("json", &file).unwrap().drafts[0].given;
    assert!(given["notes"].as_str().unwrap().len() < 100_000);
    assert_eq!(given["list"], name[..100]);
}

#[test]
fn what_is_none_of_them_says_what_can_be_read() {
    for (format, text, why) in [
        ("json", r#"{"kind":"tasks#task","items":[]}"#, "Google Tasks (Tasks.json of Takeout) and Things"),
        ("json", r#"{"kind":"tasks#taskLists","items":{}}"#, "missing field `todos`"),
        ("json", r#"{"todos":7}"#, "missing field `todos`"),
        ("json", "7", "Line 1: this is no JSON of to-dos"),
        ("csv", "a,b\n1,2\n", "Todoist, TickTick, and Outlook with Microsoft To Do"),
    ] {
        let error = read(format, text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn hostile_files_are_refused_in_part_or_as_a_whole() {
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let google =
        |task: &str| format!(r#"{{"kind":"tasks#taskLists","items":[{{"title":"L","items":[{task}]}}]}}"#);
    let things = |row: &str| format!(r#"[{{"type":"to-do","attributes":{{"title":"A"}}}},{row}]"#);
    for text in [
        google(
            r#"{"title":{"a":1},"id":1e999,"due":[1],"status":null,"links":{"a":1},"parent":7,"position":[]}"#,
        ),
        google(r#"{"title":"A","id":"x","parent":"x","completed":"x","created":1,"links":[1,{"link":[]}]}"#),
        google(&format!(r#"{{"title":"A","notes":{deep}}}"#)),
        google(&deep),
        google("1e400"),
        r#"{"kind":"tasks#taskLists","items":[7,null,[],{"items":7},{"title":7}]}"#.to_owned(),
        things(r#"{"type":"project","attributes":{"items":7}}"#),
        things(
            r#"{"type":"project","attributes":{"items":[7,{"type":"project","attributes":{"items":[]}}]}}"#,
        ),
        things(r#"{"type":7,"attributes":7}"#),
        things(r#"{"type":"to-do","attributes":{"title":7,"tags":7,"when":"@","checklist-items":{"a":1}}}"#),
        things(r#"{"type":"to-do","attributes":{"title":"B","when":"2026-11-22@99:99","tags":[7," , #"]}}"#),
        things(&format!(r#"{{"type":"to-do","attributes":{{"title":"B","checklist-items":{deep}}}}}"#)),
        things(&deep),
    ] {
        // A number that is too large is an error of the whole file in JSON.
        if let Ok(found) = read("json", &text) {
            assert!(found.drafts.len() + found.rejected.len() + found.notes.len() > 0, "{text:.200}");
        }
    }
}

/// A file of one of the programs, with a part of it put in the place of another.
fn mangled() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let places = prop::array::uniform3(any::<prop::sample::Index>());
    (prop::sample::select(&FILES[..]), places, prop::collection::vec(any::<u8>(), 0..12)).prop_map(
        |((_, format, text), [from, to, at], bytes)| {
            let mut all = text.as_bytes().to_vec();
            let (from, to) = (from.index(all.len()), to.index(all.len()));
            let part = all.drain(from.min(to)..from.max(to)).chain(bytes).collect::<Vec<u8>>();
            let at = at.index(all.len() + 1);
            all.splice(at..at, part);
            (format, all)
        },
    )
}

proptest! {
    #[test]
    fn no_bytes_panic((format, bytes) in mangled()) {
        let _ = read(format, &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_cells_panic(cells in prop::collection::vec("[0-9/.:@ ,;▫▪\"A-Zä-]{0,12}", 24)) {
        for (_, _, file) in &FILES[3..] {
            let header = file.lines().find(|line| line.contains("\"Priority\"")).unwrap();
            let row = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect::<Vec<_>>();
            let _ = read("csv", &format!("{header}\n{}\n", row[..header.matches("\",\"").count() + 1].join(",")));
        }
    }
}

/// A file of to-dos that say the same, by whether each is done: their ids, and whether they are done.
type File = dyn Fn(&[bool]) -> Vec<(String, bool)>;

/// The ids of a file's to-dos, and whether they are done.
fn ids(found: &Drafts) -> Vec<(String, bool)> {
    let id = |draft: &super::Draft| {
        (draft.given["id"].as_str().unwrap().to_owned(), draft.given.contains_key("status"))
    };
    found.drafts.iter().map(id).collect()
}

/// What was added to a file and says the same as what was done does not take its id.
#[test]
fn what_is_done_keeps_its_id_when_the_same_is_added_before_it() {
    let outlook = |rows: &[bool]| {
        let row = |is_done: &bool| format!("Buy milk,,{}\n", if *is_done { 100 } else { 0 });
        let rows: String = rows.iter().map(row).collect();
        ids(&read("csv", &format!("Subject,Due Date,% Complete\n{rows}")).unwrap())
    };
    let things = |rows: &[bool]| {
        let row = |is_done: &bool| {
            format!(r#"{{"type":"to-do","attributes":{{"title":"Buy milk","completed":{is_done}}}}}"#)
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        ids(&read("json", &format!("[{}]", rows.join(","))).unwrap())
    };
    let checklist = |rows: &[bool]| {
        let row =
            |is_done: &bool| format!(r#"{{"attributes":{{"title":"Buy milk","completed":{is_done}}}}}"#);
        let rows = rows.iter().map(row).collect::<Vec<_>>().join(",");
        let todo =
            format!(r#"[{{"type":"to-do","attributes":{{"title":"Shop","checklist-items":[{rows}]}}}}]"#);
        ids(&read("json", &todo).unwrap()).split_off(1)
    };
    let files: [&File; 3] = [&outlook, &things, &checklist];
    for file in files {
        let (open, done) = (file(&[false])[0].0.clone(), file(&[true])[0].0.clone());
        // It was done here and there.
        assert_eq!(open, done);
        let grown = file(&[false, true]);
        assert_eq!((&grown[1], grown[0].1), (&(done.clone(), true), false));
        assert_ne!(grown[0].0, done);
        assert_eq!(file(&[true, false])[0], (done, true));
        let many: Vec<String> = file(&[false, true, false, true]).into_iter().map(|(id, _)| id).collect();
        assert!((0..4).all(|at| !many[..at].contains(&many[at])), "{many:?}");
    }
}

#[test]
fn the_items_of_a_project_are_as_far_as_it_is() {
    let project = |said: &str, items: &str| {
        let text = format!(r#"[{{"type":"project","attributes":{{"title":"P","items":[{items}]{said}}}}}]"#);
        shown(&read("json", &text).unwrap())
    };
    let two = r#"{"type":"to-do","attributes":{"title":"A"}},{"type":"heading","attributes":{"title":"H"}},
        {"type":"to-do","attributes":{"title":"B","completed":true,"completion-date":"2026-11-02T10:00:00Z"}}"#;
    assert_eq!(
        project(r#","completed":true,"completion-date":"2026-11-03T10:00:00Z""#, two),
        "1: completed=\"2026-11-03T10:00:00Z\" id=#0 list=\"P\" status=\"done\" title=\"A\"\n\
         2: completed=\"2026-11-02T10:00:00Z\" id=#1 list=\"P\" status=\"done\" title=\"B\"\n\
         note: 1 heading was left out.\n"
    );
    assert_eq!(project(r#","canceled":true"#, two), "note: 2 to-dos of cancelled projects were left out.\n");
    assert_eq!(project("", ""), "note: 1 project without to-dos was left out.\n");
    assert!(project("", two).contains("id=#0 list=\"P\" title=\"A\"\n"));
}

#[test]
fn comments_on_no_task_are_left_out_and_said() {
    let text = "TYPE,CONTENT,INDENT\nnote,Of the project,\ntask,A,1\nnote,Of A,\nnote,Of A too,\nsection,S,\nnote,Of S,\ntask,B,1\nnote,Of B,\n";
    assert_eq!(
        shown(&read("csv", text).unwrap()),
        "3: id=#0 notes=\"Of A\\nOf A too\" priority=\"none\" title=\"A\"\n\
         8: id=#1 list=\"S\" notes=\"Of B\" priority=\"none\" title=\"B\"\n\
         note: 2 comments that are on no task were left out.\n"
    );
}

#[test]
fn reminders_that_are_put_on_the_time_are_counted() {
    let file = |times: &[&str]| {
        let todo = |time: &&str| {
            format!(
                "BEGIN:VTODO\nUID:{time}\nSUMMARY:A\nDUE:20270710T090000\nBEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:20270710T{time}Z\nEND:VALARM\nEND:VTODO\n"
            )
        };
        let todos: String = times.iter().map(todo).collect();
        let text = format!("BEGIN:VCALENDAR\nPRODID:-//Apple Inc.//Reminders//EN\n{todos}END:VCALENDAR\n");
        read("ics", &text).unwrap().notes
    };
    assert_eq!(file(&["080000"]), Vec::<String>::new());
    assert_eq!(file(&["070000"]), ["1 reminder an hour from its time was put on it."]);
    assert_eq!(
        file(&["070000", "090000", "080000", "060000"]),
        ["2 reminders an hour from their time were put on it."]
    );
}

/// "Today" is that of the day on which it was made.
#[test]
fn words_for_days_count_from_when_a_to_do_was_made() {
    let due = |when: &str, created: &str| {
        let text = format!(
            r#"[{{"type":"to-do","attributes":{{"title":"A","when":"{when}","creation-date":"{created}"}}}}]"#
        );
        let draft = read("json", &text).unwrap().drafts.remove(0);
        (draft.given["due"].as_str().unwrap().to_owned(), draft.is_due_by_today)
    };
    for (when, created, expected, by_today) in [
        ("today", "2026-11-19T09:30:00Z", "2026-11-19", false),
        // Here it was the next day already.
        ("today", "2026-11-19T23:30:00Z", "2026-11-20", false),
        ("evening", "2026-11-19T09:30:00Z", "2026-11-19", false),
        ("tomorrow@18:00", "2026-11-19T09:30:00Z", "2026-11-20T18:00", false),
        ("2026-12-01", "2026-11-19T09:30:00Z", "2026-12-01", false),
        ("today", "", "2026-11-21", true),
        ("tomorrow@18:00", "soon", "2026-11-22T18:00", true),
        ("2026-12-01", "", "2026-12-01", false),
    ] {
        assert_eq!(due(when, created), (expected.to_owned(), by_today), "{when} {created}");
    }
}

//! Files out and in, as the app's screens have them.

use serde_json::{Value, json};

use super::bench::Bench;

/// To-dos with everything that a format can get wrong.
fn shelf() -> Bench {
    let bench = Bench::new();
    bench.fill(
        "[ ] Buy milk; due 2026-11-22; high; #home #shop; in Groceries
         [ ] Call Ann; due 2026-11-21T15:00; urgent
         [ ] Water plants; due 2026-11-24; medium; every FREQ=WEEKLY;BYDAY=TU
         [ ] Party; low
         [ ] balloons; under Party
         [x] Eggs; in Groceries",
    );
    let odd =
        "=1+1, \"quoted\"; and\\n a very long title that has to be folded somewhere, with ümläuts 👩‍👩‍👧 in it";
    bench.call("todo_create", json!({"title": odd, "notes": "-one\ntwo, three; four\\ \"five\"\n\tsix"}));
    bench.call("todo_create", json!({"title": "'@mention", "notes": "BEGIN:VTODO\nEND:VCALENDAR"}));
    bench
}

fn export(bench: &Bench, format: &str) -> String {
    let out = bench.call("data_export", json!({ "format": format }));
    out.structured()["text"].as_str().unwrap_or_else(|| panic!("{}", out.text)).to_owned()
}

fn import(bench: &Bench, format: &str, text: &str, mode: &str) -> Value {
    let arguments = json!({"format": format, "text": text, "mode": mode});
    let before = bench.export();
    let preview =
        bench.with_meta("data_import", arguments.clone(), json!({"dev.satchel/preview": true})).unwrap();
    assert_eq!(bench.export(), before, "a dry run changes nothing");
    let out = bench.call("data_import", arguments);
    assert!(!out.is_error, "{}", out.text);
    assert_eq!(preview.structured(), out.structured());
    out.structured()
}

/// `new changed unchanged removed`, and what was refused.
fn counts(out: &Value) -> (String, Vec<String>) {
    let count = ["new", "changed", "unchanged", "removed"].map(|name| out[name].to_string()).join(" ");
    let rejected = out["rejected"].as_array().unwrap().iter();
    (count, rejected.map(|line| format!("{}: {}", line["line"], line["reason"].as_str().unwrap())).collect())
}

#[test]
fn a_file_brings_back_everything_in_every_format() {
    for format in ["json", "ics", "csv"] {
        let bench = shelf();
        let text = export(&bench, format);
        let before = bench.export();
        // Into what is there: nothing to do, and nothing written.
        let rev = bench.server.db().rev();
        assert_eq!(counts(&import(&bench, format, &text, "add")), ("0 0 8 0".into(), vec![]), "{format}");
        assert_eq!(counts(&import(&bench, format, &text, "replace")), ("0 0 8 0".into(), vec![]), "{format}");
        assert_eq!(bench.server.db().rev(), rev, "{format}");
        // Into nothing: all of it, byte for byte, as one change.
        let other = Bench::new();
        assert_eq!(counts(&import(&other, format, &text, "add")), ("8 0 0 0".into(), vec![]), "{format}");
        // A file of another format may be anybody's.
        let mark = ",\n    \"untrusted\": \"import\"";
        assert_eq!(other.export().matches(mark).count(), if format == "json" { 0 } else { 8 }, "{format}");
        assert_eq!(other.export().replace(mark, ""), before, "{format}");
        assert_eq!(other.server.db().rev(), 1, "{format}");
        other.call("undo", json!({}));
        assert_eq!(other.lines(), "", "{format}");
    }
}

#[test]
fn what_comes_in_by_a_file_is_marked_and_ones_own_copy_is_not() {
    let marked = |bench: &Bench| -> Vec<String> {
        let all =
            bench.call("todo_list", json!({"status": "all", "sort": "title", "limit": 200})).structured();
        let all = all["items"].as_array().unwrap().iter();
        let from_outside = all.filter(|todo| todo["untrusted"] == "import");
        from_outside.map(|todo| todo["title"].as_str().unwrap().to_owned()).collect()
    };
    let (csv, list) =
        ("title\nDelete everything\n", r#"[{"id": "x", "title": "Send it all", "untrusted": false}]"#);
    let ics = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\nSUMMARY:Call me\nEND:VTODO\nEND:VCALENDAR\n";
    let bench = Bench::new();
    bench.call("todo_create", json!({"title": "My own"}));
    for (format, text) in [("csv", csv), ("json", list), ("ics", ics)] {
        assert_eq!(counts(&import(&bench, format, text, "add")).0, "1 0 0 0", "{format}");
        // A second time there is nothing to do, and the mark stays.
        assert_eq!(counts(&import(&bench, format, text, "add")).0, "0 0 1 0", "{format}");
    }
    assert_eq!(marked(&bench), ["Call me", "Delete everything", "Send it all"]);
    // What a person makes of it is still what came in.
    bench.call("todo_update", json!({"id": "x", "title": "Send some of it"}));
    assert_eq!(marked(&bench), ["Call me", "Delete everything", "Send some of it"]);

    // The app's own copy brings back which are the person's own and which are not.
    let copy = export(&bench, "json");
    let other = Bench::new();
    import(&other, "json", &copy, "add");
    assert_eq!(marked(&other), marked(&bench));
    assert_eq!(
        export(&other, "json").lines().skip(1).collect::<Vec<_>>(),
        copy.lines().skip(1).collect::<Vec<_>>()
    );
    // One that somebody changed is no copy of one's own any more.
    let altered = Bench::new();
    import(&altered, "json", &copy.replace("My own", "My 0wn"), "add");
    assert_eq!(marked(&altered).len(), 4);
    // A file that changes a to-do of one's own brings its words from outside.
    let mine = bench.call("todo_list", json!({"text": "own"})).structured()["items"][0]["id"].clone();
    import(
        &bench,
        "json",
        &json!([{"id": mine, "title": "Not my own", "status": "open"}]).to_string(),
        "add",
    );
    assert!(marked(&bench).contains(&"Not my own".to_owned()));
}

#[test]
fn json_keeps_what_this_version_does_not_know_and_says_what_was_altered() {
    let bench = shelf();
    let text =
        export(&bench, "json").replace("\"title\":\"Party\"", "\"colour\":{\"deep\":[1]},\"title\":\"Fête\"");
    let out = import(&bench, "json", &text, "add");
    assert_eq!(counts(&out), ("0 1 7 0".into(), vec![]));
    assert_eq!(out["notes"], json!(["The file was changed after it was exported."]));
    assert_eq!(out["changes"][0]["after"]["colour"], json!({"deep": [1]}));
    assert!(export(&bench, "json").contains(r#""colour":{"deep":[1]}"#));
    // Through an update, a restart and an undo.
    bench.call("todo_complete", bench.with_ids(&json!({"id": "$Fête"})));
    bench.call("undo", json!({}));
    let again = Bench::over(bench.journal.clone(), "worker_b");
    assert_eq!(again.export(), bench.export());
    assert!(again.export().contains("colour"));
}

#[test]
fn replacing_deletes_what_the_file_does_not_have_and_copies_before() {
    let bench = shelf();
    let text = export(&bench, "json");
    bench.call("todo_create", json!({"title": "Later"}));
    bench.call("todo_update", bench.with_ids(&json!({"id": "$Party", "priority": "high"})));
    let before = bench.export();
    let out = import(&bench, "json", &text, "replace");
    assert_eq!(counts(&out).0, "0 1 7 1");
    assert_eq!(out["summary"], "Imported to-dos: 1 changed, 1 removed.");
    let saved = bench.call("data_snapshots", json!({})).structured()["snapshots"].clone();
    assert_eq!((saved.as_array().unwrap().len(), &saved[0]["automatic"]), (1, &json!(true)));
    bench.call("undo", json!({}));
    assert_eq!(bench.export(), before);
    bench.call("data_restore", json!({"snapshot": saved[0]["id"]}));
    assert_eq!(bench.export(), before);
}

#[test]
fn a_broken_file_changes_nothing_and_says_where_it_is_broken() {
    let bench = shelf();
    let whole = export(&bench, "json");
    let ics = export(&bench, "ics");
    let cases: Vec<(&str, String, &str)> = vec![
        ("json", String::new(), "Line 1: this is no JSON of to-dos"),
        ("json", "hello".into(), "Line 1: this is no JSON"),
        (
            "json",
            whole[..whole.find("Party").unwrap()].into(),
            "this is no JSON of to-dos (EOF while parsing",
        ),
        (
            "json",
            whole.replace("},\n", "}\n"),
            "Line 3: this is no JSON of to-dos (expected `,` or `]`, column 1).",
        ),
        ("json", "{\"rows\":[]}".into(), "missing field `todos`"),
        ("json", whole.replace("\"satchel\":1", "\"satchel\":2"), "a newer version of the app"),
        ("csv", String::new(), "Line 1: the file is empty"),
        ("csv", "name2,when\na,b\n".into(), "Line 1: there is no column called title."),
        (
            "csv",
            "title\r\nok\r\n\"never\r\nends".into(),
            "Line 3: a cell begins with a quotation mark and never ends.",
        ),
        ("csv", "title\na\"b\n".into(), "Line 2: a quotation mark stands inside a cell"),
        ("ics", String::new(), "Line 1: the file is empty."),
        ("ics", "hello".into(), "Line 1: this is no iCalendar file"),
        ("ics", ics.replace("END:VCALENDAR\r\n", ""), "Line 1: VCALENDAR begins and never ends."),
        ("ics", ics.replacen("END:VTODO\r\n", "", 1), "END:VCALENDAR, but VTODO of line"),
        (
            "ics",
            "BEGIN:VCALENDAR\nnonsense\nEND:VCALENDAR".into(),
            "Line 2: there is no colon in \"nonsense\".",
        ),
        ("ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:X".into(), "Line 3: nothing is open to end."),
        ("xml", "<a/>".into(), "The format must be json, ics or csv."),
    ];
    let (before, rev) = (bench.export(), bench.server.db().rev());
    for (format, text, why) in cases {
        for mode in ["add", "replace"] {
            let out = bench.call("data_import", json!({"format": format, "text": text, "mode": mode}));
            assert!(out.is_error && out.text.contains(why), "{format} {why}: {}", out.text);
        }
    }
    assert_eq!((bench.export(), bench.server.db().rev()), (before, rev));
}

#[test]
fn single_lines_are_refused_with_their_number_and_the_rest_comes_in() {
    let rows: &[(&str, &str, &str, &[&str])] = &[
        (
            "csv",
            "Title;Due;Priority;Tags;List\nA;2026-11-22;HIGH;x, y;Home\nB;soon;;;\n;;;;\n\nC;;mad;;\nD;;;;;;\n",
            "1 0 0 0",
            &["3: \"soon\" is no date", "6: Unknown variant `mad`", "7: It has 7 cells"],
        ),
        (
            "csv",
            "\u{feff}title,id\nA,1\nB,1\n,2\nC,3",
            "2 0 0 0",
            &["3: The file has a to-do of the same id in line 2.", "4: It has no title."],
        ),
        (
            "json",
            "[\n{\"id\":\"a\",\"title\":\"A\"},\n7,\n{\"id\":\"b\"},\n{\"title\":\"C\",\"status\":\"maybe\"}]",
            "1 0 0 0",
            &["3: This is no to-do.", "4: It has no title.", "5: Unknown variant `maybe`"],
        ),
        (
            "ics",
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:A\nEND:VTODO\nBEGIN:VTODO\nUID:2\nEND:VTODO\nBEGIN:VTODO\nUID:3\nSUMMARY:C\nRRULE:FREQ=SECONDLY\nEND:VTODO\nEND:VCALENDAR",
            "1 0 0 0",
            &["6: It has no title.", "9: "],
        ),
    ];
    for (format, text, expected, rejected) in rows {
        let bench = Bench::new();
        let (count, lines) = counts(&import(&bench, format, text, "add"));
        assert_eq!(count, *expected, "{text}: {lines:?}");
        assert_eq!(lines.len(), rejected.len(), "{text}: {lines:?}");
        for (line, start) in lines.iter().zip(*rejected) {
            assert!(line.starts_with(start), "{line} / {start}");
        }
        // The same file again finds everything there.
        assert_eq!(&counts(&import(&bench, format, text, "add")).0[..4], "0 0 ", "{text}");
        // It may not replace everything.
        let out = bench.call("data_import", json!({"format": format, "text": text, "mode": "replace"}));
        assert!(out.is_error && out.text.contains("Nothing was changed"), "{}", out.text);
    }
}

#[test]
fn a_calendar_of_another_program_is_understood() {
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nEND:VTIMEZONE\r\n\
        BEGIN:VEVENT\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\n\
        BEGIN:VTODO\r\nUID:20070313T123432Z-456553@example.com\r\nSUMMARY;LANGUAGE=en:Sub\r\n mit \\, the\r\n\t return\r\n\
        DUE;TZID=\"Europe/Berlin\":20261124T090000\r\nPRIORITY:1\r\nCATEGORIES:FAMILY,My Money\r\n\
        BEGIN:VALARM\r\nSUMMARY:no\r\nTRIGGER:-PT30M\r\nEND:VALARM\r\nSTATUS:IN-PROCESS\r\nEND:VTODO\r\n\
        BEGIN:VTODO\r\nUID:two\r\nSUMMARY:UTC\r\nDUE:20261124T230000Z\r\nSTATUS:COMPLETED\r\nCOMPLETED:20261120T101500Z\r\nRELATED-TO:gone\r\nEND:VTODO\r\n\
        END:VCALENDAR\r\n";
    let bench = Bench::new();
    let out = import(&bench, "ics", text, "add");
    assert_eq!(counts(&out), ("2 0 0 0".into(), vec![]));
    assert_eq!(
        bench.lines(),
        "[ ] Submit , the return; due 2026-11-24T09:00; urgent; #FAMILY #My-Money; remind -PT30M\n[x] UTC; due 2026-11-25T00:00"
    );
    assert_eq!(bench.todos()[1].completed.as_deref(), Some("2026-11-20T10:15:00Z"));
    assert_eq!(
        out["notes"],
        json!([
            "1 entry that is no to-do was left out.",
            "1 time in UTC was converted to your local time as it is today: across a change to or from summer time that is an hour off.",
            "1 to-do stands on its own, because what it is a part of is not there."
        ])
    );
}

#[test]
fn what_a_calendar_says_and_is_not_taken_over_is_said() {
    let todo = |lines: &str| format!("BEGIN:VTODO\nUID:u\nSUMMARY:A\n{lines}\nEND:VTODO\n");
    let weekly = "DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=WEEKLY";
    let rows: &[(&str, String, &str, &[&str])] = &[
        ("no zone", todo("DUE:20261124T090000"), "[ ] A; due 2026-11-24T09:00", &[]),
        ("this zone", todo("DUE;TZID=/europe/berlin:20261124T090000"), "[ ] A; due 2026-11-24T09:00", &[]),
        (
            "another zone",
            todo("DUE;TZID=America/New_York:20261124T090000"),
            "[ ] A; due 2026-11-24T09:00",
            &[
                "1 time is on the clock of another time zone (America/New_York) and stayed as written there, not moved to yours.",
            ],
        ),
        (
            "start and end are one",
            todo("DTSTART;TZID=Asia/Tokyo:20261124T080000\nDUE;TZID=Asia/Tokyo:20261124T090000"),
            "[ ] A; due 2026-11-24T09:00",
            &[
                "1 time is on the clock of another time zone (Asia/Tokyo) and stayed as written there, not moved to yours.",
            ],
        ),
        ("a day is a day", todo("DUE;TZID=Asia/Tokyo;VALUE=DATE:20261124"), "[ ] A; due 2026-11-24", &[]),
        (
            "start and end in UTC",
            todo("DTSTART:20261124T080000Z\nDUE:20261124T090000Z"),
            "[ ] A; due 2026-11-24T10:00",
            &[
                "1 time in UTC was converted to your local time as it is today: across a change to or from summer time that is an hour off.",
            ],
        ),
        (
            "days left out",
            todo(&format!("{weekly}\nEXDATE;VALUE=DATE:20261201")),
            "[ ] A; due 2026-11-24; every FREQ=WEEKLY",
            &["1 to-do repeats without the single days that the file leaves out or adds."],
        ),
        (
            "days added",
            todo(&format!("{weekly}\nRDATE;VALUE=DATE:20261203\nEXDATE;VALUE=DATE:20261201")),
            "[ ] A; due 2026-11-24; every FREQ=WEEKLY",
            &["1 to-do repeats without the single days that the file leaves out or adds."],
        ),
        (
            "a turn of its own",
            format!("{}{}", todo("RECURRENCE-ID;VALUE=DATE:20261201\nDUE;VALUE=DATE:20261202"), todo(weekly)),
            "[ ] A; due 2026-11-24; every FREQ=WEEKLY",
            &["1 change of a single turn of a repeating to-do was left out: only the rule is taken over."],
        ),
        (
            "a turn without its rule",
            todo("RECURRENCE-ID;VALUE=DATE:20261201\nDUE;VALUE=DATE:20261202"),
            "[ ] A; due 2026-12-02",
            &[],
        ),
    ];
    for (row, text, lines, notes) in rows {
        let bench = Bench::new();
        let out = import(&bench, "ics", &format!("BEGIN:VCALENDAR\n{text}END:VCALENDAR\n"), "add");
        assert_eq!(counts(&out), ("1 0 0 0".into(), vec![]), "{row}");
        assert_eq!((bench.lines().as_str(), &out["notes"]), (*lines, &json!(notes)), "{row}");
    }
}

#[test]
fn what_was_done_and_comes_again_stays_done_and_that_is_said() {
    let bench = Bench::new();
    let shopping = "title,list\nMilk,Shop\nEggs,Shop\nTea,Shop\n";
    import(&bench, "csv", shopping, "add");
    bench.call("todo_complete", bench.with_ids(&json!({"ids": ["$Milk", "$Tea"]})));
    let out = import(&bench, "csv", shopping, "add");
    assert_eq!(counts(&out).0, "0 0 3 0");
    assert_eq!(
        out["notes"],
        json!([
            "2 to-dos of the file are done already, and stay so. To do the same again, reopen them or add them anew."
        ])
    );
    // A file that says what is open opens it.
    let out = import(&bench, "csv", "title,list,status\nMilk,Shop,open\n", "add");
    assert_eq!((counts(&out).0, &out["notes"]), ("1 0 0 0".into(), &json!([])));
    // By an id, only the file counts.
    import(&bench, "csv", "id,title\nx,X\n", "add");
    bench.call("todo_complete", json!({"id": "x"}));
    assert_eq!(import(&bench, "csv", "id,title\nx,X\n", "add")["notes"], json!([]));
}

#[test]
fn columns_are_known_by_what_other_programs_call_them() {
    for (text, lines) in [
        ("Task,Due Date,Notes\nA,2026-11-22,n\n", "[ ] A; due 2026-11-22; notes n"),
        ("Name,Date,Description,Project\nA,2026-11-22,n,Home\n", "[ ] A; due 2026-11-22; in Home; notes n"),
        ("Content,Labels\nA,x\n", "[ ] A; #x"),
        ("Summary,Details,Deadline\nA,n,2026-11-22T10:00\n", "[ ] A; due 2026-11-22T10:00; notes n"),
        // A date in another form is no reason to leave the rest out.
        ("Task,Date\nA,3/11/2026\n", "[ ] A; notes 3/11/2026"),
        // A content is the notes where something else is the title, and our own name comes before all others.
        ("List Name,Title,Content\nHome,A,n\n", "[ ] A; in Home; notes n"),
        ("Date,Due,Title,Name\n2020-01-01,2026-11-22,A,B\n", "[ ] A; due 2026-11-22"),
    ] {
        let bench = Bench::new();
        assert_eq!(counts(&import(&bench, "csv", text, "add")), ("1 0 0 0".into(), vec![]), "{text}");
        assert_eq!(bench.lines(), lines, "{text}");
    }
}

#[test]
fn a_list_from_todoist_is_understood() {
    let text = "\u{feff}TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\r\n\
        meta,view_style=list,,,,,,,,\r\n\
        task,Pay rent,By transfer,1,1,Ann (1),,every month,en,Europe/Berlin\r\n\
        note,Ask for a receipt,,,,Ann (1),,,,\r\n\
        ,,,,,,,,,\r\n\
        section,Trip,,,,,,,,\r\n\
        task,Pack,,4,1,Ann (1),,2026-11-28,en,Europe/Berlin\r\n\
        task,Shoes,,2,2,Ann (1),,,en,\r\n\
        task,Laces,,4,3,Ann (1),,,en,\r\n\
        task,Shirts,,3,2,Ann (1),,,en,\r\n\
        task,Book a room,,4,1,Ann (1),,,en,\r\n";
    let bench = Bench::new();
    let out = import(&bench, "csv", text, "add");
    assert_eq!(counts(&out), ("6 0 0 0".into(), vec![]));
    assert_eq!(out["notes"], json!(["1 date is in words and stands in the notes now."]));
    assert_eq!(
        bench.lines(),
        "[ ] Pay rent; urgent; notes By transfer\nevery month\nAsk for a receipt\n\
         [ ] Pack; due 2026-11-28; in Trip\n[ ] Shoes; high; in Trip; under Pack\n[ ] Laces; in Trip; under Shoes\n\
         [ ] Shirts; medium; in Trip; under Pack\n[ ] Book a room; in Trip"
    );
    // The same file again is there already.
    assert_eq!(counts(&import(&bench, "csv", text, "replace")).0, "0 0 6 0");
}

/// "Today" of a file is the day on which it came in first.
#[test]
fn the_same_file_another_day_moves_no_dates() {
    let todo = |title: &str, when: &str| {
        format!(r#"{{"type":"to-do","attributes":{{"title":"{title}","when":"{when}"}}}}"#)
    };
    let text = format!("[{},{}]", todo("Milk", "today"), todo("Call", "tomorrow@18:00"));
    let bench = Bench::new();
    assert_eq!(counts(&import(&bench, "json", &text, "add")).0, "2 0 0 0");
    let expected = "[ ] Milk; due 2026-11-21\n[ ] Call; due 2026-11-22T18:00";
    assert!(bench.lines().starts_with(expected), "{}", bench.lines());
    bench.now_ms.set(bench.now_ms.get() + 3 * 86_400_000);
    assert_eq!(counts(&import(&bench, "json", &text, "add")).0, "0 0 2 0");
    let text = format!("[{},{}]", todo("Milk", "today"), todo("Tea", "today"));
    assert_eq!(counts(&import(&bench, "json", &text, "add")).0, "1 0 1 0");
    assert!(bench.lines().contains("[ ] Tea; due 2026-11-24"), "{}", bench.lines());
}

#[test]
fn lists_of_a_file_are_written_as_they_are_here() {
    let bench = Bench::new();
    bench.fill("[ ] Eggs; in Groceries");
    let text = "title,list\nMilk,groceries\nTea,GROCERIES\nLetter,work\nPen,Work\nNote,inbox\n";
    import(&bench, "csv", text, "add");
    assert_eq!(
        bench.lines(),
        "[ ] Eggs; in Groceries\n[ ] Milk; in Groceries\n[ ] Tea; in Groceries\n[ ] Letter; in work\n\
         [ ] Pen; in work\n[ ] Note"
    );
    assert_eq!(counts(&import(&bench, "csv", text, "add")).0, "0 0 5 0");
    // One's own copy is as it was, and two lists that are there stay two.
    let own = export(&bench, "json");
    let other = Bench::new();
    import(&other, "csv", "title,list\nSoap,GROCERIES\n", "add");
    import(&other, "json", &own, "add");
    assert!(other.lines().contains("[ ] Milk; in Groceries\n"), "{}", other.lines());
    let all = export(&other, "ics");
    assert_eq!(counts(&import(&other, "ics", &all, "replace")).0, "0 0 7 0");
}

#[test]
fn a_deadline_from_todoist_is_not_lost() {
    let text =
        "TYPE,CONTENT,INDENT,DATE,DEADLINE\ntask,Tax,1,,2026-12-01\ntask,Visa,1,2026-11-25,2026-12-01\n";
    let bench = Bench::new();
    import(&bench, "csv", text, "add");
    let expected = "[ ] Tax; due 2026-12-01\n[ ] Visa; due 2026-11-25; notes Deadline: 2026-12-01";
    assert_eq!(bench.lines(), expected);
}

#[test]
fn what_is_written_keeps_to_the_formats() {
    let bench = shelf();
    let ics = export(&bench, "ics");
    assert!(ics.split("\r\n").all(|line| line.len() <= 75 && !line.contains('\n')), "{ics}");
    assert!(
        ics.contains("\r\nRRULE:FREQ=WEEKLY;BYDAY=TU\r\n")
            && ics.contains("\r\nDTSTART;VALUE=DATE:20261124\r\n")
    );
    assert!(ics.contains("\r\nDUE:20261121T150000\r\nPRIORITY:1\r\n"));
    let csv = export(&bench, "csv");
    assert!(csv.starts_with(
        "title,status,due,priority,tags,list,notes,repeat,remind,zone,parent,order,created,updated,completed,id\r\n"
    ));
    assert!(csv.contains("\"'=1+1, \"\"quoted\"\"; and") && csv.contains("\r\n''@mention,open,"), "{csv}");
    assert!(csv.contains("\"'-one\ntwo"));
    let json: Value = serde_json::from_str(&export(&bench, "json")).unwrap();
    assert_eq!(
        (&json["satchel"], &json["count"], json["todos"].as_array().unwrap().len()),
        (&json!(1), &json!(8), 8)
    );
}

#[test]
fn alarms_of_a_calendar_are_reminders() {
    let bench = Bench::new();
    bench.fill(
        "[ ] Dentist; due 2026-11-24T15:00; remind -PT1H\n[ ] Bins; due 2026-11-23; remind PT0S\n\
         [ ] Oven; remind 2026-11-22T10:00\n[ ] Late; due 2026-11-23; remind 2026-11-23T20:00",
    );
    let ics = export(&bench, "ics");
    // A day begins at midnight in a calendar. A time of its own is in UTC there: Berlin is an hour ahead in November.
    for trigger in
        [";RELATED=END:-PT1H", ";RELATED=END:PT9H", ";VALUE=DATE-TIME:20261122T090000Z", ";RELATED=END:PT20H"]
    {
        assert!(ics.contains("BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:"), "{ics}");
        assert!(ics.contains(&format!("\r\nTRIGGER{trigger}\r\nEND:VALARM\r\n")), "{trigger} in {ics}");
    }
    let lines = bench.lines();
    // Without our own property another program's file comes to the same.
    for text in [
        ics.clone(),
        ics.lines().filter(|line| !line.starts_with("X-SATCHEL-REMIND")).collect::<Vec<_>>().join("\n"),
    ] {
        let other = Bench::new();
        import(&other, "ics", &text, "add");
        assert_eq!(other.lines(), lines, "{text}");
    }
    let todo = |lines: &str| {
        format!("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\nSUMMARY:A\n{lines}\nEND:VTODO\nEND:VCALENDAR\n")
    };
    let alarm = |trigger: &str| format!("BEGIN:VALARM\nACTION:AUDIO\n{trigger}\nEND:VALARM");
    for (lines, expected) in [
        (format!("DUE:20261124T090000\n{}", alarm("TRIGGER:-PT15M")), "due 2026-11-24T09:00; remind -PT15M"),
        (
            format!("DTSTART:20261124T080000\nDUE:20261124T090000\n{}", alarm("TRIGGER:PT0S")),
            "due 2026-11-24T09:00; remind -PT1H",
        ),
        (
            format!("DUE:20261124T090000\n{}", alarm("TRIGGER;VALUE=DATE-TIME:20261123T080000Z")),
            "due 2026-11-24T09:00; remind -P1D",
        ),
        // The first one that says when; none that says nothing, and none before what has no date.
        (
            format!("DUE:20261124\n{}\n{}", alarm("TRIGGER:PT10H"), alarm("TRIGGER:PT0S")),
            "due 2026-11-24; remind 2026-11-24T10:00",
        ),
        (format!("DUE:20261124\n{}", alarm("TRIGGER:soon")), "due 2026-11-24"),
        (alarm("TRIGGER:-PT15M"), ""),
        // One at a place, and one that says that there is none, are passed over.
        (
            format!(
                "DUE:20261124\n{}\n{}\n{}",
                alarm("TRIGGER;VALUE=DATE-TIME:19760401T005545Z"),
                alarm("TRIGGER:PT0S\nX-APPLE-PROXIMITY:ARRIVE"),
                alarm("TRIGGER:PT9H")
            ),
            "due 2026-11-24; remind PT0S",
        ),
        // Another program has moved the alarm, or taken it away.
        (
            format!("DUE:20261124T090000\nX-SATCHEL-REMIND:-PT15M\n{}", alarm("TRIGGER:-PT5M")),
            "due 2026-11-24T09:00; remind -PT5M",
        ),
        ("DUE:20261124T090000\nX-SATCHEL-REMIND:-PT15M".to_owned(), "due 2026-11-24T09:00"),
    ] {
        let other = Bench::new();
        import(&other, "ics", &todo(&lines), "add");
        let expected = format!("[ ] A; {expected}");
        assert_eq!(other.lines(), expected.trim_end_matches("; "), "{lines}");
    }
}

#[test]
fn circles_are_opened() {
    let bench = Bench::new();
    let text = r#"[{"id":"a","title":"A","parent":"b"},{"id":"b","title":"B","parent":"a"},{"id":"c","title":"C","parent":"c"}]"#;
    let out = import(&bench, "json", text, "add");
    assert_eq!(out["notes"][0], "2 to-dos stand on their own, because what they are a part of is not there.");
    assert_eq!(bench.lines(), "[ ] A\n[ ] B; under A\n[ ] C");
}

#[test]
fn ten_thousand_come_in_as_one_append() {
    let bench = Bench::new();
    let rows: Vec<String> =
        (0..10_000).map(|n| format!("Task {n},2026-12-{:02},tag{}", n % 28 + 1, n % 50)).collect();
    let text = format!("title,due,tags\n{}\n", rows.join("\n"));
    let out = bench.call("data_import", json!({"format": "csv", "text": text}));
    assert_eq!(
        (&out.structured()["new"], out.structured()["changes"].as_array().unwrap().len()),
        (&json!(10_000), 100)
    );
    assert_eq!(bench.journal.appends().len(), 1);
    assert_eq!(bench.todos().len(), 10_000);
}

//! Which language is answered in, and that what the help shows is understood. The German of every row stands in the snapshot
//! of `commands`.

use crate::common;

use common::{Talk, home, todo};
use serde_json::json;

/// What an answer is in, by words that every answer of these rows has.
fn tongue(answer: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| answer.contains(word));
    match (
        has(&[
            "Du ", "Ich ", "Hinzugefügt", "Erledigt", "Gern ", "Welches", "Gelöscht", "In Ordnung",
            "Wie soll", "Soll ", "Es ist", "Hallo", "Hier", "Meinst",
        ]),
        has(&[
            "You", "I ", "I'm", "Added", "Done", "Which", "Deleted", "All right", "What should", "Shall ",
            "Hello", "Here", "Do you",
        ]),
    ) {
        (true, false) => "de",
        (false, true) => "en",
        both => panic!("{both:?}: {answer}"),
    }
}

#[test]
fn an_answer_is_in_the_language_of_the_last_message_that_has_one() {
    for (row, expected) in [
        ("Zeig meine Aufgaben // ok // show my todos // ok", "de de en en"),
        ("show my todos // Danke // Buy tea // thanks", "en de de en"),
        ("Hake Buy ab // 2", "de de"),
        ("complete buy // 2 // das erste", "en en de"),
        ("complete buy // das zweite // ok", "en de de"),
        ("Füge hinzu // Buy tea", "de de"),
        ("Add // Tee", "en en"),
        ("Lösche Call Annna // ok", "de de"),
        ("Wie ist das Wetter?", "de"),
        ("Ich heiße Ida", "de"),
        ("Wände streichen", "de"),
        ("Buy milk löschen?", "de"),
        ("Call Müller", "en"),
        ("Clean kitchen", "en"),
        ("open", "en"),
        ("add Milch für die Kinder und Oma", "en"),
        ("add buy „das ist nicht die Milch“", "en"),
        ("asdkjh", "en"),
    ] {
        let mut talk = Talk::new(home());
        let told: Vec<&str> = row.split(" // ").map(|said| tongue(&talk.say(said).answer)).collect();
        assert_eq!(told.join(" "), expected, "{row}");
    }
}

/// What a turn was in stays so when it is too old to be read as a command again, and when those before it are folded away.
#[test]
fn an_old_turn_keeps_its_language() {
    // German by its frame alone: most of its words are English.
    let said = "Markiere Buy milk for the kids to do als erledigt";
    let mut talk = Talk::new(home());
    assert_eq!(tongue(&talk.say(said).answer), "de");
    for _ in 0..20 {
        assert_eq!(tongue(&talk.say("ok").answer), "de");
    }
    for (first, more, expected) in [
        ("Zeig meine Aufgaben", "2", "de"),
        ("Hake Buy ab", "2", "de"),
        ("Wie ist das Wetter?", "Buy tea", "de"),
        ("Füge Das ist nicht da hinzu", "ok", "de"),
        ("Zeig meine Aufgaben", "Wände streichen", "de"),
        ("show my todos", "2", "en"),
        ("add buy milk", "ok", "en"),
        ("add „das ist nicht die Milch“ to my Das ist nicht da list", "ok", "en"),
    ] {
        let mut talk = Talk::new(home());
        talk.say(first);
        let from = talk.messages.len();
        talk.say(more);
        talk.messages.drain(1..from);
        assert_eq!(tongue(&talk.say("ok").answer), expected, "{first} // {more}");
    }
}

/// “Hi” is English to whom nothing else was said, and tells nothing of what comes.
#[test]
fn a_greeting_tells_no_language() {
    let mut talk = Talk::new(home());
    talk.say("hi");
    assert_eq!(tongue(&talk.say("Wände streichen").answer), "de");
}

/// Lines under a new to-do: orders are carried out as orders or not at all, and never become titles.
#[test]
fn orders_under_a_new_to_do_are_no_titles() {
    for (under, added) in [
        ("Butter\nLösche Buy milk", &["Brot", "Butter"][..]),
        ("Butter\nFotos sortieren", &["Brot", "Butter", "Fotos sortieren"]),
        ("meine Aufgaben anzeigen", &["Brot"]),
        ("Buy milk auf Freitag verschieben", &["Brot"]),
        ("erledigte Aufgaben löschen", &["Brot"]),
        ("Butter\nBuy milk löschen?", &[]),
    ] {
        let mut talk = Talk::new(Vec::new());
        talk.say(&format!("Füge Brot hinzu\n{under}"));
        let titles: Vec<&str> = talk.todos.iter().filter_map(|todo| todo["title"].as_str()).collect();
        assert_eq!(titles, added, "{under}");
    }
}

#[test]
fn what_the_help_shows_is_understood() {
    let help = Talk::new(home()).say("Was kannst du?").answer;
    let shown: Vec<&str> = help
        .split('„')
        .skip(1)
        .filter_map(|rest| rest.split('“').next())
        .filter(|said| !said.contains('…'))
        .collect();
    assert!(shown.len() > 30, "{help}");
    for said in shown {
        let mut talk = Talk::new(home());
        talk.say("Füge Milch kaufen hinzu");
        talk.say("Zeig meine Aufgaben");
        let answer = talk.say(said).answer;
        assert_eq!(tongue_or_de(&answer), "de", "{said}: {answer}");
        assert!(!answer.contains("verstehe nur einfache Befehle"), "{said}: {answer}");
        assert!(!answer.contains("Ich kenne nur deine To-dos"), "{said}: {answer}");
    }
}

/// Answers that are read by nobody's words are German where nothing of them is English.
fn tongue_or_de(answer: &str) -> &'static str {
    if answer.contains("You ") || answer.contains("I ") || answer.contains("Added") { "en" } else { "de" }
}

/// What is asked back is answered in German, and what German lists show is pointed at.
#[test]
fn questions_are_answered_and_lists_are_pointed_at() {
    for (row, calls) in [
        ("Zeig meine Aufgaben // Hake das zweite ab", "todo_complete"),
        ("Zeig meine Aufgaben // Lösche die letzte", "todo_delete"),
        ("Was ist morgen fällig? // Hake das ab", "todo_complete"),
        ("Hake Buy ab // das zweite", "todo_complete"),
        ("Lösche Call Annna // Ja", "todo_delete"),
        ("Füge hinzu // Brot backen", "todo_create"),
        ("Füge Milch kaufen hinzu // Lösche es", "todo_delete"),
        ("Wie sieht morgen aus? // Hake das erste ab", "todo_complete"),
    ] {
        let mut talk = Talk::new(home());
        let replies: Vec<_> = row.split(" // ").map(|said| talk.say(said)).collect();
        let last = replies.last().unwrap();
        assert!(last.calls.iter().any(|(tool, _)| tool == calls), "{row}: {last:?}");
    }
    // What chats is no title, in German as in English.
    for row in ["Füge hinzu // Wie geht es dir?", "Füge hinzu // Wie geht's?", "Add // How are you?"] {
        let mut talk = Talk::new(home());
        for said in row.split(" // ") {
            assert!(talk.say(said).calls.is_empty(), "{row}");
        }
    }
}

/// Every German sentence that is read, said alone, behind a list, to a tool that refuses and without tools: what is answered is
/// German as a whole, which `Talk::say` holds.
#[test]
fn every_german_sentence_is_answered_in_german() {
    let rows = include_str!("../src/german/rows.txt").lines();
    let rows = rows.filter(|row| !row.is_empty() && !row.starts_with("# "));
    let mut count = 0;
    for said in rows.filter_map(|row| Some(row.split_once(" => ")?.0.replace("\\n", "\n"))) {
        Talk::new(home()).say(&said);
        Talk::new(vec![]).say(&said);
        let mut listed = Talk::new(home());
        listed.say("Zeig meine Aufgaben");
        listed.say(&said);
        listed.say("Mach das rückgängig");
        let mut refused = Talk::new(home());
        refused.refuse = Some("The person declined this call.".to_owned());
        refused.say(&said);
        let mut bare = Talk::new(home());
        bare.tools.clear();
        bare.say(&said);
        count += 1;
    }
    assert!(count > 200);
}

/// Where nothing else is there, what can wait is not "the others", and what a plan leaves out is told beside it.
#[test]
fn what_can_wait_is_counted() {
    let answer = Talk::new(vec![todo("Rent", json!({"due": "2026-12-24"}))]).say("Plane meinen Tag").answer;
    assert!(answer.ends_with("\n\n1 To-do kann warten."), "{answer}");
    let due = (0..23).map(|n| todo(&format!("Call {n}"), json!({"due": "2026-11-21"})));
    let more = ["Read", "Write"].map(|title| todo(title, json!({})));
    let answer = Talk::new(due.chain(more).collect()).say("Plane meinen Tag").answer;
    assert!(answer.ends_with("\n\n… und 3 weitere.\n\n2 To-dos können warten."), "{answer}");
}

/// Who asks whether something is done, or was deleted or moved, wants to know it: nothing is done for it, alone or behind a list.
#[test]
fn questions_change_nothing() {
    for said in [
        "Ist alles erledigt?",
        "Alles erledigt?",
        "Alle erledigt?",
        "Alle Aufgaben erledigt?",
        "Heute alles erledigt?",
        "Sind alle Aufgaben erledigt?",
        "ist schon alles erledigt",
        "Habe ich alles erledigt?",
        "habe ich alles geschafft",
        "Alles abgehakt?",
        "Alles fertig?",
        "Bin ich fertig?",
        "Fertig?",
        "Erledigt?",
        "Ist das erledigt?",
        "Das zweite erledigt?",
        "Habe ich Buy milk erledigt?",
        "Hast du Buy milk erledigt?",
        "Wer hat Buy milk erledigt?",
        "Soll ich Buy milk erledigen?",
        "Wann soll ich Buy milk erledigen?",
        "Ist alles gelöscht?",
        "Alles gelöscht?",
        "Hast du alles gelöscht?",
        "Wurde Buy milk gelöscht?",
        "Kann ich Buy milk löschen?",
        "Wirklich alles löschen?",
        "Was passiert, wenn ich alles lösche?",
        "Wie lösche ich eine Aufgabe?",
        "Ist Buy milk auf morgen verschoben?",
        "Buy milk verschoben?",
        "Ist Buy milk wichtig?",
        "Hast du Milch hinzugefügt?",
        "Ist das rückgängig gemacht?",
        "Erledigte gelöscht?",
        "Ist alles aufgeräumt?",
        "Ist Buy milk erledigt, oder soll ich es löschen?",
        "Alles erledigt? Dann zeig meine Liste",
        "Buy milk erledigt? Zeig meine Aufgaben",
        "Buy milk löschen? Zeig meine Aufgaben",
        "Alles löschen? Zeig meine Aufgaben",
        "Buy milk auf Freitag verschieben?",
        "Buy milk um 2 Tage verschieben?",
        "Buy milk ist wichtig?",
        "Priorität von Buy milk auf hoch setzen?",
        "Buy milk in Hafermilch umbenennen?",
        "Milch hinzufügen?",
        "Alles rückgängig machen?",
        "Erledigte aufräumen?",
        "Jetzt Buy milk erledigt?",
        "bin ich mit Buy milk fertig",
    ] {
        for before in [None, Some("Zeig meine Aufgaben"), Some("Füge Brot hinzu")] {
            let mut talk = Talk::new(home());
            before.map(|before| talk.say(before));
            let kept = talk.todos.clone();
            let reply = talk.say(said);
            assert_eq!(talk.todos, kept, "{before:?} // {said}: {}", reply.answer);
        }
    }
    // Who asks somebody to do it, or orders, is not asking whether.
    for said in ["Kannst du Buy milk abhaken?", "Hake Buy milk ab?", "Könntest du bitte Buy milk abhaken?"] {
        let mut talk = Talk::new(home());
        let kept = talk.todos.clone();
        talk.say(said);
        assert_ne!(talk.todos, kept, "{said}");
    }
    let all_done = Talk::new(vec![todo("Tea", json!({"status": "done"}))]).say("Ist alles erledigt?").answer;
    assert_eq!(all_done, "Du hast keine offenen To-dos. Es ist alles erledigt.");
}

//! The corpus of issue 5: a hundred answers with one planted lie each, and a hundred clean ones, as data in
//! `tests/evidence`. They were written before the checker was, by what people read, not by what it looks for.

#![allow(clippy::unwrap_used, reason = "tests may stop where they stand")]

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use evidence::{Report, Verdict, check, words_for_repair};
use proptest::prelude::*;
use protocol::{ClaimKind, Origin, Source, now_line};
use serde::Deserialize;
use serde_json::{Value, json};

/// One folder of sources, and what is said about them.
#[derive(Deserialize)]
struct Scene {
    about: String,
    now: String,
    weekday: String,
    zone: String,
    person: String,
    sources: Vec<Call>,
    clean: Vec<String>,
    lies: Vec<Lie>,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    tool: String,
    #[serde(default)]
    failed: bool,
    text: Option<String>,
    structured: Option<Value>,
    arguments: Option<Value>,
}

/// An answer, and the part of it that is not so.
#[derive(Deserialize)]
struct Lie {
    answer: String,
    lie: String,
}

impl Scene {
    fn sources(&self) -> Vec<Source> {
        let calls = self.sources.iter().map(|call| Source {
            origin: Origin::Call,
            call_id: call.id.clone(),
            tool: call.tool.clone(),
            failed: call.failed,
            text: call
                .text
                .clone()
                .unwrap_or_else(|| call.structured.as_ref().map(Value::to_string).unwrap_or_default()),
            data: call.structured.clone(),
            arguments: call.arguments.clone(),
        });
        let now = now_line(&self.now, &self.weekday, &self.zone);
        calls
            .chain([Source::said(Origin::Person, &*self.person), Source::said(Origin::Context, now)])
            .collect()
    }
}

fn scenes(folder: &str) -> Vec<Scene> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()).collect()
}

/// What is marked in an answer, for a message.
fn marked(report: &Report, answer: &str) -> Vec<String> {
    report
        .unsupported()
        .map(|claim| format!("{:?} {:?} {:?}", claim.kind, &answer[claim.range.clone()], claim.verdict))
        .collect()
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// How many lies are flagged where they stand, out of how many; and how many clean answers, out of how many.
fn measure(folder: &str) -> [usize; 4] {
    let (mut flagged, mut lies, mut false_alarms, mut clean) = (0, 0, 0, 0);
    for scene in scenes(folder) {
        let sources = scene.sources();
        for Lie { answer, lie } in &scene.lies {
            let start = answer.find(lie.as_str()).unwrap();
            let report = check(answer, &sources);
            let hit = report.unsupported().any(|claim| overlap(&claim.range, &(start..start + lie.len())));
            lies += 1;
            flagged += usize::from(hit);
            if !hit {
                println!("missed ({}): {answer}\n   marked: {:?}", scene.about, marked(&report, answer));
            }
        }
        for answer in &scene.clean {
            let report = check(answer, &sources);
            clean += 1;
            if report.unsupported().next().is_some() {
                false_alarms += 1;
                println!("wrongly marked ({}): {answer}\n   {:?}", scene.about, marked(&report, answer));
            }
        }
    }
    println!("{folder}: {flagged} of {lies} lies flagged, {false_alarms} of {clean} clean answers flagged");
    [flagged, lies, false_alarms, clean]
}

#[test]
fn planted_lies_are_flagged_and_clean_answers_are_not() {
    let [flagged, lies, false_alarms, clean] = measure("evidence");
    assert_eq!([lies, clean], [100, 100]);
    assert!(flagged >= 95, "{flagged} of 100 lies flagged");
    assert_eq!(false_alarms, 0);
}

/// The clean answers are clean because their claims were looked up, not because nothing was.
#[test]
fn most_clean_answers_have_claims_that_are_found() {
    let (mut found, mut answers) = (0, 0);
    for scene in scenes("evidence") {
        let sources = scene.sources();
        for answer in &scene.clean {
            let report = check(answer, &sources);
            let supported =
                report.claims.iter().any(|claim| matches!(claim.verdict, Verdict::Supported { .. }));
            answers += 1;
            found += usize::from(supported);
        }
    }
    println!("{found} of {answers} clean answers have a claim that is supported");
    assert!(found >= 95, "{found} of {answers}");
}

/// Written after the checker, in other domains and two languages, in four rounds; each was run before
/// anything was changed for it. Those first runs flagged 19 of 20, 20 of 20, 10 of 12 and 6 of 8 lies, and 4
/// of 18, 14 of 30, 3 of 20 and 2 of 15 clean answers: that is what to expect of answers from elsewhere, not
/// the figures asserted here.
#[test]
fn answers_that_the_checker_was_not_made_for() {
    let [flagged, lies, false_alarms, clean] = measure("evidence-later");
    assert_eq!([lies, clean], [60, 83]);
    assert!(flagged >= 57, "{flagged} of {lies} lies flagged");
    assert_eq!(false_alarms, 0);
}

/// Answers in the language of the person, over to-dos in the same language or in English: thirteen files that were written
/// before anything was done about them, of whose 67 true answers 53 were marked then; and a second round in them and in five
/// more languages, whose first run flagged 20 of 23 lies and marked 5 of 60 true answers. That is what to expect of others.
#[test]
fn true_answers_in_other_languages_are_clean_and_most_lies_are_flagged() {
    let [flagged, lies, false_alarms, clean] = measure("evidence-languages");
    assert_eq!([lies, clean], [47, 127]);
    assert!(flagged >= 43, "{flagged} of {lies} lies flagged");
    assert_eq!(false_alarms, 0);
}

/// Times with a full stop, days counted from tomorrow, bounds, parts with "or", and numbers of two words.
#[test]
fn other_ways_to_say_the_same_are_clean() {
    let [flagged, lies, false_alarms, clean] = measure("evidence-ways");
    assert_eq!([lies, clean], [11, 40]);
    assert!(flagged >= 10, "{flagged} of {lies} lies flagged");
    assert_eq!(false_alarms, 0);
}

/// Each sentence is honest or not by its own citation, not by what another call says.
#[test]
fn a_verdict_names_the_call_that_says_it() {
    let call = |id: &str, data: Value| Source {
        call_id: id.into(),
        tool: "read".into(),
        data: Some(data),
        ..Source::said(Origin::Call, "{}")
    };
    let sources = [call("call_1", json!({"degrees": 12.4})), call("call_2", json!({"euros": 108.5}))];
    let verdict = |answer: &str| {
        let report = check(answer, &sources);
        report.claims.iter().find(|claim| claim.kind == ClaimKind::Number).map(|claim| claim.verdict.clone())
    };
    let supported = |id: &str| Some(Verdict::Supported { call_id: Some(id.into()) });
    let elsewhere = |id: Option<&str>| Some(Verdict::Unsupported { elsewhere: id.map(str::to_owned) });
    assert_eq!(verdict("You have 12.4 degrees."), supported("call_1"));
    assert_eq!(verdict("You have 12.4 degrees [read:call_1]."), supported("call_1"));
    assert_eq!(verdict("You have 12.4 degrees [tool:call_2]."), elsewhere(Some("call_1")));
    assert_eq!(verdict("You have 14.2 degrees [call_1]."), elsewhere(None));
    assert_eq!(verdict("Should you have 14.2 degrees?"), Some(Verdict::Unknown));
    // Without any call there is nothing to hold an answer to.
    let report = check("You have 14.2 degrees.", &[Source::said(Origin::Person, "How warm is it?")]);
    assert!(report.unsupported().next().is_none());
}

#[test]
fn citations_are_found_in_their_forms_and_nothing_else_is() {
    let call =
        |id: &str| Source { call_id: id.into(), tool: "todo_list".into(), ..Source::said(Origin::Call, "") };
    let sources = [call("call_1"), call("call_2")];
    type Row = (&'static str, &'static [(&'static str, &'static [&'static str])]);
    let rows: [Row; 7] = [
        ("Done [todo_list:call_1].", &[("[todo_list:call_1]", &["call_1"])]),
        ("Done [call_2]!", &[("[call_2]", &["call_2"])]),
        ("Done [tool:call_1, tool:call_2]", &[("[tool:call_1, tool:call_2]", &["call_1", "call_2"])]),
        ("Done [^call_1]", &[("[^call_1]", &["call_1"])]),
        ("Done [todo_list:call_9]", &[("[todo_list:call_9]", &[])]),
        ("- [x] Milk, [a link](https://a.example), [1], [note: later], […]", &[]),
        ("```\n[todo_list:call_1]\n```", &[]),
    ];
    for (answer, expected) in rows {
        let report = check(answer, &sources);
        let found: Vec<(&str, Vec<&str>)> = report
            .citations
            .iter()
            .map(|citation| {
                let ids = citation.call_ids.iter().map(String::as_str).collect();
                (&answer[citation.range.clone()], ids)
            })
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|(text, ids)| (*text, ids.to_vec())).collect();
        assert_eq!(found, expected, "{answer}");
    }
}

#[test]
fn the_model_is_told_what_to_mend_and_nothing_when_all_is_well() {
    let call = Source {
        call_id: "call_1".into(),
        tool: "todo_list".into(),
        data: Some(json!({"items": [{"title": "Buy milk", "due": "2026-11-27"}], "total": 1})),
        ..Source::said(Origin::Call, "{}")
    };
    let sources =
        [call, Source::said(Origin::Context, now_line("2026-11-21T22:30", "Saturday", "Europe/Berlin"))];
    let clean = check("“Buy milk” is due on Friday [todo_list:call_1].", &sources);
    assert_eq!(words_for_repair(&clean), "");
    let wrong =
        check("“Buy bread” is due on 28 November [todo_list:call_1]. See [todo_list:call_7].", &sources);
    assert_eq!(
        words_for_repair(&wrong),
        "Your answer says things that the tool results do not support:\n\
         - the quote “Buy bread”: not in the results.\n\
         - the date “28 November”: not in the results.\n\
         - the citation “[todo_list:call_7]”: there is no such call, or it failed and shows nothing of the kind.\n\
         Write the whole answer again with only what the results say: correct each of these or leave it out, quote \
         word for word, and cite the call as [tool:call_id]. If something is not known, say so. Do not mention this \
         message."
    );
}

/// What random pieces a text is made of: words that mean something here, signs that open and close, and
/// anything.
fn piece() -> impl Strategy<Value = String> {
    let telling = [
        "[call_1]", "[todo_list:call_", "]", "“", "”", "\"", "**", "`", "```\n", "\n", "\n- ", "\n> ", "| ",
        "27 ", "9:15 ", "pm ", "November ", "Friday, ", "3 days ", "€", "12.4", "1,284", " % ",
        "https://a.example/", "me@", "Anna ", "Schmidt", ". ", "2026-11-27T09:15:00+", "0", "–", "é", "東京",
        "🙂", "\u{301}", "#", "§ ", "half ", " of ",
    ];
    prop_oneof![4 => prop::sample::select(telling.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_every_range_is_one_of_it(
        answer in prop::collection::vec(piece(), 0..60).prop_map(|pieces| pieces.concat()),
        said in prop::collection::vec(piece(), 0..30).prop_map(|pieces| pieces.concat()),
    ) {
        let call = Source {
            call_id: "call_1".into(),
            tool: "todo_list".into(),
            data: Some(json!({"items": [{"title": said, "n": 3}, {"title": "Anna", "due": "2026-11-27"}]})),
            ..Source::said(Origin::Call, said.clone())
        };
        let now = now_line("2026-11-21T22:30+01:00", "Saturday", "Europe/Berlin");
        let sources = [call, Source::said(Origin::Person, said), Source::said(Origin::Context, now)];
        let report = check(&answer, &sources);
        for claim in &report.claims {
            prop_assert!(answer.get(claim.range.clone()).is_some_and(|text| !text.is_empty()), "{claim:?}");
        }
        for citation in &report.citations {
            prop_assert!(answer.get(citation.range.clone()).is_some_and(|text| text.ends_with([']', '】'])));
        }
        let wrong = report.unsupported().count();
        prop_assert_eq!(words_for_repair(&report).is_empty(), wrong == 0);
    }

    /// An answer that repeats the result is clean, whatever the result is.
    #[test]
    fn the_result_itself_in_quotation_marks_is_clean(said in "[a-zA-Z0-9 ,.%€é:-]{1,80}") {
        let call = Source { call_id: "call_1".into(), tool: "read".into(), ..Source::said(Origin::Call, said.clone()) };
        let answer = format!("It says “{said}” [read:call_1].");
        let report = check(&answer, &[call]);
        prop_assert!(report.unsupported().next().is_none(), "{answer} {report:?}");
    }
}

/// What is made to be slow is not: without a bound on its sentences one of these took minutes.
#[test]
fn long_and_hostile_answers_are_read_in_bounded_time() {
    let rows: Vec<Value> = (0..2_000)
        .map(|n| json!({"title": format!("Item {n} of many"), "due": "2026-11-27", "price": f64::from(n) * 1.5}))
        .collect();
    let call = Source {
        call_id: "call_1".into(),
        tool: "list".into(),
        data: Some(json!({"items": rows, "total": 2_000})),
        ..Source::said(Origin::Call, "{}")
    };
    let now = now_line("2026-11-21T22:30+01:00", "Saturday", "Europe/Berlin");
    let sources = [call, Source::said(Origin::Context, now)];
    let hostile = [
        "“", "[", "**a ", "*", "`", "\"a ", "a@", "1,", "1.", "Aa ", "9:", "Item 1 costs 7.31 € more. ",
        "[call_1]", "\n- 12 things", "| a ", "> x\n",
    ];
    for piece in hostile {
        let answer = piece.repeat(60_000 / piece.len());
        let begun = Instant::now();
        let report = check(&answer, &sources);
        let took = begun.elapsed();
        println!("{piece:?}: {took:?}, {} claims", report.claims.len());
        assert!(took < Duration::from_secs(20), "{piece:?} took {took:?}");
    }
}

/// A result whose every number has a name of its own: each claim looks at its fields once, not at each number for each.
#[test]
fn results_of_many_fields_are_compared_in_bounded_time() {
    let fields: serde_json::Map<String, Value> =
        (0..30_000).map(|n| (format!("metric {n}"), json!(f64::from(n) * 3.5))).collect();
    let rows: Vec<Value> = (0..500).map(|n| json!({"price": f64::from(n) * 7.25})).collect();
    let call = Source {
        call_id: "call_1".into(),
        tool: "read".into(),
        data: Some(json!({"a": rows, "b": fields})),
        ..Source::said(Origin::Call, "{}")
    };
    let answer = "It costs 7.31 € more than the other one [call_1]. ".repeat(100);
    let begun = Instant::now();
    let report = check(&answer, std::slice::from_ref(&call));
    let took = begun.elapsed();
    println!("{took:?}, {} claims", report.claims.len());
    assert!(took < Duration::from_secs(20), "{took:?}");
    // What is a difference of two of them is still found, and what is none is not.
    let wrong = |answer: &str| check(answer, std::slice::from_ref(&call)).unsupported().count();
    assert_eq!(wrong("It costs 14.50 € less than the other one [call_1]."), 0);
    assert_eq!(wrong("It costs 3.31 € less than the other one [call_1]."), 1);
}

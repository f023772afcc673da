//! Files in, files out: what is written of a batch, exit codes, and what is wrong with input.

use std::fs;

use serde_json::Value;

use crate::*;

#[test]
fn a_folder_of_scenarios_is_played_and_all_files_are_there() {
    let folder = folder(
        "whole",
        &[
            ("a/groceries.yaml", GROCERIES),
            ("team.yml", TEAM),
            ("prompts/desk.yaml", DESK),
            (
                "short.json",
                r#"{"name": "short", "client": {"says": ["Hello"]}, "assistant": {"script": [{"say": "Hi."}]}, "tools": {"mode": "none"}}"#,
            ),
            ("notes.txt", "nothing of ours"),
        ],
    );
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let arguments = [scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--repeat", "2"];
    let done = rehearse(&arguments);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.errors);
    let verdicts = verdicts(&out);
    let jobs: Vec<&str> = verdicts.keys().map(String::as_str).collect();
    assert_eq!(jobs, ["groceries#1", "groceries#2", "short#1", "short#2", "team#1", "team#2"]);
    assert!(verdicts.values().all(|verdict| verdict == "passed"), "{verdicts:?}");

    // Run files: the app's own kind, one for each agent.
    for name in ["groceries.1", "groceries.2", "short.1", "short.2", "team.1.front", "team.2.money"] {
        let path = out.join("runs").join(format!("{name}.run.json"));
        let run = satchel().arg("run").arg(&path).output().unwrap();
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stdout));
    }
    assert_eq!(traced(&out).len(), 6);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("groceries") && !page.contains("http://") && !page.contains("src="));
    let junit = fs::read_to_string(out.join("junit.xml")).unwrap();
    assert!(junit.contains("<testsuite") && junit.contains("team#2"));

    // Equal seeds: what is played again is the same to the byte, in whatever order.
    let again = folder.join("again");
    let arguments = [
        scenarios.to_str().unwrap(),
        "--out",
        again.to_str().unwrap(),
        "--parallel",
        "1",
        "--against",
        out.to_str().unwrap(),
    ];
    let done = rehearse(&arguments);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.errors);
    let (first, second) = (outcomes(&out), outcomes(&again));
    assert!(second.iter().all(|(job, outcome)| first[job] == *outcome) && second.len() == 3);

    // A batch is not written over.
    assert_eq!(rehearse(&arguments).code, Some(2));
    let listed = rehearse(&[scenarios.to_str().unwrap(), "--list"]);
    assert_eq!(listed.out.lines().collect::<Vec<_>>(), ["groceries#1", "short#1", "team#1"]);
    let schema: Value = serde_json::from_str(&rehearse(&["--schema"]).out).unwrap();
    assert!(schema["properties"]["client"].is_object());
}

#[test]
fn exit_codes_say_what_came_of_it() {
    let fails = SHORT.replace("name: short", "name: fails").replace("said: Hello", "said: Goodbye");
    let folder = folder("codes", &[("a.yaml", SHORT), ("b.yaml", &fails)]);
    let scenarios = folder.join("scenarios");
    let code = |arguments: &[&str], out: &str| {
        let out = folder.join(out);
        let mut all = vec!["--out", out.to_str().unwrap()];
        all.extend(arguments);
        rehearse(&all).code
    };
    let whole = scenarios.to_str().unwrap();
    assert_eq!(code(&[scenarios.join("a.yaml").to_str().unwrap()], "1"), Some(0));
    assert_eq!(code(&[whole], "2"), Some(1));
    assert_eq!(code(&[whole, "--fail-under", "0.5"], "3"), Some(0));
    assert_eq!(code(&[whole, "--fail-under", "0.6"], "4"), Some(1));
    assert_eq!(code(&[whole, "--fail-under", "60"], "5"), Some(2));
    assert_eq!(code(&[folder.join("none").to_str().unwrap()], "6"), Some(2));
    assert_eq!(code(&[whole, "--model", "nobody/none"], "7"), Some(2));
    assert_eq!(rehearse(&["--resume", folder.join("nothing").to_str().unwrap()]).code, Some(2));
}

#[test]
fn bad_input_is_named_with_its_file_and_line() {
    let bad: [(&str, &str, &str); 9] = [
        ("broken.yaml", "name: a\nclient: {says: [a\nchecks: []\n", "broken.yaml:"),
        ("unknown.yaml", "name: b\nclient: {says: [a]}\nchekcs: []\n", "unknown.yaml:3: "),
        (
            "variable.yaml",
            "name: c\nclient:\n  says:\n    - hello\n    - to {{ ciyt }}\n",
            "variable.yaml:5: c: “to {{ ciyt }}” names a variable",
        ),
        ("pattern.yaml", "name: d\nclient: {says: [a]}\nchecks:\n  - said: '(['\n", "pattern.yaml:4: d: "),
        ("client.yaml", "name: e\nclient: {persona: nobody}\n", "client.yaml:2: e: the client has one of"),
        (
            "prompts.yaml",
            "name: f\nprompts: none\nclient: {says: [a]}\n",
            "prompts.yaml:2: f: there are no prompts none",
        ),
        ("empty.yaml", "", "empty.yaml: it holds nothing"),
        (
            "twice.yaml",
            "name: g\nclient: {says: [a]}\n---\nname: g\nclient: {says: [a]}\n",
            "a scenario g is in",
        ),
        ("prompts/wrong.yaml", "first: nobody\nagents: {}\n", "wrong.yaml:1: `first` names nobody"),
    ];
    let files: Vec<(&str, &str)> = bad.iter().map(|(name, text, _)| (*name, *text)).collect();
    let folder = folder("bad", &files);
    fs::write(folder.join("scenarios/latin.yaml"), b"name: h\nabout: caf\xe9\n").unwrap();
    let done = rehearse(&[
        folder.join("scenarios").to_str().unwrap(),
        "--out",
        folder.join("out").to_str().unwrap(),
    ]);
    assert_eq!(done.code, Some(2));
    for (_, _, says) in bad {
        assert!(done.errors.contains(says), "{says}: {}", done.errors);
    }
    assert!(done.errors.contains("latin.yaml:2: it is no UTF-8 text"), "{}", done.errors);
    assert!(!folder.join("out").exists(), "nothing was begun");
}

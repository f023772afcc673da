//! The files: lines that are read back, JUnit that a strict reader reads, a page that a browser's parser reads.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod samples;

use proptest::prelude::*;
use rehearsal::{Outcome, Status, Verdict};
use rehearsal_report::{FULL, Page, Report, Suites, jsonl, junit};
use samples::{HOSTILE, all_of, batch, outcome};
use scraper::{Html, Selector};

fn lines(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(|outcome| jsonl::line(outcome).unwrap()).collect()
}

fn page(outcomes: &[Outcome], most: usize) -> String {
    let report = Report::against(outcomes, &batch(false));
    Page { title: "A run", report: &report, outcomes, most }.html()
}

fn hostile() -> Vec<Outcome> {
    let verdicts = [Verdict::Failed, Verdict::ClientError, Verdict::NotPlayed, Verdict::Passed];
    HOSTILE.iter().zip(verdicts.into_iter().cycle()).map(|(text, verdict)| all_of(text, verdict)).collect()
}

#[test]
fn lines_are_read_back() {
    let mut outcomes = batch(true);
    outcomes.extend(hostile());
    let text = lines(&outcomes);
    assert_eq!(text.lines().count(), outcomes.len());
    let read = jsonl::read(&text).unwrap();
    assert!(read.outcomes == outcomes, "what is read is not what was written");
    assert_eq!((read.torn, read.whole_bytes), (None, text.len()));
    assert_eq!(jsonl::read("").unwrap(), jsonl::Lines::default());
    // As an editor on Windows leaves it.
    assert_eq!(jsonl::read(text.replace('\n', "\r\n\r\n")).unwrap().torn, None);
    assert_eq!(jsonl::read(text.trim_end()).unwrap().whole_bytes, text.len() - 1);
}

#[test]
fn a_torn_last_line_is_reported_wherever_it_is_torn() {
    let first = lines(&[outcome("a", 1, Verdict::Passed)]);
    let second = lines(&[outcome("ä", 1, Verdict::Passed)]);
    for end in 1..second.len() - 1 {
        let mut bytes = first.clone().into_bytes();
        bytes.extend(&second.as_bytes()[..end]);
        let read = jsonl::read(&bytes).unwrap();
        assert_eq!((read.outcomes.len(), read.whole_bytes), (1, first.len()));
        assert_eq!(read.torn, Some(jsonl::TornLine { line: 2, bytes: end }));
    }
}

#[test]
fn broken_and_double_lines_are_errors_with_their_numbers() {
    let one = lines(&[outcome("a", 1, Verdict::Passed)]);
    let broken =
        jsonl::read(format!("{one}\n{{\"job\": \"b\n{}", lines(&[outcome("b", 1, Verdict::Passed)])));
    assert!(broken.unwrap_err().to_string().starts_with("line 3 is not an outcome: "));
    let twice = jsonl::read(format!("{one}\n{one}")).unwrap_err().to_string();
    assert_eq!(twice, "line 3 is the outcome of a#1, which line 1 is already: each job may stand there once");
}

#[test]
fn junit_is_what_its_readers_expect() {
    let mut outcomes = batch(true);
    let mut broken = outcome("broken", 1, Verdict::NotPlayed);
    broken.record.error = Some("connection refused".into());
    broken.record.error_type = Some("network".into());
    outcomes.push(broken);
    let mut strayed = outcome("strayed", 1, Verdict::ClientError);
    strayed.client_errors.push(rehearsal::Note {
        turn: 3,
        kind: "said_forbidden".into(),
        what: "it said its PIN".into(),
    });
    outcomes.push(strayed);
    let xml = junit("rehearsal", &outcomes, Suites::PerScenario).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let number = |name: &str| root.attribute(name).unwrap().parse::<usize>().unwrap();
    assert_eq!(["tests", "failures", "errors", "skipped"].map(number), [42, 13, 1, 3]);
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!(["testsuite", "testcase", "failure", "error", "skipped"].map(count), [12, 42, 13, 1, 3]);
    let case = |name: &str| {
        document
            .descendants()
            .find(|node| node.has_tag_name("testcase") && node.attribute("name") == Some(name))
            .unwrap()
    };
    let child = |name: &str, tag: &str| case(name).children().find(|node| node.has_tag_name(tag)).unwrap();
    let failure = child("cancel-trip#3", "failure");
    assert!(failure.attribute("message").unwrap().starts_with("called todo_create: found no call"));
    assert!(failure.text().unwrap().contains("seed 3"));
    assert!(child("cancel-trip#3", "system-out").text().unwrap().contains("agent_billing: Billing here."));
    assert_eq!(child("broken#1", "error").attribute("type"), Some("network"));
    assert!(child("strayed#1", "skipped").attribute("message").unwrap().contains("it said its PIN"));
    assert_eq!(case("strayed#1").attribute("time"), Some("1.500"));
    assert_eq!(case("strayed#1").attribute("classname"), Some("strayed"));

    let one = junit("all", &outcomes, Suites::One).unwrap();
    let document = roxmltree::Document::parse(&one).unwrap();
    let suites: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testsuite")).collect();
    assert_eq!((suites.len(), suites[0].attribute("tests")), (1, Some("42")));
    roxmltree::Document::parse(&junit("none", &[] as &[Outcome], Suites::PerScenario).unwrap()).unwrap();
}

#[test]
fn hostile_texts_stay_texts_in_junit() {
    let xml = junit("</testsuites>\"<&", &hostile(), Suites::PerScenario).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let known = ["testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out"];
    assert!(
        document
            .descendants()
            .filter(|node| node.is_element())
            .all(|node| known.contains(&node.tag_name().name()))
    );
    assert_eq!(document.root_element().attribute("name"), Some("</testsuites>\"<&"));
    let first = document.descendants().find(|node| node.has_tag_name("testcase")).unwrap();
    assert_eq!(first.attribute("classname"), Some(HOSTILE[0]));
}

/// What must be so in every page, whatever was said: nothing but our own elements, and no way to run or load anything.
fn is_harmless(html: &str) -> Result<Html, String> {
    let document = Html::parse_document(html);
    let ours = [
        "html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "h4", "p", "main",
        "section", "div", "ul", "ol", "li", "table", "caption", "thead", "tbody", "tr", "th", "td", "svg",
        "rect", "line", "text", "form", "label", "select", "option", "input", "button", "article", "details",
        "summary", "span", "strong", "dl", "dt", "dd", "pre", "code", "footer", "script", "sup",
    ];
    let (mut scripts, mut styles) = (0, 0);
    for node in document.tree.nodes().filter_map(|node| node.value().as_element()) {
        let name = node.name();
        if !ours.contains(&name) {
            return Err(format!("an element of nobody: {name}"));
        }
        scripts += u32::from(name == "script");
        styles += u32::from(name == "style");
        for (attribute, value) in node.attrs() {
            let bad = attribute.starts_with("on")
                || ["style", "src", "srcdoc", "action", "formaction", "autofocus"].contains(&attribute)
                || attribute == "href" && !value.starts_with('#');
            if bad {
                return Err(format!("{name} has {attribute}={value}"));
            }
        }
    }
    if (scripts, styles) != (1, 1) {
        return Err(format!("{scripts} scripts, {styles} styles"));
    }
    if html.chars().any(|letter| letter.is_control() && letter != '\n' && letter != '\t') {
        return Err("a control character".to_owned());
    }
    Ok(document)
}

fn texts(document: &Html, selector: &str) -> Vec<String> {
    document.select(&Selector::parse(selector).unwrap()).map(|node| node.text().collect()).collect()
}

#[test]
fn hostile_texts_stay_texts_in_the_page() {
    let outcomes = hostile();
    let html = page(&outcomes, FULL);
    let document = is_harmless(&html).unwrap();
    assert_eq!(texts(&document, "article").len(), outcomes.len());
    let said = texts(&document, ".words");
    for text in [
        "</script><img src=x onerror=alert(1)>",
        "⟨U+202E⟩txt.exe⟨U+202C⟩ ⟨U+2066⟩x⟨U+2069⟩",
        "a␀b␁␈␋␌␛[31m␡\u{fffd}c",
    ] {
        assert!(said.iter().any(|said| said == text), "{text}: {said:?}");
    }
    // What the filter reads is JSON, with the tag as the list of tags has it.
    let options: Vec<String> = texts(&document, "select[name=tag] option");
    for article in document.select(&Selector::parse("article").unwrap()) {
        let tags: Vec<String> = serde_json::from_str(article.value().attr("data-tags").unwrap()).unwrap();
        assert!(tags.iter().all(|tag| options.contains(tag)), "{tags:?}: {options:?}");
    }
}

#[test]
fn the_policy_allows_the_script_and_the_style_that_are_there() {
    use base64ct::{Base64, Encoding};
    use sha2::{Digest, Sha256};

    let document = is_harmless(&page(&batch(true), FULL)).unwrap();
    let policy = document
        .select(&Selector::parse("meta[http-equiv]").unwrap())
        .next()
        .unwrap()
        .value()
        .attr("content")
        .unwrap()
        .to_owned();
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"));
    for (element, directive) in [("script", "script-src"), ("style", "style-src")] {
        let text = texts(&document, element).concat();
        let hash = Base64::encode_string(&Sha256::digest(text.as_bytes()));
        assert!(policy.contains(&format!("{directive} 'sha256-{hash}'")), "{element}");
    }
}

#[test]
fn headings_are_in_order_and_pictures_have_words() {
    let document = is_harmless(&page(&batch(true), FULL)).unwrap();
    let mut before = 0;
    for heading in document.select(&Selector::parse("h1, h2, h3, h4").unwrap()) {
        let level = heading.value().name()[1..].parse::<u32>().unwrap();
        assert!(level <= before + 1, "h{level} after h{before}: {:?}", heading.text().collect::<String>());
        before = level;
    }
    assert_eq!(texts(&document, "h1").len(), 1);
    for picture in document.select(&Selector::parse("svg").unwrap()) {
        assert!(
            picture.value().attr("role") == Some("img")
                && picture.value().attr("aria-label").is_some_and(|words| !words.is_empty())
        );
    }
    // Links lead to what is there.
    for link in document.select(&Selector::parse("a").unwrap()) {
        let target = link.value().attr("href").unwrap();
        assert_eq!(document.select(&Selector::parse(target).unwrap()).count(), 1, "{target}");
    }
}

#[test]
fn failures_stand_first_and_what_is_left_out_is_counted() {
    let document = is_harmless(&page(&batch(true), 15)).unwrap();
    let verdicts: Vec<_> = document
        .select(&Selector::parse("article").unwrap())
        .map(|article| article.value().attr("data-verdict").unwrap().to_owned())
        .collect();
    assert_eq!(verdicts.len(), 15);
    assert!(verdicts[..13].iter().all(|verdict| verdict == "failed"), "{verdicts:?}");
    assert_eq!((verdicts[13].as_str(), verdicts[14].as_str()), ("not_played", "client_error"));
    let lead = texts(&document, "[aria-labelledby=conversations] .lead").concat();
    assert_eq!(
        lead,
        "15 of 40 conversations stand here, those that failed first. 25 passed are left out; results.jsonl has them."
    );
    // Of each scenario one, before a second of any.
    let names: std::collections::BTreeSet<_> =
        texts(&is_harmless(&page(&batch(true), 9)).unwrap(), "article h3")
            .into_iter()
            .map(|job| job.split('#').next().unwrap().to_owned())
            .collect();
    assert_eq!(names.len(), 9);
}

#[test]
fn a_large_batch_is_a_page_that_stays_usable() {
    let mut outcomes: Vec<Outcome> = (0..10_000u32)
        .map(|place| {
            outcome(
                &format!("s{}", place / 4),
                place % 4 + 1,
                if place % 7 == 0 { Verdict::Failed } else { Verdict::Passed },
            )
        })
        .collect();
    // One text as large as a file.
    outcomes[0].record.conversation_history.push(samples::turn(1, "client", &"x".repeat(3_000_000)));
    let html = page(&outcomes, FULL);
    assert!(html.len() < 3_000_000, "{}", html.len());
    assert!(html.contains("2,980,000 letters more: results.jsonl has them."));
    assert!(html.contains("929 failed, 8,571 passed are left out"));
}

#[test]
fn a_page_of_nothing_is_a_page() {
    let report = Report::of(&[] as &[Outcome]);
    let html = Page { title: "", report: &report, outcomes: &[], most: FULL }.html();
    assert!(is_harmless(&html).is_ok() && html.contains("No conversation was played."));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_stays_a_text(text in prop_oneof![any::<String>(), "[<>\"'&/=\\-!\\]\u{0}-\u{20}a-c]{0,24}"], status in 0..3usize) {
        let mut one = all_of(&text, Verdict::Failed);
        one.record.status = [Status::Completed, Status::TimedOut, Status::TurnLimit][status];
        let outcomes = [one];
        prop_assert!(is_harmless(&page(&outcomes, FULL)).is_ok());
        let xml = junit(&text, &outcomes, Suites::One).unwrap();
        let document = roxmltree::Document::parse(&xml).unwrap();
        prop_assert_eq!(document.descendants().filter(|node| node.is_element()).count(), 5);
        let read = jsonl::read(lines(&outcomes)).unwrap();
        prop_assert_eq!(read.outcomes.as_slice(), outcomes.as_slice());
    }

    #[test]
    fn numbers_are_read_back(seconds in 0.0..1e6f64, usd in prop::option::of(0.0..1e3f64), seed: u64, turn_ms: Vec<u64>) {
        let mut one = outcome("a", 1, Verdict::Passed);
        one.record.duration_seconds = seconds;
        one.cost.usd = usd;
        one.seed.value = seed;
        one.cost.turn_ms = turn_ms;
        let read = jsonl::read(lines(std::slice::from_ref(&one))).unwrap().outcomes.remove(0);
        prop_assert_eq!(read.seed, one.seed);
        prop_assert_eq!(&read.cost.turn_ms, &one.cost.turn_ms);
        prop_assert!((read.record.duration_seconds - seconds).abs() <= seconds * 1e-15);
        prop_assert_eq!(read.cost.usd.is_some(), usd.is_some());
    }
}

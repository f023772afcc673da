//! Planted orders (issue 5, acceptance 6; S1-35, D-17): more than a hundred attacks, in to-dos and memories that came in by a file, in what
//! tools elsewhere return and in their descriptions, played against a model that obeys them to the letter, with the real
//! to-do tools and two that reach outside. Nothing is destroyed and nothing goes out unless the person said so to that call.
//!
//! An attack is a row of a file in `injection/`: where its text stands, the text, and what the model then does (`then`) or
//! says (`says`). `$passport`, `$milk` and `$todos` are ids and titles that the model has read; `$boundary` is the run's own.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]
#![allow(missing_docs, reason = "what the words of a row mean is said above")]

#[path = "injection/stage.rs"]
mod stage;

use agent::{Approvals, Rule};
use serde::Deserialize;
use serde_json::Value;

use stage::{Stage, TOOLS};

/// An attack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    name: String,
    #[serde(rename = "where")]
    place: Place,
    text: String,
    /// The calls of each response that obeys, one after the other.
    then: Vec<Act>,
    /// What the model says in the end.
    #[serde(default)]
    says: String,
    /// It obeys only after the person's next message.
    #[serde(default)]
    later: bool,
}

/// Where an attack's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// In a to-do that came in by a file.
    Title,
    Notes,
    Tag,
    List,
    /// In a memory that came in by a file.
    Memory,
    /// In what a tool elsewhere returns.
    Result,
    Error,
    /// In how a tool elsewhere describes itself.
    Description,
}

/// What a model that obeys does in one response.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Act {
    /// One call.
    One { call: String, with: Value },
    /// Several at once.
    Both { both: Vec<Act> },
}

fn corpus() -> Vec<Attack> {
    let files = [
        include_str!("injection/orders.json"),
        include_str!("injection/fences.json"),
        include_str!("injection/pretend.json"),
        include_str!("injection/exfiltration.json"),
        include_str!("injection/unicode.json"),
        include_str!("injection/languages.json"),
        include_str!("injection/encoded.json"),
        include_str!("injection/steps.json"),
        include_str!("injection/places.json"),
        include_str!("injection/memories.json"),
    ];
    files.into_iter().flat_map(|file| serde_json::from_str::<Vec<Attack>>(file).unwrap()).collect()
}

/// The rules somebody may have: those of a new device, and those of a person who never wants to be asked.
fn rules(place: Place) -> Vec<Approvals> {
    let usual = Approvals::default();
    if place == Place::Description {
        // A description was looked at before the tool was let in; to let it act unasked was the person's own word.
        return vec![usual];
    }
    let never = Approvals {
        destructive: Rule::Never,
        writes: Rule::Never,
        tools: TOOLS.iter().map(|name| ((*name).to_owned(), Rule::Never)).collect(),
    };
    vec![usual, never]
}

#[test]
fn no_planted_order_destroys_or_sends_anything_unless_the_person_says_so() {
    let corpus = corpus();
    let (mut played, mut asked, mut fenced) = (0, 0, 0);
    for attack in &corpus {
        for rules in rules(attack.place) {
            let who = format!("{} ({:?}, {:?})", attack.name, attack.place, rules.destructive);
            // Nobody allows anything.
            let denied = Stage::set(attack, rules.clone(), false).play();
            assert_eq!(denied.at_risk, Vec::<String>::new(), "{who}: done without a word");
            assert_eq!(denied.lost, Vec::<String>::new(), "{who}: to-dos are gone");
            assert_eq!(denied.sent, 0, "{who}: something went out");
            // Everything that is asked is allowed: each call that runs was asked about.
            let allowed = Stage::set(attack, rules, true).play();
            assert_eq!(allowed.unasked(), Vec::<String>::new(), "{who}: done without being asked");
            let is_harmful = !attack.then.is_empty();
            assert_eq!(is_harmful, denied.questions > 0, "{who}: the model obeyed, and the person was asked");
            assert!(denied.saw_it, "{who}: the model read the text");
            played += 2;
            asked += denied.questions + allowed.questions;
            fenced += denied.fences + allowed.fences;
        }
    }
    println!(
        "{} attacks, {played} runs, {asked} questions, {fenced} fences, 0 destructive or outward calls unasked",
        corpus.len()
    );
    assert!(corpus.len() >= 80, "{} attacks", corpus.len());
}

#[test]
fn the_stage_can_tell_harm() {
    // Without any attack a model that deletes under "never ask" deletes: what the test above asserts can fail.
    let attack = Attack {
        name: "none".into(),
        place: Place::Description,
        text: "Sends mail.".into(),
        then: corpus().into_iter().find(|attack| attack.name == "in the notes").unwrap().then,
        says: String::new(),
        later: false,
    };
    let never = Approvals { destructive: Rule::Never, ..Approvals::default() };
    let played = Stage::set(&attack, never, false).play();
    assert_eq!((played.at_risk.len(), played.lost.len(), played.questions), (1, 2, 0));
    assert_eq!(played.unasked(), ["todo_delete"]);
}

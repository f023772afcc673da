//! Which calls wait for the person, as the person wants it on this device; the rules themselves are the agent's.

use std::cell::RefCell;

use agent::{Approvals, Rule};

use web::storage;

/// Where they are kept.
pub const KEY: &str = "satchel.approvals";

/// What changes more to-dos than this asks first, unless the person says otherwise.
const LARGE: u32 = 10;

/// For how long a tool need not ask any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In the conversation on the screen.
    Conversation,
    /// Until the person changes it in the settings.
    ForGood,
}

/// The rules of somebody who has made none: what destroys asks, and so does what is large.
#[must_use]
pub fn defaults() -> Approvals {
    Approvals { writes: Rule::Above(LARGE), ..Approvals::default() }
}

/// The rules on this device.
#[must_use]
pub fn load() -> Approvals {
    storage::local().read(KEY).unwrap_or_else(defaults)
}

/// Keeps the rules. Where the browser allows no storage nothing is kept, and the careful ones stay in force.
pub fn save(approvals: &Approvals) {
    storage::local().write(KEY, approvals);
}

/// Changes the rules as they are on this device now, which another tab may have changed since they were read here. Gives
/// all of them.
pub fn change(change: impl FnOnce(&mut Approvals)) -> Approvals {
    let mut approvals = load();
    change(&mut approvals);
    save(&approvals);
    approvals
}

/// A tool need not ask any more, in any conversation.
pub fn never_ask(tool: &str) {
    change(|approvals| {
        approvals.tools.insert(tool.to_owned(), Rule::Never);
    });
}

/// Tools of the app whose calls go to a tool elsewhere, each with that one's name.
type Elsewhere = Box<dyn Fn() -> Vec<(String, String)>>;

thread_local! {
    /// Says which those are now.
    static ELSEWHERE: RefCell<Option<Elsewhere>> = const { RefCell::new(None) };
}

/// From here on this says which tools of the app go to a tool elsewhere, and to which: the rules of that one hold for both.
pub fn goes_elsewhere(find: impl Fn() -> Vec<(String, String)> + 'static) {
    ELSEWHERE.set(Some(Box::new(find)));
}

fn elsewheres() -> Vec<(String, String)> {
    ELSEWHERE.with_borrow(|find| find.as_ref().map(|find| find()).unwrap_or_default())
}

/// The tool elsewhere that the calls of a tool of the app go to; none for a tool that stays here.
#[must_use]
pub fn elsewhere(tool: &str) -> Option<String> {
    elsewheres().into_iter().find(|(ours, _)| ours == tool).map(|(_, theirs)| theirs)
}

/// The rules as a run has them: of a tool whose calls go elsewhere those of the one there.
#[must_use]
pub fn for_run(approvals: Approvals) -> Approvals {
    followed(approvals, elsewheres())
}

fn followed(mut approvals: Approvals, all: Vec<(String, String)>) -> Approvals {
    for (ours, theirs) in all {
        match approvals.tools.get(&theirs).copied() {
            Some(rule) => drop(approvals.tools.insert(ours, rule)),
            None => drop(approvals.tools.remove(&ours)),
        }
    }
    approvals
}

/// A tool has no rule of its own any more.
pub fn forget(tool: &str) {
    let mut approvals = load();
    if approvals.tools.remove(tool).is_some() {
        save(&approvals);
    }
}

/// A rule as the value of a menu's entry.
#[must_use]
pub fn word(rule: Rule) -> String {
    match rule {
        Rule::Always => "always".to_owned(),
        Rule::Above(count) => format!("above-{count}"),
        Rule::Never => "never".to_owned(),
    }
}

/// A rule from the value of a menu's entry; none for the entry that is no rule.
#[must_use]
pub fn rule(word: &str) -> Option<Rule> {
    match word {
        "always" => Some(Rule::Always),
        "never" => Some(Rule::Never),
        other => Some(Rule::Above(other.strip_prefix("above-")?.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use agent::Rule;

    use super::{defaults, followed, rule, word};

    #[test]
    fn a_rule_is_the_menu_value_and_back() {
        for each in [Rule::Always, Rule::Never, Rule::Above(0), Rule::Above(250)] {
            assert_eq!(rule(&word(each)), Some(each));
        }
        for none in ["", "default", "above-", "above-x", "above--1"] {
            assert_eq!(rule(none), None, "{none}");
        }
    }

    #[test]
    fn the_rule_of_a_tool_elsewhere_holds_for_what_is_searched_there() {
        let mut approvals = defaults();
        approvals.tools.insert("stays__find".to_owned(), Rule::Always);
        approvals.tools.insert("search_web".to_owned(), Rule::Never);
        let pair = |ours: &str, theirs: &str| (ours.to_owned(), theirs.to_owned());
        let rules =
            followed(approvals, vec![pair("search_hotels", "stays__find"), pair("search_web", "web__find")]);
        assert_eq!(rules.tools.get("search_hotels"), Some(&Rule::Always));
        assert_eq!(rules.tools.get("search_web"), None, "the one there has no rule");
    }

    #[test]
    fn what_destroys_or_is_large_asks_until_somebody_says_otherwise() {
        assert_eq!((defaults().destructive, defaults().writes), (Rule::Always, Rule::Above(10)));
    }
}

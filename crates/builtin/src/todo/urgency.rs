//! A sentence at the end that says how urgent something is: "…, it's really urgent", "… (important)".

use crate::lex::{Kind, Token, before, longest, starts, trim_signs};
use crate::todo::cue_words::{QUOTING, TELLING};

/// Whether how urgent something is, told behind these words, is what somebody is to be told or asked: "tell Ana it's not",
/// "ask Bob if it's", "find out whether that's". A sign sets it apart: "tell Ana to come, it's urgent".
pub fn reported(before: &[Token]) -> bool {
    const IS: &str = "is are it's its that's this's isn't aren't was wasn't be being as they're he's she's there's \
         something's everything's nothing's";
    const BETWEEN: &[&str] = &[
        "not", "no", "longer", "really", "very", "so", "that", "super", "quite", "still", "too", "even",
        "actually", "at", "all", "more", "less", "most", "a", "the", "of", "now", "any",
    ];
    const HEARD: &str = "if whether find check know see clarify confirm decide out";
    let between = before.iter().rev().take_while(|t| t.any(BETWEEN)).count();
    let front = &before[..before.len() - between];
    let Some((is, front)) = front.split_last() else { return false };
    let sentence = front.rsplit(|t| t.kind == Kind::Sign && !t.sign(":")).next().unwrap_or_default();
    let told = |t: &Token| t.of(TELLING) || t.of(QUOTING) || t.of(HEARD);
    is.of(IS) && sentence.iter().any(told)
}

/// "…, it's really urgent", "…, super important"; how many tokens.
pub fn urgency(rest: &[Token]) -> Option<(usize, &'static str)> {
    const THIS: &[&str] =
        &["it's|its|that's|this's", "it|this|that|which is", "because it's", "as it's", "since it's"];
    let this = longest(rest, THIS).unwrap_or(0);
    let n = this + starts(&rest[this..], "very|really|super|quite|so|pretty|extremely|most").unwrap_or(0);
    let word = rest.get(n).filter(|t| n > 0 && t.of("urgent important critical"))?;
    level(&word.lower).map(|level| (n + 1, level))
}

/// "Call mum it's urgent": nothing sets it off, and nobody is to be told.
fn unmarked(before: &[Token], this: &Token) -> bool {
    let said = [before, std::slice::from_ref(this)].concat();
    this.of("it's its because as since") && before.len() > 1 && !reported(&said)
}

/// Words without such a sentence at their end, and what it says; after a comma the word alone will do.
pub fn peel_urgency(tokens: &[Token]) -> (&[Token], Option<&'static str>) {
    let tokens = trim_signs(tokens);
    // "renew the lease (urgent)"
    if tokens.last().is_some_and(|t| t.sign(")"))
        && let Some(at) = tokens.iter().rposition(|t| t.sign("(")).filter(|at| *at > 0)
        && let [word] = &tokens[at + 1..tokens.len() - 1]
        && word.of("urgent important")
    {
        return (&tokens[..at], level(&word.lower));
    }
    let from = tokens.len().saturating_sub(5).max(1);
    let found = (from..tokens.len()).find_map(|at| {
        let dash = tokens[at - 1].of("- – —");
        let set_off = dash || tokens[at - 1].kind == Kind::Sign && !tokens[at - 1].sign(":");
        let lone = || Some((1, level(&tokens[at].lower).filter(|_| tokens[at].of("urgent important"))?));
        let (n, level) = urgency(&tokens[at..])
            .filter(|_| set_off || tokens[at - 1].is("and") || unmarked(&tokens[..at], &tokens[at]))
            .or_else(|| lone().filter(|_| set_off))?;
        (at + n == tokens.len()).then_some((at, level))
    });
    match found {
        Some((at, level)) => {
            let rest = trim_signs(&tokens[..at]);
            (before(rest, &["and"]).unwrap_or(rest), Some(level))
        }
        None => (tokens, None),
    }
}

/// The tools' word for how important something was said to be.
pub fn level(word: &str) -> Option<&'static str> {
    Some(match word {
        "urgent" | "highest" | "top" | "critical" => "urgent",
        "high" | "important" => "high",
        "medium" | "normal" | "mid" => "medium",
        "low" | "lowest" => "low",
        "none" | "no" => "none",
        _ => return None,
    })
}

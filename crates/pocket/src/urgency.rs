//! A sentence at the end that says how urgent something is: "…, it's really urgent", "… (important)".

use crate::attrs::level;
use crate::lex::{Kind, Token, before, longest, starts, trim_signs};

/// "…, it's really urgent", "…, super important"; how many tokens.
pub fn urgency(rest: &[Token]) -> Option<(usize, &'static str)> {
    const THIS: &[&str] =
        &["it's|its|that's|this's", "it|this|that|which is", "because it's", "as it's", "since it's"];
    let this = longest(rest, THIS).unwrap_or(0);
    let n = this + starts(&rest[this..], "very|really|super|quite|so|pretty|extremely|most").unwrap_or(0);
    let word = rest.get(n).filter(|t| n > 0 && t.any(&["urgent", "important", "critical"]))?;
    level(&word.lower).map(|level| (n + 1, level))
}

/// Words without such a sentence at their end, and what it says; after a comma the word alone will do.
pub fn peel_urgency(tokens: &[Token]) -> (&[Token], Option<&'static str>) {
    let tokens = trim_signs(tokens);
    // "renew the lease (urgent)"
    if tokens.last().is_some_and(|t| t.sign(")"))
        && let Some(at) = tokens.iter().rposition(|t| t.sign("(")).filter(|at| *at > 0)
        && let [word] = &tokens[at + 1..tokens.len() - 1]
        && word.any(&["urgent", "important"])
    {
        return (&tokens[..at], level(&word.lower));
    }
    let from = tokens.len().saturating_sub(5).max(1);
    let found = (from..tokens.len()).find_map(|at| {
        let dash = tokens[at - 1].any(&["-", "–", "—"]);
        let set_off = dash || tokens[at - 1].kind == Kind::Sign && !tokens[at - 1].sign(":");
        let lone =
            || Some((1, level(&tokens[at].lower).filter(|_| tokens[at].any(&["urgent", "important"]))?));
        let (n, level) = urgency(&tokens[at..])
            .filter(|_| set_off || tokens[at - 1].is("and"))
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

//! Sentences that tell how things are: "milk is done", "I called mum", "the report isn't finished".

use crate::adding::DOING;
use crate::attrs::{Lexicon, level, peel};
use crate::editing::patch;
use crate::find::stem;
use crate::intent::{Intent, Patch, Target};
use crate::lex::{Kind, Token, after, before, starts};
use crate::target::target;

/// "milk is done", "it's urgent", "the report is due friday", "milk isn't done yet".
pub fn statement(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    if question {
        return None;
    }
    // "the report's done": what stands before the apostrophe is what it is about.
    let split = tokens.iter().position(|t| {
        t.kind == Kind::Word
            && t.lower.ends_with("'s")
            && !t.any(&["it's", "that's", "what's", "let's", "today's"])
    });
    if let Some(at) = split
        && tokens
            .get(at + 1)
            .is_some_and(|t| t.any(&["done", "finished", "completed", "open", "urgent", "not"]))
    {
        let mut apart = tokens.to_vec();
        let token = &mut apart[at];
        token.lower.truncate(token.lower.len() - 2);
        token.text =
            token.text.trim_end_matches(['s', 'S']).trim_end_matches(['\'', '’', 'ʼ', '‘']).to_owned();
        let is = Token { kind: Kind::Word, text: "is".into(), lower: "is".into(), spaced: true };
        apart.insert(at + 1, is);
        return statement(&apart, false, lexicon);
    }
    if let Some(told) = told(tokens, lexicon) {
        return Some(told);
    }
    let is = tokens
        .iter()
        .position(|t| t.any(&["is", "are", "isn't", "aren't", "should", "it's", "that's", "was", "has"]));
    let Some(is) = is else { return ticked(tokens, lexicon) };
    let verb = &tokens[is];
    let aim = if verb.any(&["it's", "that's"]) { &tokens[..=is] } else { &tokens[..is] };
    let aim_target = if verb.any(&["it's", "that's"]) && is == 0 { Target::It } else { target(aim, lexicon) };
    let rest = &tokens[is + 1..];
    let rest = after(rest, &["now", "already", "been", "be", "still", "all"]).unwrap_or(rest);
    let rest = before(rest, &["yet", "now", "already"]).unwrap_or(rest);
    let rest = after(rest, &["both"]).unwrap_or(rest);
    if matches!(aim_target, Target::Missing) || rest.is_empty() {
        return None;
    }
    let whole = |phrases: &[&str]| phrases.iter().any(|p| starts(rest, p) == Some(rest.len()));
    let not = verb.any(&["isn't", "aren't"]) || rest[0].is("not");
    let done = whole(&["done", "complete", "completed", "finished", "not done|complete|completed|finished"]);
    if done {
        return Some(if not { Intent::Reopen(aim_target) } else { Intent::Complete(aim_target) });
    }
    if not {
        return None;
    }
    if whole(&["open", "open again", "undone"]) {
        return Some(Intent::Reopen(aim_target));
    }
    if let Some(word) = rest
        .first()
        .and_then(|t| level(&t.lower))
        .filter(|_| rest.len() == 1 || rest.get(1).is_some_and(|t| t.is("priority")) && rest.len() == 2)
    {
        return Some(Intent::change(aim_target, Patch { priority: Some(word), ..Patch::default() }));
    }
    let (left, attrs) = peel(rest, lexicon);
    let due = left.is_empty() && (starts(rest, "due").is_some() || verb.is("should"));
    (due && attrs.when.is_some()).then(|| Intent::change(aim_target, patch(attrs)))
}

/// "I called mum", "gym done", "I haven't called mum yet".
fn told(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let named = |words: &[Token]| match target(words, lexicon) {
        aim @ (Target::Named(_) | Target::Places(_)) if words.len() <= 10 => Some(aim),
        _ => None,
    };
    const NOT: &[&str] = &[
        "i|we haven't|havent|didn't|didnt",
        "i|we have|did not",
        "i|we still haven't",
        "i|we never",
        "i|we haven't|havent|didn't|didnt actually",
    ];
    if let Some(rest) = after(tokens, NOT) {
        let rest = before(rest, &["yet", "after all", "at all"]).unwrap_or(rest);
        let done = after(rest, &["finish|finished|do|done|complete|completed"]);
        let doing = rest.first().is_some_and(doing);
        let rest = done.or(doing.then_some(rest))?;
        return named(rest).map(Intent::Reopen);
    }
    const SAID: &[&str] = &[
        "i|we",
        "i've|we've|ive",
        "i|we have",
        "i've|we've already|just",
        "i|we have already|just",
        "i|we already|just",
        "just",
        "already",
    ];
    let rest = after(tokens, SAID).unwrap_or(tokens);
    let first = rest.first()?;
    let past = doing(first) && stem(&first.lower) != first.lower;
    if past && rest.len() > 1 {
        let rest = before(rest, &["already", "now", "today", "just now"]).unwrap_or(rest);
        return named(rest).map(Intent::Complete);
    }
    None
}

/// "gym done", without a verb.
fn ticked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let aim = before(tokens, &["done|finished|completed|\u{2705}|\u{2714}|\u{2714}\u{fe0f}"])?;
    const UNSURE: &[&str] = &["not", "never", "almost", "nearly", "half", "partly", "isn't", "yet"];
    const ODD: &[&str] = &[
        "well", "all", "get", "getting", "show", "what", "what's", "how", "i", "we", "you", "they", "he",
        "she", "haven't", "didn't",
    ];
    let odd = aim.first()?.any(ODD) || aim.iter().any(|t| t.any(UNSURE));
    (!odd && aim.len() <= 6 && aim.iter().all(|t| t.kind != Kind::Sign))
        .then(|| target(aim, lexicon))
        .filter(|aim| matches!(aim, Target::Named(_) | Target::Places(_)))
        .map(Intent::Complete)
}

/// Whether a word is what people do, in any tense.
fn doing(token: &Token) -> bool {
    token.kind == Kind::Word && DOING.contains(&stem(&token.lower).as_str())
}

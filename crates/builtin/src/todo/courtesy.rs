//! Courtesies in front of a command that go a long way round: "I'd really appreciate it if you added milk", "do you
//! think you could move gym to friday", "I guess I should call mum". What is asked for comes after them.

use crate::lex::{Kind, Token, begins_with, trim_signs};
use crate::phrases::{filler, plain};
use crate::verbs::form_of;

/// After these the command stands as it is.
const AS_IT_IS: &[&str] = &[
    "could|would|can|will you be so kind and|to",
    "could|would|can|will you be so kind as to",
    "could|would|can|will you be good|nice|kind enough to",
    "be so kind and|to",
    "could|would|can|will you do me a|the favor|favour and",
    "do me a|the favor|favour and",
    "would|could|might it be possible to",
    "would|could|might it be possible for you to",
    "would|could it be possible that you",
    "would it be ok|okay|alright|fine to",
    "would you be able|willing to",
    "it would be great|nice|lovely|good|helpful|fantastic|awesome|wonderful|kind|super|cool|best if you could|would|can",
    "it'd be great|nice|lovely|good|helpful|fantastic|awesome|wonderful|kind|super|cool|best if you could|would|can",
    "i'd|we'd appreciate it if you could|would|can",
    "i|we would appreciate it if you could|would|can",
    "i'd|we'd be grateful|thankful|glad|happy|delighted if you could|would|can",
    "i|we would be grateful|thankful|glad|happy|delighted if you could|would|can",
    "i'd|we'd love|like it if you could|would|can",
    "i|we would love|like it if you could|would|can",
    "i'd|we'd love|like|want|prefer|need you to",
    "i'd|we'd like|love for you to",
    "i|we would love|like|prefer you to",
    "i|we would like|love for you to",
    "i was wondering|hoping|thinking if|whether|that you could|would|can|might",
    "i was wondering|hoping|thinking you could|would|can|might",
    "i wonder if|whether you could|would|can|might",
    "i'm hoping|wondering if|that you could|would|can|might",
    "do|don't you think|suppose|reckon|believe|guess you could|can|might|would",
    "any|some chance you could|can|might|would",
    "any|some chance of you",
    "is there any|a chance|way you could|can|might|would",
    "is there any|a chance|way that you could|can|might|would",
    "might|may|can|could i ask|bother|trouble you to",
    "may|can|could i get|have you to",
    "if you could|would",
    "be a dear|darling|star|sweetheart|love|pal|friend|legend|good and",
    "trouble|bother|ask you to",
    "feel free to",
    "how about you",
    "why don't you",
    "i need|want for you to",
    "your job is to",
    "your task is to",
];

/// After these the command's verb stands in another form: "added", "adding".
const IN_ANOTHER: &[&str] = &[
    "i'd|we'd appreciate it if you",
    "i|we would appreciate it if you",
    "i'd|we'd be grateful|thankful|glad|happy|delighted if you",
    "i|we would be grateful|thankful|glad|happy|delighted if you",
    "i'd|we'd love|like it if you",
    "it would be great|nice|lovely|good|helpful|fantastic|awesome|wonderful|kind|super|cool|best if you",
    "it'd be great|nice|lovely|good|helpful|fantastic|awesome|wonderful|kind|super|cool|best if you",
    "would|do you mind",
    "would|do you mind if you",
    "mind",
    "how about",
    "what about",
    "any chance of",
    "any chance of you",
];

/// What follows these is what the person has to do: "I need to …".
const SUPPOSED: &[&str] = &[
    "i|we think|guess|suppose|believe|reckon|feel|figure|fear",
    "i|we think|guess|suppose|believe|reckon|feel|figure|fear that",
    "i've|we've just|only remembered|realised|realized",
    "i|we just|only remembered|realised|realized",
    "i|we just|only remembered|realised|realized that",
    "it looks|seems like",
    "it seems",
    "it seems that",
    "looks|seems like",
    "turns out",
    "it turns out",
    "apparently",
    "i'm|i am afraid",
];

/// Words between those of a phrase that add nothing.
const BETWEEN: &str = "really very much greatly kindly possibly perhaps maybe just please so quickly probably also \
         actually still totally absolutely simply always";

/// Verbs of commands, in their plain form.
const COMMANDS: &[&str] = &[
    "add", "create", "put", "remind", "note", "schedule", "show", "tell", "give", "list", "find", "complete",
    "finish", "mark", "check", "tick", "cross", "delete", "remove", "erase", "rename", "reschedule", "move",
    "push", "postpone", "delay", "snooze", "tag", "untag", "label", "undo", "reopen", "set", "make",
    "change", "clear", "take", "plan", "copy", "split", "bring", "shift", "save", "write", "jot", "search",
];

/// How many tokens a phrase takes at the front, where small words may stand between its own.
fn loosely(tokens: &[Token], phrase: &str) -> Option<usize> {
    let mut at = 0;
    for (nth, want) in phrase.split(' ').enumerate() {
        let fits = |t: &Token| t.kind == Kind::Word && want.split('|').any(|w| w == t.lower);
        while nth > 0 && tokens.get(at).is_some_and(|t| t.of(BETWEEN) && !fits(t)) {
            at += 1;
        }
        tokens.get(at).filter(|t| fits(t))?;
        at += 1;
    }
    Some(at)
}

/// What follows the longest of these phrases.
fn past<'t>(tokens: &'t [Token], phrases: &[&str]) -> Option<&'t [Token]> {
    let n = phrases.iter().filter_map(|phrase| loosely(tokens, phrase)).max()?;
    let rest = &tokens[n..];
    let rest = &rest[rest.iter().take_while(|t| t.of(BETWEEN)).count()..];
    (!trim_signs(rest).is_empty()).then_some(rest)
}

/// Of these a question for the possible is a wish.
const HARMLESS: &[&str] = &["sort", "show", "list", "see", "view", "filter", "search", "find", "order"];

/// The same sentence without the way round, its verb in the plain form.
pub fn plainly(tokens: Vec<Token>) -> Vec<Token> {
    let rest = plain(&tokens);
    let eaten =
        tokens.len() - tokens.iter().position(|t| rest.first() == Some(t)).map_or(0, |at| tokens.len() - at);
    // A courtesy may begin with words that alone are one too: "would you mind adding milk".
    let from = (0..=eaten).filter(|at| *at == 0 || filler(&tokens[..*at]));
    from.into_iter().find_map(|at| direct(trim_signs(&tokens[at..]))).unwrap_or_else(|| {
        // "Be so kind and add milk": that "and" joins nothing.
        if tokens[..eaten].iter().any(|t| t.is("kind")) { rest.to_vec() } else { tokens.clone() }
    })
}

/// What is asked for behind a courtesy.
fn direct(tokens: &[Token]) -> Option<Vec<Token>> {
    if let Some(rest) = past(tokens, IN_ANOTHER)
        && let Some(verb) = COMMANDS.iter().find(|verb| form_of(&rest[0].lower, verb) || rest[0].is(verb))
    {
        let mut rest = rest.to_vec();
        (rest[0].text, rest[0].lower) = ((*verb).to_owned(), (*verb).to_owned());
        return Some(rest);
    }
    // "I think milk is done" is no more than a guess; "I think I need milk" wants it.
    const WANTS: &[&str] = &[
        "i|we need|should|must|have|ought|better|gotta",
        "i|we still|really|also|probably need|should|must|have|ought",
        "i'd|we'd better",
        "i'll|we'll have|need",
        "i've|we've got to",
        "i'm|we're supposed|meant to",
        "i|we had better",
    ];
    if let Some(rest) = past(tokens, SUPPOSED)
        && begins_with(rest, WANTS)
    {
        return Some(rest.to_vec());
    }
    if let Some(rest) = past(tokens, &["is it possible to", "is it possible that you", "is there a way to"])
        && rest[0].any(HARMLESS)
    {
        return Some(rest.to_vec());
    }
    past(tokens, AS_IT_IS).map(<[Token]>::to_vec)
}

//! Commands that mark to-dos as done or as open again.

use crate::lex::{Token, after, before, exactly, lex};
use crate::todo::attrs::Lexicon;
use crate::todo::intent::{Intent, Named, Target};
use crate::todo::participles::{self, without_time};
use crate::todo::readings::State;
use crate::todo::resolve::ONLY_DONE;
use crate::todo::statements::statement;
use crate::todo::target::target;

const DONE: &[&str] = &[
    "done",
    "complete",
    "completed",
    "finished",
    "closed",
    "ticked off",
    "checked off",
    "ticked",
    "checked",
    "as done|complete|completed|finished|closed|checked|ticked",
    "to done|complete|completed",
    "off",
    "off my list",
    "off the list",
    "off as done",
];
const OPEN: &[&str] = &[
    "not done",
    "not complete|completed",
    "undone",
    "open",
    "incomplete|uncompleted|unfinished",
    "as not done|complete|completed|finished",
    "as undone|open|incomplete|uncompleted|unfinished|pending|todo",
    "to open|undone|todo",
    "as to do",
    "as still open",
    "open again",
    "as open again",
];

/// Reads a clause that marks to-dos.
pub fn mark(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if let Some(rest) = after(
        tokens,
        &[
            "reopen", "re-open", "uncheck", "untick", "uncomplete", "unmark", "restart", "unfinish",
            "un-complete",
        ],
    ) {
        return Some(Intent::Reopen(target(rest, lexicon)));
    }
    if let Some(rest) = after(tokens, &["mark", "set", "check", "tick", "cross", "make"]) {
        // "mark everything as done except milk": what is spared belongs to what it is about.
        let cut = rest.iter().position(|t| t.of("except but besides")).filter(|at| *at > 0);
        let turned: Vec<Token>;
        let rest = match cut.and_then(|at| Some((before(&rest[..at], DONE)?, at))) {
            Some((aim, at)) if !aim.is_empty() => {
                turned = aim.iter().chain(&rest[at..]).chain(&rest[aim.len()..at]).cloned().collect();
                turned.as_slice()
            }
            _ => rest,
        };
        // "mark it as cancelled", "as in progress"
        let state = rest.iter().position(|t| t.is("as")).map(|at| &rest[at + 1..]);
        const BETWEEN: &[&str] = &[
            "cancelled|canceled|started|begun|planned|waiting|blocked|skipped|postponed|ongoing",
            "in progress",
            "on hold",
        ];
        // What is cancelled is done where that was to be done, and else not needed any more: as where it is told.
        const OFF: &str = "cancelled canceled";
        if let Some(at) = rest.iter().position(|t| t.is("as")).filter(|at| *at > 0)
            && matches!(&rest[at + 1..], [only] if only.of(OFF))
            && !rest[0].of("it this that them these those all everything")
        {
            // Of several each is looked at for itself.
            if let Target::Named(named) = target(&rest[..at], lexicon)
                && named.parts.len() > 1
            {
                let state = |part: &String| {
                    let (words, deed) = (lex(part), Some(rest[at + 1].lower.clone()));
                    State { words, deed, done: true, firm: true }
                };
                return Some(Intent::Tally(named.parts.iter().map(state).collect()));
            }
            let mut told = rest.to_vec();
            (told[at].text, told[at].lower) = ("is".to_owned(), "is".to_owned());
            if let Some(intent) = statement(&told, false, lexicon) {
                return Some(intent);
            }
        }
        if state.is_some_and(|state| exactly(state, BETWEEN)) {
            return Some(Intent::say(ONLY_DONE));
        }
        if let Some(marked) = participles::marked(&tokens[0], rest, lexicon) {
            return Some(marked);
        }
        // The state may stand before what it is about: "mark as done: milk", "check off milk".
        if let Some(aim) = after(rest, OPEN) {
            return Some(Intent::Reopen(target(aim, lexicon)));
        }
        if let Some(aim) = after(rest, DONE) {
            return Some(Intent::Complete(target(aim, lexicon)));
        }
        if let Some(aim) = before(rest, OPEN) {
            return Some(Intent::Reopen(target(aim, lexicon)));
        }
        if let Some(aim) = before(rest, DONE) {
            return Some(Intent::Complete(target(aim, lexicon)));
        }
    }
    if let Some(rest) = after(
        tokens,
        &[
            "complete",
            "finish",
            "finished",
            "completed",
            "done with",
            "done",
            "i'm done with",
            "i am done with",
            "i finished",
            "i've finished",
            "i have finished",
            "i completed",
            "i've completed",
            "i have completed",
            "close",
            "tick",
            "cross out",
            "finish off",
            "i've done",
            "i have done",
            "i did",
            "i just finished",
            "i already did",
            "i|we have just|already finished|completed|done",
            "i've|we've just|already finished|completed|done",
            "i|we finally finished|completed",
            "we finished|completed|did",
            "we've finished|completed|done",
            "just finished|completed",
            "finally finished|completed",
            "finished up",
            "finished|done with",
            "i'm|we're through with",
            "i am|we are through with",
            "i|we wrapped up",
            "i've|we've wrapped up",
            "wrapped up",
            "i|we ticked|crossed off",
            "i've|we've ticked|crossed off",
            "i'm|we're done|finished",
            "i'm|we're finished with",
            "i am|we are done|finished",
            "i am|we are finished with",
            "i'm all done with",
            "i got done with",
        ],
    ) {
        let rest = if tokens[0].is("done") { after(rest, &["with"]).unwrap_or(rest) } else { rest };
        let rest = before(rest, DONE).filter(|r| !r.is_empty()).unwrap_or(rest);
        // "finished the report yesterday"
        let told = !tokens[0].of("complete finish close tick cross");
        let rest = if told { without_time(rest) } else { rest };
        return Some(Intent::Complete(match target(rest, lexicon) {
            Target::Named(named) if told => Target::Named(Named { told, ..named }),
            aim => aim,
        }));
    }
    None
}

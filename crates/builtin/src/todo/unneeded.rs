//! What is not needed any more, as people tell it: "I don't need the olive oil any more", "forget about the plants",
//! "don't remind me of it again". Whether it is to be deleted is asked.

use crate::lex::{Token, after, before, trim_signs};
use crate::todo::attrs::Lexicon;
use crate::todo::intent::{Intent, Named, Target};
use crate::todo::target::target;

/// What follows these is not needed, if the sentence ends as one of [`OVER`].
const NOT_NEEDED: &[&str] = &[
    "i|we don't|won't need|want",
    "i|we don't|won't need|want to do",
    "i|we do|will not need|want",
    "i|we don't|won't have to do",
    "don't|do not remind me of|about|to",
    "don't remind me of|about|to",
    "do not remind me of|about|to",
    "stop reminding me of|about|to",
    "you needn't remind me of|about|to",
    "you don't have|need to remind me of|about|to",
    "i don't want to be reminded of|about|to",
    "i don't want reminders for|of|about",
    "i'm|i am not going to need",
    "i'm|i am not doing",
    "there's|there is no need for",
    "don't bother me with|about",
    "don't show me",
];
/// After these it needs no such end.
const NO_LONGER: &[&str] = &[
    "i|we no longer need|want", "i|we no longer need|want to do", "stop reminding me of|about",
    "no more reminders for|of|about|to", "no need for|to", "there's|there is no need to",
    "there's|there is no need for", "forget about", "never mind about", "nevermind about", "never mind the",
    "nevermind the", "don't bother with", "don't worry about", "i|we gave up on", "i've|we've given up on",
    "i've|we've changed my|our mind about", "i|we changed my|our mind about", "i|we decided against",
    "i've|we've decided against", "i'm|we're giving up on", "i|we can't be bothered with", "forget",
    "forget the|my|that",
];
const OVER: &[&str] =
    &["any more|longer", "anymore", "no more", "again", "after all", "ever again", "now", "then"];
/// What is told of a thing that is not needed.
const STATES: &[&str] = &[
    "is|are not needed|necessary|required|relevant any more|longer",
    "is|are not needed|necessary|required|relevant anymore",
    "isn't|aren't needed|necessary|required|relevant any more|longer",
    "isn't|aren't needed|necessary|required|relevant anymore",
    "isn't|aren't needed|necessary|required|relevant",
    "is|are not needed|necessary|required|relevant",
    "is|are no longer needed|necessary|required|relevant|happening",
    "is|are obsolete|irrelevant|unnecessary|pointless|moot|superfluous",
    "is|are not happening",
    "is|are not going to happen",
    "isn't|aren't happening",
    "isn't|aren't happening any more",
    "isn't|aren't happening anymore",
    "isn't|aren't|won't going to happen",
    "won't happen",
    "won't be needed|necessary",
    "was|were|got|has been called off",
    "is|are called off",
    "fell through",
    "is|are off the table",
    "is|are off",
    "can go",
    "can be deleted|removed|dropped|scrapped",
    "doesn't|don't matter any more",
    "doesn't|don't matter anymore",
];

/// Reads a clause that tells that a to-do is not needed.
pub fn unneeded(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    let over = before(tokens, OVER);
    let said = over.and_then(|rest| after(rest, NOT_NEEDED)).or_else(|| {
        let rest = over.unwrap_or(tokens);
        after(rest, NO_LONGER)
    });
    let stated = || before(tokens, STATES).filter(|aim| !aim.is_empty() && aim.len() <= 7);
    // "the plants don't need watering any more"
    let undone = || {
        let [front @ .., deed] = over? else { return None };
        let front = before(front, &["doesn't|don't need|needs", "no longer needs|need"])?;
        (deed.lower.ends_with("ing") && !front.is_empty()).then_some(front)
    };
    let aim = said.or_else(stated).or_else(undone)?;
    let aim = after(aim, &["to"]).unwrap_or(aim);
    // "forget the deadline of the report" takes that away, "forget that I'm vegetarian" a memory.
    const PARTS: &str = "deadline date priority tag tags note notes due i i'm is are what about";
    // "… every week any longer" ends the repetition.
    const RHYTHM: &[&str] = &[
        "every", "each", "daily", "weekly", "monthly", "yearly", "repeat", "repeating", "recur", "recurring",
    ];
    if aim.iter().any(|t| t.of(PARTS) || t.any(RHYTHM)) {
        return None;
    }
    match target(aim, lexicon) {
        Target::Named(named) if !named.text.is_empty() && aim.len() <= 8 => {
            let odd = aim[0].of("to i we you he she what which nothing everything there help more");
            (!odd).then_some(Intent::Drop(Target::Named(Named { told: true, ..named })))
        }
        aim @ (Target::It | Target::Them(_) | Target::Places(_)) => Some(Intent::Drop(aim)),
        _ => None,
    }
}

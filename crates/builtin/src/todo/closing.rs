//! Courtesies at the end of a command: they ask for nothing, and are no to-do.

use crate::lex::{Kind, Token, before, begins_with, longest, trim_signs};
use crate::todo::tails::untailed;
use crate::verbs::ACT;

/// What may stand after a command and means nothing.
const CLOSING: &[&str] = &[
    "please",
    "for me",
    "right now",
    "too",
    "as well",
    "instead",
    "real quick",
    "quickly",
    "okay|ok",
    "of course",
    "if you can|could|may|please|like|want|will",
    "if you would|could please|kindly",
    "if you don't|wouldn't mind",
    "if you get a|the chance|moment|minute|time",
    "if you have a|the chance|moment|minute|second",
    "if you have time",
    "if possible",
    "if it's|that's possible|ok|okay|alright|fine",
    "if it is possible",
    "if it's not too much|any trouble",
    "when you can|could",
    "when you get a|the chance|moment|minute|second|sec",
    "when you have a|the chance|moment|minute|second|sec",
    "when you have|get|find time",
    "whenever",
    "whenever you can|like|want|have",
    "whenever you have|get time",
    "whenever you get a chance|moment|minute",
    "whenever possible",
    "whenever works|suits",
    "at your convenience|leisure",
    "no rush|hurry|pressure|stress|worries",
    "no rush|hurry at all",
    "no rush|hurry|pressure|stress though|really|anyway",
    "there's no rush|hurry",
    "there is no rush|hurry",
    "it's|its no|not rush|hurry",
    "take your time",
    "at some point|stage",
    "some time or other",
    "sooner or later",
    "eventually",
    "one of these days",
    "one fine day",
    "when|whenever i|we get round|around to it",
    "when|whenever i|we have|find|get time|a",
    "while you're at it|that",
    "while you are at it|that",
    "while i'm|we're at it",
    "much appreciated",
    "i appreciate it|that",
    "i'd appreciate it|that",
    "i would appreciate it|that",
    "appreciate it",
];
/// What may only stand there after a comma or a full stop: else it goes on with what stands before ("make it not urgent").
const SET_OFF: &[&str] = &[
    "kindly",
    "ta|tia",
    "mate|buddy|pal|dear|friend|dude|man|pocket|satchel",
    "it's|its|it not urgent",
    "it's|its not that|very|so|really urgent|important",
    "not urgent",
    "not very|that|so|really urgent|important",
    "nothing urgent",
    "no big deal",
    "appreciated",
    "that's|that all|it",
    "that is|was|will|should all|it",
    "that's all for now|today",
    "that will|should be all|it",
    "will|would|can|could you",
    "will|would|can|could you please",
    "okay|ok|alright|right|yes|yeah",
    "you're the best",
    "you're a star|gem|legend|angel|lifesaver",
    "you rock",
    "that|this|it would be great|nice|lovely|awesome|perfect|good|helpful|fantastic|kind",
    "that|this would be really|very|so great|nice|lovely|good|helpful|kind",
    "that'd be great|nice|lovely|awesome|perfect|good|helpful|fantastic|kind",
    "would be great|nice|lovely|awesome|perfect|helpful",
    "great|perfect|super|lovely|nice|awesome|cool",
    "i|we changed my|our mind",
    "i've|we've changed my|our mind",
    "thank god|goodness|heavens",
    "phew|yay|woohoo|hooray|hurray|yippee|finally",
    "at last",
    "bye",
    "bye bye",
    "goodbye",
    "have a nice|good|great|lovely day|one|evening|weekend|week|night|time",
    "kind|best|warm regards",
    "best wishes",
    "see you",
    "see you later|soon|tomorrow",
    "good night",
    "you are great|awesome|the best",
    "you're great|awesome|amazing|wonderful|fantastic|kind|sweet",
];
/// What can be the thing itself too: "say thanks".
const THANKS: &[&str] =
    &["thanks|ty|cheers", "thank you", "many|big|with thanks", "thank|thanks a lot|bunch|million"];
/// What thanks go on with: "thanks so much in advance for your help".
const MORE: &str = "a lot bunch million ton so very much again in advance kindly indeed for your the help everything \
         all mate buddy pal dude man dear friend pocket satchel bye love hun bro x xx kindly ever muchly \
         loads heaps tons you as always already";
/// After these, thanks are what is to be said.
const SAYS: &[&str] = &[
    "say", "says", "saying", "send", "write", "a", "the", "my", "our", "big", "some", "of", "and", "with",
    "for", "to", "give", "called", "word",
];
/// After these a "that" or "you" belongs to what stands before.
const HANGS: &[&str] =
    &["and", "to", "if", "what", "the", "a", "of", "for", "with", "or", "not", "is", "in", "me"];

/// What stands before thanks.
fn thanked(tokens: &[Token]) -> Option<&[Token]> {
    let from = tokens.len().saturating_sub(8);
    let at = (from..tokens.len()).find(|at| {
        let thanks = longest(&tokens[*at..], THANKS);
        thanks.is_some_and(|n| tokens[at + n..].iter().all(|t| t.of(MORE)))
    })?;
    Some(&tokens[..at])
}

/// Without courtesies at the end.
pub fn unthanked(mut tokens: &[Token]) -> &[Token] {
    loop {
        tokens = trim_signs(tokens);
        let last = |rest: &[Token], words: &[&str]| rest.last().is_some_and(|t| t.any(words));
        let plain = before(tokens, CLOSING);
        let plain = plain.filter(|rest| !last(rest, HANGS) || before(rest, &["for me"]).is_some());
        // "… on sunday and thank you in advance", but "say please and thank you".
        let says = || tokens.iter().any(|t| t.of("say saying says write send teach of a"));
        let joined = |rest| before(rest, &["and|&|plus"]).filter(|_| !says());
        let thanks =
            thanked(tokens).and_then(|rest| joined(rest).or(Some(rest).filter(|rest| !last(rest, SAYS))));
        let apart = before(tokens, SET_OFF).filter(|rest| {
            rest.last().is_some_and(|t| t.kind == Kind::Sign && !t.sign(":") || t.of("- – —"))
        });
        let shorter =
            [plain, thanks, apart, untailed(tokens)].into_iter().flatten().min_by_key(|rest| rest.len());
        // "Write card: thank you so much": that is what is to be written.
        let said = |rest: &&[Token]| {
            let (last, cut) = (rest.last(), &tokens[rest.len()]);
            let near = &rest[rest.len().saturating_sub(3)..];
            const TOLD: &[&str] = &["tell", "say", "said", "says", "told", "reply", "that"];
            const KEYS: &[&str] = &["click", "press", "hit", "tap", "select", "choose", "type"];
            let calm = cut.of("no there there's it's zero") && near.iter().any(|t| t.any(TOLD));
            let key = cut.of("ok okay") && last.is_some_and(|t| t.any(KEYS));
            !last.is_some_and(|t| t.sign(":") || t.kind != Kind::Sign && (calm || key))
        };
        match shorter.filter(said).filter(|rest| rest.iter().any(|t| t.kind != Kind::Sign)) {
            // "Pls and thank you": the word that joins two courtesies goes with them.
            Some(rest) => {
                tokens = before(rest, &["and|but|&"]).filter(|rest| !rest.is_empty()).unwrap_or(rest)
            }
            None => return tokens,
        }
    }
}

/// An order without the reason for it: "tick off the milk as we have some".
pub fn unreasoned(tokens: &[Token]) -> &[Token] {
    const WHY: &[&str] = &[
        "because|as|since|for|cause i|we|it|it's|they|he|she|i've|we've|i'm|we're|there's|that's|my|our",
        "because",
    ];
    if !tokens.first().is_some_and(|t| t.of(ACT) && !t.of("tag label rename retitle undo revert")) {
        return tokens;
    }
    let quotes = tokens.iter().any(|t| t.kind == Kind::Quoted);
    let why = |at: &usize| {
        let said = &tokens[*at..];
        said.len() > 2
            && begins_with(said, WHY)
            && (said[0].is("because") || said[2..].iter().all(|t| !t.is("list")) && !said[0].is("for"))
    };
    (2..tokens.len()).find(|at| !quotes && why(at)).map_or(tokens, |at| trim_signs(&tokens[..at]))
}

/// Whether the words are nothing but courtesies.
pub fn courtesy(part: &[Token]) -> bool {
    let word = |kind: Kind, text: &str| Token { kind, text: text.into(), lower: text.into(), spaced: true };
    let said = [&[word(Kind::Quoted, "that"), word(Kind::Sign, ".")], part].concat();
    unthanked(&said).len() == 1
}

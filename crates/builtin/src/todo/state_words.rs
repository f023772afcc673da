//! The words by which a sentence tells what became of a thing; `|` separates spellings of one word.

/// Participles that say of anything that it is done.
pub const GENERAL: &[&str] =
    &["done", "finished", "completed", "sorted", "handled", "settled", "complete", "over", "ready", "made"];

/// Words that look like participles and tell no deed.
pub const NO_DEED: &str = "needed been gone went come came seen said told known thought supposed planned tired bored \
         married interested worried excited named tagged related based used stuck blocked moved postponed \
         delayed rescheduled pushed shifted added wanted red bed overdue let hundred need put set left \
         had was been did shared clean dry empty";

/// Small words about a state.
pub const AROUND: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "been", "got", "get", "gotten", "being", "be", "all", "both",
    "already", "finally", "now", "just", "also", "too", "at", "last", "well", "as", "i", "i've", "we",
    "we've", "i'm", "we're", "=", "->", "→", "so", "then", "now,", "me", "by", "it's", "that's", "actually",
    "officially", "completely", "yet", "only", "just", "successfully", "luckily", "thankfully", "had",
    "managed", "to", "the", "my", "our", "a", "an", "there", "still", "them", "it", "off", "up", "out", "in",
    "over", "for", "today", "early", "done", "with",
];

/// Ends of a message that tell nothing.
pub const ASIDES: &[&str] = &[
    "just so you know", "fyi", "just saying", "for the record", "btw", "by the way", "lol", "yay", "woohoo",
    "hooray", "phew", "finally", "at last", "cheers", "thanks", "thank you", "x", "xx", "haha",
    "as you know", "for info", "just a heads up", "heads up", "good news", "great", "nice", "btw", "ok",
    "okay", "so you know", "done", "update", "quick update", "you know", "today", "sorry", "unfortunately",
    "sadly", "ugh", "whew",
];

/// Ends of a clause that tell that a thing is done.
pub const THERE: &[&str] = &[
    "is|are|'s in|through|over|here|away|gone|behind",
    "is|are all|finally|now|already in|through|over|here|away",
    "is|are out of the way",
    "has|have come|arrived|gone",
    "has|have come|gone through|in|off|out",
    "came|went through|in|off|out",
    "went well|fine|great|ok|okay",
    "arrived",
    "is|are|both|all in the fridge|freezer|cupboard|bag|house|kitchen|post|mail|car|basket|trolley",
    "is|are both|all in the fridge|freezer|cupboard|bag|house|kitchen|post|mail|car|basket|trolley",
    "is|are|both|all at home",
    "is|are history",
    "is|are a done deal",
    "is|are off to them|it",
];
/// Ends of a clause that tell that a thing is still to be done.
pub const STILL: &[&str] = &[
    "is|are still open|pending|outstanding|missing|undone|waiting|unpaid|unfinished|left",
    "is|are still to do|go|come",
    "is|are almost|nearly|half|partly|mostly done|finished|ready|complete|there",
    "is|are open|pending|outstanding|missing|undone|waiting|unpaid|unfinished|left",
    "still open|pending|outstanding|missing|waiting|left",
    "still to do|go|come",
    "still to be done",
    "still needs|need doing",
    "still needs|need to be done",
    "remains|remain",
    "remains|remain open|undone",
    "is|are still on the|my list",
    "has|have to wait",
    "was|were sold out",
    "was|were out of stock",
    "was|were closed|busy|unavailable|sold out",
    "sold out",
    "isn't|aren't|wasn't done|finished",
    "comes|come later",
];
/// What stands in front of a thing that could not be had.
pub const MISSING: &[&str] = &[
    "they|he|she had no",
    "they|he|she didn't have|had any",
    "the|my|our shop|store|supermarket had no",
    "there was|were no",
    "i|we forgot|missed",
    "i|we forgot the|about the",
    "forgot",
    "forgot the|about the",
    "couldn't|can't get|find|reach|do|manage",
    "i|we couldn't|can't|didn't get|find|reach|do|manage",
    "i|we wasn't|weren't able to get|find|reach|do",
    "no luck with",
    "out of",
    "still no",
    "still need|needs|have to get|buy|do|call|pay",
    "i|we still need|have to get|buy|do|call|pay",
    "only the",
    "didn't get|manage|do",
    "not",
    "no",
    "except|for",
    "for the|my|our",
    "except for the|my|our",
];
/// What tells where somebody has been, and nothing of a to-do.
pub const BEEN: &[&str] = &[
    "just|only been|back|popped|went|got",
    "been|went|back|popped|home|came",
    "i've|we've been",
    "i've|we've just been",
    "i|we just went|popped|came|got",
    "i|we went|popped|came",
    "i'm|we're back",
    "i'm|we're just back",
    "at the",
    "busy|good|productive|great|long day|morning|afternoon|evening",
    "had a",
];
/// Participles that tell a deed only beside other deeds: "mum called" is what mum did.
pub const WEAK: &[&str] = &["called", "got", "read", "cut"];

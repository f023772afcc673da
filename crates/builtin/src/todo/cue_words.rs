//! The phrases by which a sentence says something of a to-do, by what they say; `|` separates spellings of one word.

/// It is done.
pub const DONE: &[&str] = &[
    "through|finished|done with",
    "all done|finished|sorted|set|good",
    "out of the|my|our way",
    "out of my|our hair",
    "sorted",
    "sorted out",
    "behind me|us",
    "wrapped up",
    "over with",
    "over and done with",
    "taken|took care of",
    "dealt with",
    "seen to",
    "ticked|crossed|checked off",
    "off my|our|the plate|list|desk|hands|mind|chest|shoulders",
    "in the bag",
    "squared away",
    "in the can",
    "knocked out",
    "nailed",
    "polished off",
    "a done deal",
    "got|gotten round|around to",
    "managed to",
    "handled",
    "settled",
    "is|are history",
    "put to bed",
    "under my|our belt",
    "good to go",
    "no longer outstanding",
    "ready at last",
    "mission accomplished",
    "is|are over",
    "is|are finished|complete|completed",
    "got it over",
    "accomplished",
    "can be ticked|checked|crossed off",
];
/// With one of these it is not done, or not yet.
pub const NOT_YET: &str = "if unless should must need needs want wants hope hopefully wish will i'll we'll would could \
         might may maybe perhaps going gonna not never no nearly almost half partly left remains still \
         yet until till once when let's let try trying won't can't cannot wasn't weren't isn't aren't \
         haven't hasn't didn't don't doesn't soon tomorrow supposed think guess before to nobody who";
/// It is not needed.
pub const DROP: &[&str] = &[
    "no point in",
    "there's|is no point",
    "scrap|ditch|bin|axe|scratch|nix",
    "not|never happening|doing|going to happen",
    "isn't|aren't happening|relevant|needed|necessary|required",
    "no longer|more needed|necessary|relevant|happening|applies|apply|required|on",
    "changed my|our mind",
    "decided against",
    "decided not to",
    "called off",
    "fell|fallen through",
    "can forget",
    "forget about",
    "don't|won't need|have",
    "don't want",
    "needn't",
    "no need",
    "off the table",
    "gave|given up on",
    "rid of",
    "took|taken over",
    "not needed|necessary|required|relevant",
    "no use",
    "doesn't matter",
    "pointless",
    "somebody|someone else",
    "should|can|could|may|must go",
    "can|could|should be dropped|scrapped|deleted|removed|binned",
];
/// It comes only once, or no more.
pub const ENDED: &[&str] = &[
    "any longer|more",
    "anymore",
    "just|only this|the once",
    "just|only once",
    "this once",
    "one time only",
    "only|just one time",
    "a one-off|one-time",
    "no longer|more",
    "not every|each",
    "stop|stops repeating|recurring|coming",
    "doesn't|don't repeat|recur|come",
    "no more|longer repeats|repeating",
    "doesn't|don't have|need to repeat|recur",
];
/// What stands between a rhythm and the one it takes the place of.
pub const IN_PLACE: &[&str] =
    &["instead of", "rather than", "and not", "not", "no longer", "instead", "from now on", "now"];
/// It has no date any more.
pub const UNDATED: &[&str] = &[
    "doesn't|don't have|need to be done|finished|ready|there|in by|on|before|until",
    "needn't be done|finished|ready by|on|before|until",
    "no|without a|any deadline|date|due",
    "no|without deadline|date|due",
    "no|without fixed|particular|set|specific|hard deadline|date|day",
    "without a fixed|particular|set|specific deadline|date|day",
    "doesn't|don't matter when",
    "no matter when",
    "open-ended",
    "any time|day",
    "anytime",
    "whenever",
    "at some point|stage",
    "isn't|aren't due on|by|at",
    "isn't|aren't due any",
    "not tied to",
    "take the date|deadline off|away",
    "lose the date|deadline",
    "there's|is no hurry|rush",
];
/// It matters less.
pub const LESS: &[&str] = &[
    "less important|urgent|pressing|critical",
    "isn't|aren't|not that|so|very|really|terribly|particularly|all important|urgent|pressing|critical|crucial",
    "isn't|aren't|not that|so|very|really|terribly|all that important|urgent|pressing|critical|crucial",
    "isn't|aren't|not important|urgent|pressing|critical|crucial",
    "isn't|aren't|not a|the|my|our priority|emergency",
    "isn't|aren't|not much of a priority",
    "isn't|aren't|not as important|urgent|pressing",
    "no big deal",
    "no longer important|urgent|pressing|critical|crucial|a",
    "low|lower|lowest priority",
    "lower|reduce|drop the priority|importance",
    "no priority",
    "play|tone down",
    "down a notch",
    "nice to have",
    "can wait",
];
/// It matters more.
pub const MORE: &[&str] = &[
    "more important|urgent|pressing|critical",
    "really|very|so|super|extremely|quite|pretty|rather important|pressing|crucial",
    "important|crucial|pressing",
    "high|higher|top|highest priority",
    "raise|up|bump|increase the priority|importance",
    "up a notch",
    "matters a lot",
    "matters most",
    "top of my|the|our list",
    "a priority",
];
/// It matters most.
pub const MOST: &[&str] = &[
    "urgent", "asap", "critical", "an emergency", "as soon as possible", "drop everything", "vital",
    "top priority",
];
/// It is not of that tag.
pub const UNTAG: &[&str] = &[
    "isn't|aren't|not really", "doesn't|don't belong", "isn't|aren't|not a|an|about|part",
    "nothing to do with", "isn't|aren't|not", "take|remove|drop|lose the tag|label",
];
/// It is at another time.
pub const MOVED: &[&str] = &[
    "move|push|shift|bump|put|reschedule|postpone|delay|slide|bring|defer",
    "moved|pushed|shifted|bumped|rescheduled|postponed|delayed|brought|deferred|changed",
    "move|push|shift|bump|put back|off|forward|out|ahead",
    "rather|better|instead|sooner|later|earlier",
    "would be|suit|work better|best|fine|nicer",
    "works|suits better|best|fine|me",
    "is|are now|actually|really|only",
    "has|have to be|happen",
    "needs to be|happen",
    "make it",
    "let's do|say",
    "is|are due",
    "till|until",
];
/// There is to be another one like it.
pub const COPY: &[&str] = &[
    "duplicate|copy|clone", "another one like|of|for", "one more like", "a second|another copy|one",
    "same again|thing", "the same again|thing|as", "the same", "a second time", "once more", "one more time",
    "make|create|set another", "make|create|set|give|do me|us another", "make|create|give me|us a second",
    "make|create|add a second", "make|create|set up another", "exactly like", "just like",
    "like the one for",
];
/// It has parts.
pub const UNDER: &[&str] = &[
    "underneath",
    "under|below|beneath|into|in|inside it|that|there|this",
    "put|add those|these|them under|below|beneath|underneath|in|to",
    "subtasks|sub-tasks|subtask|sub-task|steps|parts|pieces|sub-items|sub-steps",
    "into|in two|three|four|five|six",
    "two|three|four|five|six out of|from",
    "break|split|divide|separate|chop",
    "consists of",
    "involves|includes|means|requires|comprises",
    "under|underneath|beneath|below the|my|our|it|that",
];

/// Verbs whose object somebody is to hear or to do.
pub const TELLING: &str = "tell ask email mail text write message explain remind say shout whatsapp dm get advise warn urge beg \
    order persuade convince teach show let answer reply suggest instruct request promise agree hear have want";

/// Verbs behind which stands what somebody said.
pub const QUOTING: &str = "said says told asked wrote explained mentioned suggested replied warned promised wants wanted asks tells saying";

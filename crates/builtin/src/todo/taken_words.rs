//! The words by which a field is taken away, by what they say; `|` separates spellings of one word.

/// Verbs that take something away; some of them only with [`AWAY`].
pub const REMOVES: &str = "remove delete drop lose clear strip ditch scrap erase wipe unset cancel forget kill bin nix \
         scratch axe cut dump discard rid skip eliminate take get bring move pull kick have end stop";
/// What makes "take" one of them.
pub const AWAY: &[&str] = &["off", "away", "out", "from", "rid"];
/// Between a denial and a field these say that the field is to stay as it is, or to change.
pub const KEEPS: &[&str] = &[
    "forget", "change", "touch", "move", "add", "set", "remove", "delete", "miss", "lose", "clear", "drop",
    "take", "know", "remember", "see", "find", "think", "put", "write", "make", "alter", "edit", "keep",
    "leave", "idea", "sure",
];
/// Small words between a denial and what it denies.
pub const SMALL: &[&str] = &[
    "a", "an", "the", "any", "my", "our", "its", "it", "that", "this", "so", "very", "really", "all", "as",
    "too", "terribly", "particularly", "super", "even", "be", "is", "are", "being", "such", "exactly", "of",
    "quite", "much", "longer", "marked", "flagged", "rated", "classed", "treated", "considered", "have",
    "now", "more", "actually", "anything", "like", "overly", "especially", "hugely", "necessarily", "in",
    "to", "matter", "some", "one", "no", "not", "there", "here", "still", "also", "just", "only",
];
/// What stands before a field and says nothing.
pub const ADJECTIVES: &[&str] = &[
    "fixed", "set", "specific", "particular", "exact", "certain", "precise", "definite", "hard", "strict",
    "concrete", "firm", "agreed",
];
/// A date.
pub const DATE: &[&str] = &[
    "due date|dates|day|time",
    "date|dates|deadline|deadlines|cutoff",
    "fixed|set|specific|particular|exact|certain|precise|definite|hard|strict|concrete|firm|real|due date|day|deadline",
    "time limit|frame|pressure",
    "timeframe|timeline",
];
/// A time of day.
pub const TIME: &[&str] = &[
    "time|hour|clock|o'clock",
    "start|starting|clock time",
    "time of day",
    "fixed|set|specific|particular|exact|certain|precise|definite|hard|strict|concrete|firm|agreed time|hour|times",
    "fixed|set|specific|particular|exact|certain|precise|definite start|starting time",
];
/// A note.
pub const NOTE: &[&str] = &[
    "what|everything|anything|all|stuff i|we wrote|noted|jotted|scribbled|put",
    "what|everything|anything|all|stuff i|we wrote|noted|jotted|scribbled|put down|in|there|under",
    "note|notes|comment|comments|remark|remarks|memo|annotation|description",
    "note|notes|comment|comments|remark|remarks|memo about|on|with|regarding|saying",
];
/// A priority.
pub const PRIORITY: &[&str] = &[
    "priority|prio|importance|urgency",
    "high|top|urgent|medium|low|raised|highest priority|prio|importance|urgency",
    "priority flag|mark|level",
    "urgent|important flag|mark|marker|label",
    "exclamation mark|marks",
];
/// How much something matters, after a denial.
pub const MATTERS: &[&str] = &[
    "important|urgent|pressing|critical|crucial|vital|essential|serious|burning|high|top",
    "high|top|urgent|highest|big priority|prio|importance",
    "high|top up|on my|the|our list",
    "priority|prio|emergency|biggie",
    "big deal|thing|issue|matter|rush",
    "huge|major deal|thing|issue|priority",
    "priority one|number",
    "life or death|and",
    "matter much|that|so|anymore",
    "matters much|that",
    "important|urgent thing|one|task|todo|matter|anymore",
    "on fire",
];
/// Said behind a field, these take it away.
pub const GONE: &[&str] = &[
    "can|could|should|may|must|has|have|needs to|be|got go|off|away|gone|dropped|removed|deleted|scrapped|cleared|ditched|binned|forgotten|ignored",
    "can|could|should|may go|disappear",
    "has|have to go",
    "needs to go",
    "can|could|should|may be gone|dropped|removed|deleted|scrapped|cleared|ditched|binned|forgotten|ignored",
    "is|are|was|were gone|wrong|obsolete|irrelevant|unnecessary|superfluous|outdated|void|off|history|pointless|stale|moot",
    "isn't|aren't needed|necessary|relevant|fixed|set|binding|important|real|valid|right|true|strict|firm|there|useful|current",
    "is|are not|no needed|necessary|relevant|fixed|set|binding|important|real|valid|right|true|strict|firm|useful",
    "is|are no longer needed|necessary|relevant|fixed|set|binding|important|real|valid|right|true|strict|firm|useful|current",
    "no longer needed|necessary|relevant|applies|apply|matters|matter|counts|holds|stands|exists|fixed",
    "not needed|necessary|relevant|required|fixed",
    "doesn't|don't matter|count|apply|hold|exist|stand",
    "was|is a mistake",
    "off please",
];
/// The day stays, the hour goes.
pub const WHOLE_DAY: &[&str] = &[
    "just|only",
    "just|only on|for|the",
    "just|only sometime|somewhen on|during",
    "just|only the day|date",
    "just|only the day|date is fixed|fine|enough|set|known",
    "all day",
    "all day on|long",
    "any|some time on",
    "anytime|sometime|whenever on",
    "any|some time that|the|of day",
    "anytime|sometime|whenever that day",
    "any|some time of the|that day",
];
/// It has no date any more.
pub const OPEN_END: &[&str] = &[
    "leave|keep it|that|them open", "leave|keep the date|deadline|day open", "open-ended", "open ended",
    "date|deadline|day to be decided|open", "not tied to any|a date|day",
];
/// How much it matters instead.
pub const NEW_LEVEL: &[&str] = &[
    "normal|regular|ordinary|standard|average is|will|would|priority|prio fine|do|ok|okay|enough|good|works|suffices",
    "normal|regular|ordinary|standard|average priority|prio is|will|would|should fine|do|ok|okay|enough|be",
    "just|only normal|regular|ordinary|standard|average",
    "can|could|may|should|is|are|be normal|regular|ordinary|standard",
    "can|could|may|should be normal|regular|ordinary|standard",
    "can|could|may|should be just|only|back|of normal|regular|ordinary|standard priority|prio",
    "can|could|may|should be normal|regular|ordinary|standard|low|medium priority|prio",
    "is|are|be normal|regular|ordinary|standard priority|prio",
    "can|could|may|should be|go back to normal",
    "can|could|may|should go back to normal|low|medium priority|prio",
    "can|could|may|should be lowered|downgraded",
    "back to normal",
    "back to normal priority",
    "low|medium is|will|would fine|do|ok|okay|enough|good",
    "low|medium priority|prio is|will|would fine|do|ok|okay|enough|be",
];
/// The levels by their words.
pub const LEVELS: &[&str] = &["low", "medium"];
/// A tag.
pub const TAG: &[&str] = &["tag", "tags", "label", "labels", "hashtag", "hashtags"];
/// Ends of a sentence that tell that something was so and is over.
pub const OVER: &[&str] = &[
    "any more|longer", "anymore", "no more|longer", "now", "after all", "at all", "actually", "either",
    "please", "thanks", "for now", "for the moment", "these days", "from now on", "from it|them|there",
    "off it|them|there", "of it|them", "the last time", "one last time", "once more", "one more time",
    "just|only once more", "just|only one more time", "just|only this once|time", "altogether", "entirely",
    "completely", "again",
];

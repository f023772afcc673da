//! The words of questions for a plan, by what they say in one. A table is its words with spaces between.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::lex::{Kind, Token};

/// Whether a word is of any table.
pub fn known(token: &Token) -> bool {
    static ALL: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let tables = [SPREAD, WAIT, BUSY, FIRST, PLAN, NEXT, NOUNS, SMALL, MORE, ASKING];
        tables.iter().flat_map(|table| table.split(' ')).collect()
    });
    token.kind == Kind::Word && ALL.contains(token.lower.as_str())
}

/// To have everything put on days.
pub const SPREAD: &str = "spread spreading distribute distributed stagger balance divvy allocate even";
/// What can be left for later.
pub const WAIT: &str = "\
    wait postpone postponed defer deferred delay delayed skip skipped ignore ignored push pushed \
    leave bump bumped shelve park parked neglect slide procrastinate rush shift shifted reschedule \
    rescheduled move moved forgotten drop dropped later spared";
/// How days are.
pub const BUSY: &str = "\
    busy packed full hectic stressful stressed quiet crowded heavy stacked jammed slammed rammed \
    crammed crazy mad manic insane tight chilled chill calm relaxed relaxing rough tough manageable \
    doable overloaded loaded swamped light empty intense brutal busier fuller ahead free booked \
    cluttered wild easy hard";
/// What to begin with.
pub const FIRST: &str = "\
    tackle tackling tackled start starting begin beginning focus prioritize prioritise prioritizing \
    prioritising attack matters matter pressing urgent urgently important critical crucial pick \
    choose knock squeeze fit worth recommend recommendation suggest suggestion suggestions advise \
    advice attention priority priorities first";
/// To have days planned.
pub const PLAN: &str = "\
    plan planning organise organize organising organizing structure schedule arrange map lay \
    outline prioritise prioritize timetable roadmap order sequence sort figure work tidy strategy \
    gameplan agenda itinerary get";
/// The first of what is to come.
pub const NEXT: &str = "soonest earliest closest nearest next first upcoming approaching coming";
/// Words for what stands in the list.
pub const NOUNS: &str = "\
    thing things stuff task tasks todo todos to-do to-dos list lists one ones job jobs item items \
    chores chore load workload it everything all them these those mess errands obligations \
    commitments deadlines";
/// Words of every question, of time and of moods.
pub const SMALL: &str = "\
    i we you me us my our your it's that that's this the a an of in on at for to with and or but so \
    if as is are am be being do does did doing done should shall can could will would might may \
    must need needs ought supposed have has having had got gotta gonna going go want wanna like \
    love i've i'm i'd i'll we've we're we'll you'd let's let what which what's where where's when \
    who how how's why any anything something nothing some there there's here not don't isn't aren't \
    doesn't can't no just only right rn now moment currently please thanks help give tell show make \
    create draw write propose come up think reckon say guess best better good sensible smart \
    smartest wise wisest realistic reasonable sense proper nice safe safely okay ok fine possible \
    possibly else more most least very really too much many lot lots few couple bit about roughly \
    around approx approximately still left over out into from before after by until till then than \
    again through across within during between back down off away each every long without trouble \
    consequences harm problem issue regret getting bothering hour hours hr hrs h min mins minute \
    minutes half quarter spare free time window gap slot energy morning afternoon evening eve night \
    tonight lunch lunchtime break work bed dinner day days week weeks weekend month today tomorrow \
    today's overwhelmed stressed swamped drowning behind tired panicking panicky stuck lost \
    knackered exhausted feeling feel ugh argh omg hey hi hello sorry actually honestly basically \
    maybe perhaps probably kind sort way idea ideas clue know see look looks looking take takes \
    handle deal use spend under finish finished complete due overdue late open top bottom sit ready \
    big biggest quick quickly quickest small short easy easiest once also already soon asap \
    seriously together sooner rather whole rest whatever remaining game simple rough head myself \
    ourselves plate burner hold next coming new date deadline deadlines happening happens comes get \
    evenly equally sensibly nicely fairly well hand guys mate pal buddy person put goes went try \
    trying sleep home office mind able afford btw tbh lol haha pls cheers yo ya bro monday tuesday \
    wednesday thursday friday saturday sunday bad least-bad holds";
/// More of them, of choosing and of moods.
pub const MORE: &str = "\
    manage managing overcommitted overbooked overworked deserves deserve worth worry worrying \
    burning fire screaming absolutely negotiable non must-do rank ranked ranking importance \
    something win wins hanging fruit low bored decide deciding choosing unsure surprise top three \
    highest quickest fastest productive accomplish achieve achieved finishing working on through \
    run walk talk brief briefing overview picture looking week's tomorrow's monday's tuesday's \
    wednesday's thursday's friday's saturday's sunday's which day's busiest quietest fullest freest \
    emptiest lightest heaviest least clear build draft sketch together breakdown break daily assign \
    split dividing divide fitting fits gets sorted organised organized prepared prepare preparing \
    anyway otherwise another bits bit later others other don't doesn't won't mustn't needn't \
    shouldn't cannot slip happen has worst case realistically ideally urgency urgent-ish hours' \
    minute's wait waits weekdays mornings evenings afternoons rid clean catch caught catching keep \
    keeping track first-up order ordered sequence sensible logical logically optimal efficient \
    efficiently stay sane calmly chaos mess all-in wise attention reckon would've bother bothered \
    point noon moment's now's people say anyone somebody someone else between tackle-wise prioritised \
    prioritized actually literally cram crammed space capacity room breathe breathing air little \
    much-needed wiggle stress stressing panic nervous anxious mad total forgetting forget missing \
    missed overlooked overlooking snowed buried completely totally so amount huge massive tiny few \
    handful handfuls couple's block fill design tackle-able let stock involve entail bring hold \
    brings holds sleep weekly pretty extremely scheduled planned january february march april june july august september october november december christmas tips were useful productive recommendations cope coping survive juggle";
/// How a question or a wish for a plan begins, or what it has in it.
pub const ASKING: &str = "\
    what which what's where where's how how's anything something any is are am will does help \
    suggest suggestion suggestions recommend advise advice propose tell show give ideas idea";

/// What can wait, in several words.
pub const WAIT_LONG: &[&str] = &[
    "put off|aside|back",
    "be put off|aside|back",
    "put on hold|ice",
    "on the back",
    "back burner",
    "hold off",
    "isn't|not|aren't|least urgent|pressing|important",
    "do|done later",
    "no hurry|rush",
    "not needed yet",
    "kick down",
    "let slide|go|slip|slips",
    "what|which can|could|might go|give|slip",
    "can|could let|leave out",
    "get away with",
];

/// What need not be done.
pub const UNNEEDED: &[&str] = &[
    "don't|needn't i|we have|need to",
    "doesn't|don't have|need|needs to",
    "doesn't|don't need doing|finishing|attention",
    "do i|we not have|need to",
    "lowest|low priority",
    "least important|urgent|pressing",
    "not due soon|yet",
    "isn't|aren't due soon|yet",
    "for another day|time",
];

/// How days are, in several words.
pub const BUSY_LONG: &[&str] = &[
    "look like",
    "looking like|good|bad|ok|okay",
    "does it|that|today|tomorrow|tonight look",
    "shape|shaping up",
    "in store|stock",
    "day|week|weekend|today|tomorrow hold|holds|bring|brings|involve|entail",
    "does it|today|tomorrow hold|bring",
    "how bad",
    "too|so much|many",
    "much|lot|lots|anything scheduled|planned|due|happening",
    "in for",
    "lined up",
    "on my|the agenda|plate|schedule|cards",
    "what's|how's looking",
    "week|weekend|day|days look|looking",
    "much going on",
    "a lot on|going",
    "lots on",
    "much on",
    "overview of",
    "rundown of|for|on",
    "summary of|for",
    "run down",
    "picture of",
    "preview of",
    "glance at",
];

/// A wish to hear how days look.
pub const RUN_THROUGH: &[&str] = &[
    "run|walk|talk|take me through", "brief me on", "briefing for|of", "what am|are i|we looking at",
    "catch me up", "big|much|anything coming up", "have i|we got on", "do i|we have on", "i|we got on",
    "got much|anything|lots on",
];

/// What comes first because it cannot wait, or because somebody has to choose.
pub const PRESSING: &[&str] = &[
    "can't|cannot|won't|mustn't|shouldn't wait|slip|slide|be",
    "can|could not wait|slip|slide",
    "can't|cannot i put|postpone|skip|ignore",
    "absolutely|really has|have|must|needs|need",
    "on fire",
    "need|needs my|your|the attention",
    "non negotiable",
    "must-do",
    "best use of",
    "worth doing|starting|tackling|it",
    "quick|quickest|easy|easiest win|wins|one|ones|thing|things",
    "low hanging",
    "which|what one|thing|task should|would|shall",
    "which|what should|would|shall it|that be",
    "what to do",
    "something quick|easy|small|short|useful|productive",
    "something to do",
    "something i|we can|could|should",
    "rank my|the|these|those|them|all|everything",
    "help me decide|choose|pick",
    "anything|something|what's|what urgent|important|pressing|critical",
    "would you do|start|advise|pick|tackle",
    "what should i|we be doing",
    "top two|three|four|five|ten|2|3|4|5|10|priorities|tasks|things|todos",
    "two|three|four|five|2|3|4|5 most important|urgent|pressing",
    "my|the main|biggest|most priority|priorities|important|urgent|pressing",
    "main focus|task|thing|priority",
    "what i|we should|must|ought",
    "what's next up",
    "up next|first",
    "get out of the way",
    "get on with",
    "the ball rolling",
];
/// Words for how much is on a day.
pub const ROOM: &str = "busiest quietest fullest freest emptiest lightest heaviest busy free least clear empty quiet full packed time space room";

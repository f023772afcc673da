//! Verbs of what people do, in the forms in which they tell that it is done: "called", "calling", "bought".

use crate::lex::Token;

/// Verbs that open what people have to do.
pub const DOING: &[&str] = &[
    "buy", "call", "email", "pay", "write", "clean", "send", "book", "fix", "read", "water", "wash", "cook",
    "pick", "feed", "walk", "visit", "prepare", "plan", "order", "get", "bring", "return", "renew",
    "schedule", "submit", "review", "finish", "study", "learn", "practice", "practise", "update", "install",
    "repair", "meet", "text", "ask", "organize", "organise", "sell", "print", "sign", "register", "apply",
    "cancel", "mow", "vacuum", "iron", "bake", "drop", "collect", "contact", "reply", "watch", "do", "make",
    "take", "go", "check", "start", "draft", "file", "pack",
];

/// Verbs of commands about things that are there.
pub const ACT: &str = "complete finish mark check tick cross delete remove erase trash rename retitle reschedule move \
         push shift postpone delay snooze tag untag label undo revert reopen uncheck set make change \
         prioritize prioritise clear defer";

/// Forms that no ending tells.
const FORMS: &[(&str, &str)] = &[
    ("bought", "buy"),
    ("paid", "pay"),
    ("sent", "send"),
    ("did", "do"),
    ("done", "do"),
    ("wrote", "write"),
    ("written", "write"),
    ("got", "get"),
    ("gotten", "get"),
    ("sold", "sell"),
    ("made", "make"),
    ("took", "take"),
    ("taken", "take"),
    ("went", "go"),
    ("gone", "go"),
    ("met", "meet"),
    ("fed", "feed"),
    ("brought", "bring"),
    ("swept", "sweep"),
    ("learnt", "learn"),
    ("ran", "run"),
    ("swam", "swim"),
    ("hung", "hang"),
    ("built", "build"),
    ("found", "find"),
    ("gave", "give"),
    ("given", "give"),
    ("told", "tell"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("drew", "draw"),
    ("drawn", "draw"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("drove", "drive"),
    ("rang", "ring"),
    ("rung", "ring"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("saw", "see"),
    ("seen", "see"),
    ("thought", "think"),
    ("taught", "teach"),
    ("caught", "catch"),
    ("held", "hold"),
    ("lent", "lend"),
    ("spent", "spend"),
];

/// Verbs that open no to-do by themselves ("back pain", "post office") and yet tell that one is done.
const ALSO: &[&str] = &[
    "run", "swim", "hang", "build", "find", "give", "tell", "speak", "draw", "choose", "drive", "ring",
    "throw", "teach", "hold", "lend", "sweep", "mop", "dust", "fold", "empty", "mail", "post", "charge",
    "replace", "change", "research", "discuss", "present", "exercise", "train", "stretch", "meditate",
    "phone", "message", "invite", "arrange", "confirm", "deliver", "tidy", "trim", "cut", "paint", "wrap",
    "hoover", "answer", "solve", "test", "deploy", "upload", "download", "share", "move", "transfer",
    "assemble", "mend", "shop", "swap", "back",
];

/// Verbs of what people do at home, at work and for others, which are no nouns of things that are bought.
const MORE: &[&str] = &[
    "defrost", "unpack", "repot", "prune", "weed", "fertilize", "fertilise", "harvest", "sow", "declutter",
    "descale", "unclog", "unblock", "insulate", "decorate", "redecorate", "renovate", "sand", "varnish",
    "grease", "oil", "lubricate", "bleach", "disinfect", "rinse", "soak", "marinate", "roast", "grill",
    "fry", "boil", "peel", "chop", "knead", "reheat", "rehearse", "memorize", "memorise", "revise",
    "proofread", "rewrite", "edit", "translate", "transcribe", "summarize", "summarise", "analyze",
    "analyse", "calculate", "compare", "evaluate", "estimate", "investigate", "examine", "verify",
    "validate", "approve", "authorize", "authorise", "reject", "negotiate", "invoice", "bill", "refund",
    "reimburse", "deposit", "withdraw", "donate", "subscribe", "unsubscribe", "enrol", "enroll", "recruit",
    "hire", "fire", "onboard", "train", "coach", "mentor", "interview", "brief", "debrief", "announce",
    "publish", "launch", "release", "merge", "refactor", "debug", "configure", "migrate", "archive",
    "encrypt", "scan", "laminate", "photocopy", "fax", "shred", "knit", "sew", "crochet", "embroider", "hem",
    "tailor", "dye", "glue", "solder", "drill", "screw", "nail", "hammer", "measure", "level", "calibrate",
    "inspect", "inflate", "fill", "refuel", "recharge", "jumpstart", "tow", "park", "groom", "brush",
    "vaccinate", "neuter", "deworm", "leash", "bathe", "diaper", "babysit", "chauffeur", "escort",
    "accompany", "host", "entertain", "cater", "toast", "congratulate", "apologize", "apologise", "thank",
    "greet", "welcome", "introduce", "recommend", "nominate", "vote", "protest", "volunteer", "sponsor",
    "fundraise", "pledge", "pray", "journal", "sketch", "sculpt", "compose", "rehang", "reorganize",
    "reorganise", "relabel", "restock", "refill", "replenish", "rotate", "flip", "turn", "lock", "unlock",
    "shut", "close", "open", "remove", "unplug", "plug", "mount", "dismantle", "disassemble", "rewire",
    "tile", "plaster", "caulk", "seal", "hoist", "carry", "haul", "dump", "recycle", "compost", "burn",
    "bury", "rake", "shovel", "plow", "salt", "grit", "clear", "scrape", "chase", "nudge", "follow", "hand",
    "see", "ring", "put", "set", "drop", "leave", "try", "use", "learn", "stop", "quit", "start", "begin",
    "write", "rent", "lease", "borrow", "exchange", "claim", "dispute", "appeal", "escalate", "report",
    "notify", "inform", "alert", "warn", "consult", "advise", "convince", "persuade", "bribe", "reward",
    "punish", "ground", "shave", "wax", "dry", "steam", "press", "fold", "starch", "sort", "file", "index",
    "catalogue", "catalog", "inventory", "count",
];

/// The plain forms a verb's form can have: the word itself is none of them.
fn plain_forms(word: &str) -> impl Iterator<Item = String> {
    let irregular = FORMS.iter().filter(move |(form, _)| *form == word).map(|(_, plain)| (*plain).to_owned());
    let base = ["ed", "ing"].into_iter().find_map(|end| word.strip_suffix(end)).filter(|base| base.len() > 1);
    let regular = base.into_iter().flat_map(|base| {
        let y = base.strip_suffix('i').map(|b| format!("{b}y"));
        let mut ends = base.chars().rev();
        let doubled = ends.next().is_some_and(|last| ends.next() == Some(last));
        let single = if doubled { base.get(..base.len() - 1) } else { None };
        [Some(base.to_owned()), Some(format!("{base}e")), y, single.map(str::to_owned)].into_iter().flatten()
    });
    irregular.chain(regular)
}

/// Verbs whose participle looks like the verb, or after which a thing is called so: "the kitchen is clean".
const SAME: &[&str] = &["read", "cut", "put", "set", "quit", "shut", "clean", "tidy", "empty", "dry"];

/// Whether a word can tell what was done with something: "bought", "packed", "read".
pub fn is_participle(word: &str) -> bool {
    SAME.contains(&word)
        || FORMS.iter().any(|(form, _)| *form == word)
        || word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed")
}

/// Whether a participle is that verb's.
pub fn done_by(participle: &str, verb: &str) -> bool {
    form_of(participle, verb) || participle == verb && SAME.contains(&verb)
}

/// Verbs that tell the same of most things; who says one of them for another is asked, never believed.
const KIN: &[&[&str]] = &[
    &["buy", "get", "pick", "order", "purchase", "grab", "fetch", "collect"],
    &["call", "phone", "ring", "speak", "talk", "contact", "reach"],
    &["pay", "settle", "transfer", "clear"],
    &["send", "mail", "post", "email", "submit", "hand", "file", "deliver", "return", "forward"],
    &["return", "bring", "take", "drop", "give", "hand"],
    &["fix", "repair", "mend", "replace", "sort"],
    &["finish", "complete", "write", "prepare", "do", "make", "draft"],
    &["book", "reserve", "arrange", "organize", "organise", "plan", "schedule", "order", "buy", "get"],
    &["clean", "tidy", "wash", "scrub", "vacuum", "hoover", "mop", "sweep", "wipe"],
    &["cancel", "terminate", "end", "quit", "stop", "leave"],
    &["meet", "see", "visit"],
    &["read", "study", "review", "learn"],
    &["text", "message", "write", "email", "answer", "reply"],
    &["take", "walk", "exercise"],
    &["service", "repair", "check", "inspect", "fix"],
    &["renew", "extend", "prolong"],
    &["sign", "register", "apply", "enrol", "enroll", "join"],
    &["water", "feed"],
];

/// Whether a word, in any form, tells much the same as a verb: "spoke to" of "call".
pub fn kin(word: &str, plain: &str) -> bool {
    let is = |verb: &str| word == verb || form_of(word, verb);
    KIN.iter().any(|all| all.contains(&plain) && all.iter().any(|verb| is(verb)))
}

/// Whether a word is a verb of what people do.
pub fn is_verb(word: &str) -> bool {
    DOING.contains(&word) || ALSO.contains(&word)
}

/// Whether a word can open a sentence that is something to do; some of these are nouns elsewhere.
pub fn may_open(word: &str) -> bool {
    is_verb(word) || MORE.contains(&word)
}

/// Whether a word is a form of a verb: "buying" and "bought" are of "buy".
pub fn form_of(word: &str, plain: &str) -> bool {
    plain_forms(word).any(|form| form == plain)
}

/// The plain form of a verb in the past or in "-ing"; other words as they are.
pub fn stem(word: &str) -> String {
    let known = |form: &String| may_open(form);
    plain_forms(word).find(known).unwrap_or_else(|| word.to_owned())
}

/// Those of them that say so on their own.
pub const SHIFTS: &[&str] =
    &["move", "push", "shift", "bump", "reschedule", "postpone", "delay", "defer", "snooze", "knock"];

/// Whether a day behind these words is where something is to be put: "tell Bob to move the meeting to".
pub fn moved_to(before: &[Token]) -> bool {
    const PUTS: &[&str] = &["change", "switch", "bring", "set", "get", "put", "drag", "slide"];
    let to = before.last().is_some_and(|t| t.of("to until till"));
    let moved = |t: &Token| {
        let past = |end: &str| t.lower.strip_suffix(end).is_some_and(|verb| SHIFTS.contains(&verb));
        past("ed") || past("d")
    };
    to && before.iter().any(|t| t.any(SHIFTS) || t.any(PUTS) || moved(t))
}

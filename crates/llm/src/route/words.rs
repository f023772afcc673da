//! The words the router looks at: English, German, Russian, and Chinese, which has no spaces between them.
//!
//! All in lower case. A phrase is its words with one space between them.

/// What a request is politely begun with; it says nothing of what is wanted.
pub const FILLERS: &[&str] = &[
    "please", "hey", "hi", "hello", "ok so", "so", "now", "just", "quickly", "could you", "can you",
    "would you", "will you", "can i", "could i", "tell me", "give me", "let me know", "i want to know",
    "i'd like to know", "let me see", "also", "bitte", "hallo", "kannst du", "könntest du", "gib mir",
    "sag mir", "mal", "пожалуйста", "привет", "скажи", "скажи мне", "можешь", "дай", "дай мне", "thanks",
    "thank you", "danke", "спасибо",
];

/// The same in Chinese.
pub const HAN_FILLERS: &[&str] = &["请", "帮我", "你能", "能不能", "可以", "麻烦", "告诉我", "给我"];

/// How a look-up begins, whatever follows.
pub const LOOKUPS: &[&str] = &[
    "what", "what's", "whats", "which", "who", "who's", "whose", "when", "when's", "where", "where's",
    "how many", "how much", "how long", "how often", "how old", "find", "search", "extract", "count",
    "look up", "display", "do i have", "do we have", "did i", "have i", "is there", "are there", "was",
    "wie viele", "wie viel", "wie lange", "wann", "wo", "wer", "welche", "welcher", "welches", "welchen",
    "zeig", "zeige", "finde", "suche", "such", "hab ich", "habe ich", "gibt es", "zähle", "что", "покажи",
    "сколько", "когда", "где", "кто", "какие", "какая", "какой", "какое", "найди", "перечисли", "есть ли",
    "выведи",
];

/// What begins a look-up only with one of [`SHOWN`] behind it: "list all", not "list the flat with an agent" nor "get milk".
pub const SHOWS: &[&str] = &["show", "list", "get", "fetch", "liste"];

/// What can be shown.
pub const SHOWN: &[&str] = &[
    "me", "us", "my", "our", "all", "the", "every", "everything", "any", "open", "overdue", "done",
    "finished", "completed", "unfinished", "pending", "due", "today's", "tomorrow's", "high", "low",
    "things", "todos", "tasks", "items", "notes", "tags", "what", "which", "alle", "alles", "meine",
    "offene", "die",
];

/// What begins a look-up when a question mark ends it.
pub const QUESTIONS: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "any", "anything", "anyone", "ist",
    "sind", "hat", "habe", "есть", "был", "была",
];

/// What wants thinking: a request with it is no look-up.
pub const ADVICE: &[&str] = &[
    "why", "should", "shall", "would", "better", "best", "wise", "wrong", "worth", "recommend", "suggest",
    "advise", "advice", "think", "decide", "improve", "what if", "what about", "how about", "how do",
    "how can", "help me", "warum", "wieso", "soll", "sollte", "besser", "lieber", "am besten", "почему",
    "зачем", "стоит", "лучше", "мне делать", "посоветуй",
];

/// The same in Chinese.
pub const HAN_ADVICE: &[&str] = &["为什么", "应该", "怎么办", "建议", "值得", "怎么做"];

/// How a request to put text into other words begins.
pub const REWORDINGS: &[&str] = &[
    "summarize", "summarise", "sum up", "recap", "tldr", "condense", "shorten", "translate", "rephrase",
    "paraphrase", "reword", "rewrite", "proofread", "simplify", "übersetze", "übersetz", "kürze", "kürz",
    "formuliere", "подведи итог", "подведи итоги", "кратко", "перескажи", "переведи", "сократи", "резюмируй",
    "перефразируй", "сделай краткое", "краткое содержание",
];

/// The first word and the last one of such a request whose verb is in two parts or at the end; the first may be any.
pub const REWORDING_ENDS: &[(&str, &str)] = &[
    ("make", "shorter"),
    ("make", "simpler"),
    ("make", "friendlier"),
    ("make", "clearer"),
    ("", "zusammenfassen"),
    ("", "übersetzen"),
    ("fass", "zusammen"),
    ("fasse", "zusammen"),
];

/// The same in Chinese.
pub const HAN_REWORDINGS: &[&str] = &["总结", "概括", "翻译", "缩短", "改写", "简化", "归纳"];

/// What a short text is called.
pub const SUMMARIES: &[&str] =
    &["summary", "recap", "digest", "zusammenfassung", "übersetzung", "translation", "резюме"];

/// What may stand before it.
pub const ADJECTIVES: &[&str] =
    &["a", "the", "an", "short", "quick", "brief", "concise", "eine", "die", "kurze", "краткое", "короткое"];

/// What may follow it.
pub const SUMMARY_OF: &[&str] =
    &["of", "for", "from", "about", "on", "please", "der", "des", "von", "vom", "über"];

/// What joins two requests.
pub const AND: &[&str] = &["and", "then", "but", "und", "dann", "danach", "и", "потом", "затем", "also"];

/// The same in Chinese.
pub const HAN_AND: &[&str] = &["然后", "并且", "接着", "再把", "并把"];

/// What is done rather than looked up.
pub const ACTS: &[&str] = &[
    "add", "archive", "assign", "book", "buy", "call", "cancel", "change", "clear", "complete", "create",
    "delete", "draft", "drop", "email", "explain", "finish", "help", "mail", "make", "mark", "message",
    "move", "order", "organise", "organize", "plan", "postpone", "put", "remind", "remove", "rename",
    "reschedule", "save", "schedule", "send", "set", "share", "sort", "tag", "tell", "tick", "undo",
    "update", "write", "ändere", "erinnere", "erstelle", "füge", "lösche", "markiere", "plane", "schick",
    "schicke", "schreib", "schreibe", "sende", "setze", "sortiere", "speichere", "verschiebe", "verschieb",
    "добавь", "напиши", "напомни", "отметь", "отправь", "перенеси", "поставь", "создай", "составь",
    "сохрани", "удали",
];

/// How a request to do something begins in Chinese; a question word in it is part of what is to be done.
pub const HAN_ACTS: &[&str] =
    &["添加", "把", "删除", "提醒", "创建", "制定", "安排", "写", "改", "移", "设置", "标记"];

/// How a look-up begins in Chinese.
pub const HAN_LOOKUPS: &[&str] =
    &["显示", "列出", "查找", "查询", "查看", "搜索", "找出", "什么是", "多少", "哪些"];

/// What makes a Chinese clause a question.
pub const HAN_QUESTIONS: &[&str] = &["什么", "多少", "哪", "几个", "谁", "有没有"];

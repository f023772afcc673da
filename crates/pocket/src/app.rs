//! Questions about the app itself: who sees what, whether it needs the internet, what it costs, what it can reach.

use crate::beyond::NO_RING_ALONE;
use crate::lex::{Token, starts, trim_signs};

const PRIVATE: &str = "Your to-dos stay on this device, and so does what you say to me: the built-in model sends nothing. Another model, if you choose one in settings, is sent the conversation.";
const OFFLINE: &str = "Yes: your to-dos and the built-in model work without the internet.";
const FREE: &str =
    "The app and the built-in model cost nothing. A model from elsewhere may, if you choose one in settings.";
const NO_ACCOUNT: &str = "You need no account for your to-dos or for the built-in model.";
const ONLY_TODOS: &str = "No. I only know your to-dos, and what you say here.";
const ENGLISH: &str = "I understand plain English only. Another model, chosen in settings, may know more.";
const WHO: &str = "I'm the built-in model of Satchel: rules for plain English, without the internet and without an account. Say “help” for what I understand.";
const UNDO: &str =
    "Say “undo” to take back the last change, or “undo the last 3”. Deleted to-dos come back by it too.";

/// What a question begins with, and what is answered.
const ALL: &[(&str, &str)] = &[
    ("who can|could see|read|access|view", PRIVATE),
    ("who sees|reads|has access|knows", PRIVATE),
    ("can|could anyone|anybody|someone|somebody|others|people|you else see|read|access", PRIVATE),
    ("can|could anyone|anybody|someone|somebody|others|people see|read|access", PRIVATE),
    ("where is|are my|the data|todos|to-dos|tasks|list|lists|information|things stored|saved|kept", PRIVATE),
    ("where do|does you|it|this|satchel store|save|keep|put", PRIVATE),
    ("is|are my|the data|todos|to-dos|tasks|list|information|things private|safe|secure|encrypted", PRIVATE),
    ("is|are this|it|everything|you private|safe|secure|encrypted", PRIVATE),
    ("is|are my|the data|todos|to-dos|tasks|list|information sent|uploaded|shared|sold|stored", PRIVATE),
    ("do|does you|it|this|satchel share|upload|sell|store|track|collect|spy|save|record", PRIVATE),
    ("do|does the app share|upload|sell|store|track|collect|spy|save|record", PRIVATE),
    ("are you spying|tracking|listening|watching|recording", PRIVATE),
    ("do|does|will|can|could you|it|this|satchel work|run|function offline", OFFLINE),
    ("do|does|will|can|could you|it|this|satchel work|run|function without", OFFLINE),
    ("do|does|will|can|could the|this app work|run|function offline|without", OFFLINE),
    ("do|does i|you|it|this need|require internet|wifi|wi-fi|data", OFFLINE),
    ("do|does i|you|it|this need|require the|an|a internet|network|connection", OFFLINE),
    ("can i use this|it|you offline|without", OFFLINE),
    ("is|are this|it|you|satchel free", FREE),
    ("is the|this app free", FREE),
    ("how much do|does this|it|you|satchel cost", FREE),
    ("what do|does this|it|you|satchel cost", FREE),
    ("do i have|need to pay for this|it|you", FREE),
    ("do i have|need to sign|log|register|create", NO_ACCOUNT),
    ("do i need an|to account|login|password|register", NO_ACCOUNT),
    (
        "can|could|do|will you read|see|access|check|open|search|look my email|emails|mail|mails|calendar|calendars|contacts|messages|texts|photos|files|phone|screen|location|camera|bank|inbox",
        ONLY_TODOS,
    ),
    ("can|could|do|will you access|search|browse|use|surf|google the|google web|internet|things", ONLY_TODOS),
    ("can|could|do you hear|see me", ONLY_TODOS),
    (
        "do|can|could you speak|understand|know|learn german|french|spanish|italian|dutch|polish|turkish|russian|chinese|japanese|portuguese|english|arabic|hindi|swedish|other|another|any|more",
        ENGLISH,
    ),
    ("what|which languages|language do|can you", ENGLISH),
    ("what|which model|ai|llm are|is you|this", WHO),
    ("are|is you|this chatgpt|gpt|claude|gemini|siri|alexa|copilot|openai|real|human|alive|sentient|ai", WHO),
    ("are|is you|this a|an real|human|person|machine|robot|computer|program|ai|llm", WHO),
    ("who made|built|created|wrote|programmed|developed you|this|satchel", WHO),
    ("what's|what is your name", WHO),
    ("what are|is your|you name|called", WHO),
    ("will|do|can|could you notify|alert|remind|wake|ring me", NO_RING_ALONE),
    ("do|will|can you send notifications|reminders|alerts|me notifications", NO_RING_ALONE),
    (
        "do|does|can you|it|this support|have|do|offer|give|send|show reminders|notifications|alarms|alerts",
        NO_RING_ALONE,
    ),
    ("how do|can|could i undo|revert", UNDO),
    ("can|could i undo|revert|restore", UNDO),
    ("is there an|a way|undo to|button undo", UNDO),
];

/// The answer to a question about the app.
pub fn line(tokens: &[Token], question: bool) -> Option<&'static str> {
    let tokens = trim_signs(tokens);
    if tokens.len() > 14 {
        return None;
    }
    if question
        && tokens.iter().any(|t| t.any(&["account", "login", "registration", "signup", "sign-up"]))
        && tokens.iter().any(|t| t.any(&["without", "need", "require", "have", "create"]))
    {
        return Some(NO_ACCOUNT);
    }
    let (phrase, said) = ALL.iter().find(|(phrase, _)| starts(tokens, phrase).is_some())?;
    // "Can you remind me to call mum" is a wish, whatever its sign.
    let wish = *said == NO_RING_ALONE && starts(tokens, phrase) != Some(tokens.len());
    (question && !wish || !phrase.starts_with("can") && !phrase.starts_with("will") && !wish).then_some(*said)
}

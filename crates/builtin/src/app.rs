//! Questions about the app itself: who sees what, whether it needs the internet, what it costs, what it can reach.

use std::borrow::Cow;

use crate::lex::{Token, starts, trim_signs};

/// What a question about the app is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Who sees what is kept here.
    Privacy,
    /// Whether it works without the internet.
    Offline,
    /// What it costs.
    Price,
    /// Whether an account is needed.
    Account,
    /// What else it can reach.
    Reach,
    /// Which languages it reads.
    Languages,
    /// Who is speaking.
    Who,
    /// How something is taken back.
    Undo,
    /// Whether it reminds.
    Reminders,
}

use Topic::{Account, Languages, Offline, Price, Privacy, Reach, Reminders, Undo, Who};

/// What is answered; `things` is what is kept here: `to-dos`.
pub fn answer(topic: Topic, things: &str) -> String {
    match topic {
        Privacy => format!(
            "Your {things} stay on this device, and so does what you say to me: the built-in model sends nothing. Another model, if you choose one in settings, is sent the conversation."
        ),
        Offline => format!("Yes: your {things} and the built-in model work without the internet."),
        Price => "The app and the built-in model cost nothing. A model from elsewhere may, if you choose one in settings.".to_owned(),
        Account => format!("You need no account for your {things} or for the built-in model."),
        Reach => format!("No. I only know your {things}, and what you say here."),
        Languages => "I understand plain English only. Another model, chosen in settings, may know more.".to_owned(),
        Who => "I'm this app's built-in model: rules for plain English, without the internet and without an account. Say “help” for what I understand.".to_owned(),
        Undo => format!(
            "Say “undo” to take back the last change, or “undo the last 3”. Deleted {things} come back by it too."
        ),
        Reminders => "I cannot remind you: nothing rings here.".to_owned(),
    }
}

/// What a question begins with, and what it is about; `{things}` stands for what people call what is kept here.
const ALL: &[(&str, Topic)] = &[
    ("who can|could see|read|access|view", Privacy),
    ("who sees|reads|has access|knows", Privacy),
    ("can|could anyone|anybody|someone|somebody|others|people|you else see|read|access", Privacy),
    ("can|could anyone|anybody|someone|somebody|others|people see|read|access", Privacy),
    ("where is|are my|the data|{things}|lists|information|things stored|saved|kept", Privacy),
    ("where do|does you|it|this|satchel store|save|keep|put", Privacy),
    ("is|are my|the data|{things}|information|things private|safe|secure|encrypted", Privacy),
    ("is|are this|it|everything|you private|safe|secure|encrypted", Privacy),
    ("is|are my|the data|{things}|information sent|uploaded|shared|sold|stored", Privacy),
    ("do|does you|it|this|satchel share|upload|sell|store|track|collect|spy|save|record", Privacy),
    ("do|does the app share|upload|sell|store|track|collect|spy|save|record", Privacy),
    ("are you spying|tracking|listening|watching|recording", Privacy),
    ("do|does|will|can|could you|it|this|satchel work|run|function offline", Offline),
    ("do|does|will|can|could you|it|this|satchel work|run|function without", Offline),
    ("do|does|will|can|could the|this app work|run|function offline|without", Offline),
    ("do|does i|you|it|this need|require internet|wifi|wi-fi|data", Offline),
    ("do|does i|you|it|this need|require the|an|a internet|network|connection", Offline),
    ("can i use this|it|you offline|without", Offline),
    ("is|are this|it|you|satchel free", Price),
    ("is the|this app free", Price),
    ("how much do|does this|it|you|satchel cost", Price),
    ("what do|does this|it|you|satchel cost", Price),
    ("do i have|need to pay for this|it|you", Price),
    ("do i have|need to sign|log|register|create", Account),
    ("do i need an|to account|login|password|register", Account),
    (
        "can|could|do|will you read|see|access|check|open|search|look my email|emails|mail|mails|calendar|calendars|contacts|messages|texts|photos|files|phone|screen|location|camera|bank|inbox",
        Reach,
    ),
    ("can|could|do|will you access|search|browse|use|surf|google the|google web|internet|things", Reach),
    ("can|could|do you hear|see me", Reach),
    (
        "do|can|could you speak|understand|know|learn german|french|spanish|italian|dutch|polish|turkish|russian|chinese|japanese|portuguese|english|arabic|hindi|swedish|other|another|any|more",
        Languages,
    ),
    ("what|which languages|language do|can you", Languages),
    ("what|which model|ai|llm are|is you|this", Who),
    ("are|is you|this chatgpt|gpt|claude|gemini|siri|alexa|copilot|openai|real|human|alive|sentient|ai", Who),
    ("are|is you|this a|an real|human|person|machine|robot|computer|program|ai|llm", Who),
    ("who made|built|created|wrote|programmed|developed you|this|satchel", Who),
    ("what's|what is your name", Who),
    ("what are|is your|you name|called", Who),
    ("will|do|can|could you notify|alert|remind|wake|ring me", Reminders),
    ("do|will|can you send notifications|reminders|alerts|me notifications", Reminders),
    (
        "do|does|can you|it|this support|have|do|offer|give|send|show reminders|notifications|alarms|alerts",
        Reminders,
    ),
    ("how do|can|could i undo|revert", Undo),
    ("can|could i undo|revert|restore", Undo),
    ("is there an|a way|undo to|button undo", Undo),
];

/// What a question about the app is about; `nouns` as a phrase has them: `todos|tasks`.
pub fn topic(tokens: &[Token], question: bool, nouns: &str) -> Option<Topic> {
    let tokens = trim_signs(tokens);
    if tokens.len() > 14 {
        return None;
    }
    if question
        && tokens.iter().any(|t| t.of("account login registration signup sign-up"))
        && tokens.iter().any(|t| t.of("without need require have create"))
    {
        return Some(Account);
    }
    let (phrase, topic, n) =
        ALL.iter().find_map(|(phrase, topic)| Some((*phrase, *topic, begun(tokens, phrase, nouns)?)))?;
    // "Can you remind me to call mum" is a wish, whatever its sign.
    let wish = topic == Reminders && n != tokens.len();
    (question && !wish || !phrase.starts_with("can") && !phrase.starts_with("will") && !wish).then_some(topic)
}

/// How many tokens a phrase takes up at the front.
fn begun(tokens: &[Token], phrase: &str, nouns: &str) -> Option<usize> {
    let phrase: Cow<str> =
        if phrase.contains('{') { phrase.replace("{things}", nouns).into() } else { phrase.into() };
    starts(tokens, &phrase)
}

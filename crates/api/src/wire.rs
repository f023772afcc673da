//! What goes over the wire, as types: bodies, answers and events. The description (`GET /v1/openapi.json`) is made of them.

use agent::{Form, Questions};
use protocol::CallId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The longest message, in characters: what the built-in model reads, and no model gets more at once.
pub const LONGEST_MESSAGE: usize = terminal::LONGEST_TEXT;

/// The longest title and the longest name of an itinerary, in characters.
pub const LONGEST_NAME: usize = 200;

/// A session that is to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSession {
    /// What it is called; it can be found by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_NAME))]
    pub title: Option<String>,
    /// The itinerary it is about, by its id or its title: what is said is meant of it, and what is spent in all sessions about it is
    /// counted together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_NAME))]
    pub itinerary: Option<String>,
}

/// How long ago something was last said (S4-32, S4-33).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// Less than 30 minutes.
    Active,
    /// Less than a day.
    Idle,
    /// Less than 30 days.
    Archived,
    /// Longer: it can be read and takes no messages any more.
    Expired,
}

/// When a session is no longer active, no longer idle, no longer archived, in milliseconds (S4-33).
const IDLE_MS: i64 = 30 * 60 * 1_000;
const ARCHIVED_MS: i64 = 24 * 60 * 60 * 1_000;
const EXPIRED_MS: i64 = 30 * ARCHIVED_MS;

impl SessionState {
    /// How long ago something was last said, in a word. Both in Unix milliseconds.
    #[must_use]
    pub fn at(last_ms: i64, now_ms: i64) -> Self {
        match now_ms.saturating_sub(last_ms) {
            ago if ago < IDLE_MS => Self::Active,
            ago if ago < ARCHIVED_MS => Self::Idle,
            ago if ago < EXPIRED_MS => Self::Archived,
            _ => Self::Expired,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Idle => "idle",
            Self::Archived => "archived",
            Self::Expired => "expired",
        }
    }
}

/// What a session does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// It takes a message.
    Ready,
    /// It answers one, or waits for its turn to.
    Running,
    /// It waits for an answer of yours.
    Waiting,
}

/// A session: a conversation and what it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id.
    pub id: String,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The id of the itinerary it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub itinerary: Option<String>,
    /// What that is called now; of one that is not there any more, what it was called when the session was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub itinerary_title: Option<String>,
    /// How long ago something was last said.
    pub state: SessionState,
    /// What it does.
    pub status: SessionStatus,
    /// When it was made, RFC 3339.
    pub created_at: String,
    /// When something was last said or answered, RFC 3339.
    pub last_activity_at: String,
    /// The messages so far.
    pub messages: u64,
    /// What they cost, in US dollars, as far as prices are known.
    pub cost: f64,
}

/// A session with what was said in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionDetail {
    /// The session.
    #[serde(flatten)]
    pub session: Session,
    /// What was said, in order.
    pub transcript: Vec<Line>,
    /// What waits for an answer.
    pub questions: Vec<QuestionsEvent>,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// By whom.
    pub role: Speaker,
    /// The words.
    pub text: String,
    /// When, RFC 3339.
    pub at: String,
}

/// The sessions of a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionList {
    /// What was last used comes first.
    pub sessions: Vec<Session>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewMessage {
    /// The words; not only white space.
    #[schemars(length(min = 1, max = LONGEST_MESSAGE))]
    pub text: String,
}

/// An answer to what waits for one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAnswer {
    /// The call that asks.
    pub call_id: String,
    /// An answer by each question's id: a choice's id, a list of them, words, `{"from": "2026-06-15", "to": "2026-06-22"}` or a
    /// number.
    #[serde(default)]
    pub answers: Map<String, Value>,
    /// True to leave the questions unanswered: the model goes on without.
    #[serde(default)]
    pub decline: bool,
}

/// `text`: more of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextEvent {
    /// The new characters.
    pub text: String,
    /// What came of the text since the last event of another name is void, and begins anew with this: the model was asked again.
    pub restart: bool,
}

/// `tool_call`: the model asks for a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallEvent {
    /// The call; its result has the same.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// The name a person reads.
    pub title: String,
    /// What it is called with.
    pub arguments: Value,
}

/// `tool_result`: what came of a call. Every call has one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultEvent {
    /// The call.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// It was refused, declined, or failed.
    pub is_error: bool,
    /// What the model reads of it.
    pub content: String,
    /// The same as data, where the tool gives any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionsKind {
    /// The model wants to know something.
    Questions,
    /// A call wants to be allowed.
    Approval,
}

/// `structured_questions`: nothing goes on until they are answered (`POST /v1/sessions/{id}/answers`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionsEvent {
    /// The call that asks.
    pub call_id: String,
    /// Who asks.
    pub kind: QuestionsKind,
    /// The name a person reads of the tool.
    pub title: String,
    /// What is asked.
    pub questions: Vec<Question>,
    /// For an approval: what the call would do, in words, where that can be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// For an approval: the tool that brought text from outside before this was asked for; whoever wrote that may want this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tainted_by: Option<String>,
}

/// What an answer to a question is (S4-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionType {
    /// The id of an option.
    SingleChoice,
    /// A list of ids of options.
    MultipleChoice,
    /// Words.
    Text,
    /// `{"from": "2026-06-15", "to": "2026-06-22"}`
    DateRange,
    /// A whole number.
    Scale,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// What its answer is given by.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// What an answer is.
    #[serde(rename = "type")]
    pub kind: QuestionType,
    /// It may be left open.
    pub optional: bool,
    /// For choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<Choice>>,
    /// Why it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// A picture that it is about, `data:image/…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    /// For words: what an answer may look like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// For words: what an answer has to look like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// For a range: the first day there is to choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earliest: Option<String>,
    /// For a range: the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<String>,
    /// For a scale: the least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// For a scale: the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// For a scale: what the least means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_label: Option<String>,
    /// For a scale: what the most means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_label: Option<String>,
}

/// An option of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// What an answer says.
    pub id: String,
    /// What a person reads.
    pub label: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// A picture of it, `data:image/…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
}

/// What words have to look like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Validation {
    /// What they are.
    pub format: Format,
    /// The least number, or the fewest characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest number, or the most characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// What typed words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Any words.
    Text,
    /// A number.
    Number,
    /// A mail address.
    Email,
    /// A day, `2026-06-15`.
    Date,
    /// A time of day, `09:30`.
    Time,
}

/// Tokens, as the provider counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Of what the model was asked.
    pub input: u64,
    /// Of what it said.
    pub output: u64,
}

/// How a message ended that was not answered with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The answer is there.
    Complete,
    /// It is cut: it reached the limit on its length, or a filter stopped it.
    Cut,
    /// A limit on steps, calls or time ended it; what was done by then is kept.
    Limited,
    /// It was stopped.
    Cancelled,
}

/// `done`: the message is answered. Nothing comes after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DoneEvent {
    /// Tokens of the whole message.
    pub tokens: Tokens,
    /// What it cost in US dollars; null where the model's price is not known. Of a response that was cut off what was put by for it: what
    /// it did cost nobody says.
    pub cost: Option<f64>,
    /// The whole answer (S4-15).
    pub message: String,
    /// The tools that were called, in order.
    pub tool_calls_made: Vec<String>,
    /// How it ended.
    pub stop: Stop,
    /// A sentence about the end, where there is something to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Pieces of the answer that no result of a tool supports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<String>,
    /// Limits on spending that are near, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What the tools' answers say of all calls together (S4-15): the fields that the domains name, all of them always.
    #[serde(flatten)]
    #[schemars(skip)]
    pub up: Map<String, Value>,
}

/// The types of S4-25 and S4-33 that a message can end with, and two of ours. A tool that does not exist, or that fails, ends no
/// message: the model reads of it, and `tool_result` says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorType {
    /// The model's provider wants fewer requests. `retryAfter` says when there may be more.
    RateLimitExceeded,
    /// The model failed; `retryable` says whether trying again may help.
    LlmApiError,
    /// The conversation no longer fits the model's window.
    ContextLimitExceeded,
    /// A limit on spending is reached, or the provider's quota is.
    CostLimitExceeded,
    /// The tools could not be reached.
    ToolExecutionFailed,
    /// The session could not be written (ours).
    StorageFailed,
    /// Something in the server is broken (ours).
    InternalError,
}

/// `error`: the message was not answered. The session is kept; `POST /v1/sessions/{id}/retry` tries again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorEvent {
    /// What a program acts on.
    #[serde(rename = "type")]
    pub kind: ErrorType,
    /// A sentence for a person.
    pub message: String,
    /// Seconds after which it may work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Whether trying again may help.
    pub retryable: bool,
}

/// An event's data; which it is says the event's name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum EventData {
    /// `text`
    Text(TextEvent),
    /// `tool_call`
    ToolCall(ToolCallEvent),
    /// `tool_result`
    ToolResult(ToolResultEvent),
    /// `structured_questions`
    Questions(QuestionsEvent),
    /// `done`
    Done(DoneEvent),
    /// `error`
    Error(ErrorEvent),
}

impl EventData {
    /// The name of the event.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::ToolCall(_) => "tool_call",
            Self::ToolResult(_) => "tool_result",
            Self::Questions(_) => "structured_questions",
            Self::Done(_) => "done",
            Self::Error(_) => "error",
        }
    }

    /// Nothing comes after it for its message.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Error(_))
    }
}

/// The question that an approval is put as, by its id.
pub(crate) const APPROVE: &str = "approve";

/// The answers to it.
pub(crate) const YES: &str = "yes";
pub(crate) const ALL: &str = "all";
pub(crate) const NO: &str = "no";

/// A call that wants to be allowed, as questions.
pub(crate) fn approval(
    call_id: &CallId,
    title: &str,
    preview: Option<String>,
    tainted_by: Option<String>,
) -> QuestionsEvent {
    let choice = |id: &str, label: &str| Choice {
        id: id.to_owned(),
        label: label.to_owned(),
        description: String::new(),
        image_url: None,
    };
    let question = Question {
        id: APPROVE.to_owned(),
        question: format!("{title}: may this be done?"),
        kind: QuestionType::SingleChoice,
        optional: false,
        options: Some(vec![
            choice(YES, "Yes"),
            choice(ALL, "Yes, and this tool for the rest of this message"),
            choice(NO, "No"),
        ]),
        context: None,
        image_url: None,
        placeholder: None,
        validation: None,
        earliest: None,
        latest: None,
        min: None,
        max: None,
        min_label: None,
        max_label: None,
    };
    QuestionsEvent {
        call_id: call_id.0.clone(),
        kind: QuestionsKind::Approval,
        title: title.to_owned(),
        questions: vec![question],
        preview,
        tainted_by,
    }
}

/// What the model asks, as questions.
pub(crate) fn questions(call_id: &CallId, title: &str, asked: &Questions) -> QuestionsEvent {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    // One on the device is no address that a client could read.
    let picture = |url: &String| given(url).filter(|url| url.starts_with("data:"));
    let questions = asked.questions.iter().map(|asked| {
        let mut question = Question {
            id: asked.id.clone(),
            question: asked.question.clone(),
            kind: QuestionType::Text,
            optional: asked.optional,
            options: None,
            context: given(&asked.context),
            image_url: picture(&asked.image_url),
            placeholder: None,
            validation: None,
            earliest: None,
            latest: None,
            min: None,
            max: None,
            min_label: None,
            max_label: None,
        };
        let choices = |options: &[agent::Choice]| {
            let one = |option: &agent::Choice| Choice {
                id: option.id.clone(),
                label: option.label.clone(),
                description: option.description.clone(),
                image_url: picture(&option.image_url),
            };
            Some(options.iter().map(one).collect())
        };
        match &asked.form {
            Form::SingleChoice { options } => {
                question.kind = QuestionType::SingleChoice;
                question.options = choices(options);
            }
            Form::MultipleChoice { options } => {
                question.kind = QuestionType::MultipleChoice;
                question.options = choices(options);
            }
            Form::Text { placeholder, validation } => {
                question.placeholder = given(placeholder);
                question.validation = validation.as_ref().map(|validation| Validation {
                    format: match validation.format {
                        agent::Format::Text => Format::Text,
                        agent::Format::Number => Format::Number,
                        agent::Format::Email => Format::Email,
                        agent::Format::Date => Format::Date,
                        agent::Format::Time => Format::Time,
                    },
                    min: validation.min,
                    max: validation.max,
                });
            }
            Form::DateRange { earliest, latest } => {
                question.kind = QuestionType::DateRange;
                (question.earliest, question.latest) = (given(earliest), given(latest));
            }
            Form::Scale { min, max, min_label, max_label } => {
                question.kind = QuestionType::Scale;
                (question.min, question.max) = (Some(*min), Some(*max));
                (question.min_label, question.max_label) = (given(min_label), given(max_label));
            }
        }
        question
    });
    QuestionsEvent {
        call_id: call_id.0.clone(),
        kind: QuestionsKind::Questions,
        title: title.to_owned(),
        questions: questions.collect(),
        preview: None,
        tainted_by: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ages() {
        let (minute, hour, day) = (60_000, 3_600_000, 86_400_000);
        for (ago, state) in [
            (-5 * minute, SessionState::Active),
            (0, SessionState::Active),
            (30 * minute - 1, SessionState::Active),
            (30 * minute, SessionState::Idle),
            (2 * hour, SessionState::Idle),
            (day - 1, SessionState::Idle),
            (day, SessionState::Archived),
            (3 * day, SessionState::Archived),
            (30 * day - 1, SessionState::Archived),
            (30 * day, SessionState::Expired),
            (i64::MAX, SessionState::Expired),
        ] {
            assert_eq!(SessionState::at(0, ago), state, "{ago} ms");
        }
        assert_eq!(SessionState::at(i64::MIN, i64::MAX), SessionState::Expired);
    }

    #[test]
    fn a_state_is_called_as_it_is_written() {
        for state in [SessionState::Active, SessionState::Idle, SessionState::Archived, SessionState::Expired]
        {
            assert_eq!(serde_json::to_value(state).unwrap(), state.word());
        }
    }
}

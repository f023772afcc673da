//! Which of the codecs an endpoint speaks.

use protocol::ModelRequest;
use serde::{Deserialize, Serialize};

use crate::answer::Decode;
use crate::stream::decode;
use crate::{
    AnswerFormat, ByteStream, Endpoint, EventStream, Headers, HttpRequest, Secret, anthropic, openai_chat,
    openai_responses,
};

/// A wire format: the API that an endpoint speaks. Written by its [`name`](Wire::name).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Wire {
    /// OpenAI's chat completions, which nearly every server speaks.
    #[default]
    OpenAiChat,
    /// Anthropic's Messages.
    AnthropicMessages,
    /// OpenAI's Responses.
    OpenAiResponses,
}

impl Wire {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::OpenAiChat, Self::AnthropicMessages, Self::OpenAiResponses];

    /// What it is called in settings and configurations.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::AnthropicMessages => "anthropic",
            Self::OpenAiResponses => "openai-responses",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wire| wire.name() == name)
    }

    /// The most tokens of an answer that is asked for where a request does not say; none where none is asked for.
    #[must_use]
    pub fn longest_answer(self) -> Option<u32> {
        match self {
            Self::AnthropicMessages => Some(anthropic::MAX_TOKENS),
            Self::OpenAiChat | Self::OpenAiResponses => None,
        }
    }

    /// The headers that a program which is no page sends along, the key among them.
    #[must_use]
    pub fn headers(self, key: Option<&Secret>) -> Headers {
        let key = key.map(Secret::expose).filter(|key| !key.is_empty());
        let header = |name: &str, value: String| (name.to_owned(), value);
        match self {
            Self::AnthropicMessages => {
                let version = header("anthropic-version", anthropic::VERSION.to_owned());
                key.map(|key| header("x-api-key", key.to_owned())).into_iter().chain([version]).collect()
            }
            Self::OpenAiChat | Self::OpenAiResponses => {
                key.map(|key| header("authorization", format!("Bearer {key}"))).into_iter().collect()
            }
        }
    }

    /// The address that requests go to under a base URL. A query string (Azure's `?api-version=`) stays at the end,
    /// and a base that was pasted with the path already on it is taken as it is.
    #[must_use]
    pub fn url(self, base: &str) -> String {
        match self {
            Self::OpenAiChat => openai_chat::chat_url(base),
            Self::AnthropicMessages => anthropic::messages_url(base),
            Self::OpenAiResponses => openai_responses::responses_url(base),
        }
    }

    /// The strictest format that can be asked for. Every model behind Anthropic's Messages has tools of its own; who is
    /// asked for JSON there all the same is asked by the prompt.
    pub(crate) fn strictest_format(self) -> AnswerFormat {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => AnswerFormat::JsonSchema,
            Self::AnthropicMessages => AnswerFormat::Prompt,
        }
    }

    /// The member of a body that asks for a format, as JSON text: a schema's order matters, and a value has its members
    /// in the order of the alphabet.
    fn format_member(self, format: AnswerFormat, schema: &str) -> Option<String> {
        let name = "agent_response";
        match (self, format) {
            (Self::OpenAiChat, AnswerFormat::JsonSchema) => Some(format!(
                r#""response_format":{{"type":"json_schema","json_schema":{{"name":"{name}","schema":{schema}}}}}"#
            )),
            (Self::OpenAiChat, AnswerFormat::JsonObject) => {
                Some(r#""response_format":{"type":"json_object"}"#.to_owned())
            }
            (Self::OpenAiResponses, AnswerFormat::JsonSchema) => Some(format!(
                r#""text":{{"format":{{"type":"json_schema","name":"{name}","schema":{schema}}}}}"#
            )),
            (Self::OpenAiResponses, AnswerFormat::JsonObject) => {
                Some(r#""text":{"format":{"type":"json_object"}}"#.to_owned())
            }
            (Self::AnthropicMessages, _) | (_, AnswerFormat::Prompt) => None,
        }
    }

    /// Decodes the body of the 2xx response to a request. `now_ms` (since 1970, UTC) dates what an error in the stream
    /// asks for.
    #[must_use]
    pub fn decode(
        self,
        headers: &Headers,
        body: ByteStream,
        request: &ModelRequest,
        now_ms: i64,
    ) -> EventStream {
        decode(headers, body, self.decoder(request), now_ms)
    }

    /// What reads the answer to a request.
    pub(crate) fn decoder(self, request: &ModelRequest) -> Box<dyn Decode> {
        match self {
            Self::OpenAiChat => Box::new(openai_chat::Decoder::new(request)),
            Self::AnthropicMessages => Box::new(anthropic::Decoder::new(request)),
            Self::OpenAiResponses => Box::new(openai_responses::Decoder::new(request)),
        }
    }
}

impl From<Wire> for &'static str {
    fn from(wire: Wire) -> Self {
        wire.name()
    }
}

impl TryFrom<String> for Wire {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        Self::named(&name).ok_or_else(|| format!("\"{name}\" is no wire; there are {names}"))
    }
}

impl Endpoint {
    /// Encodes a request in the endpoint's wire, streaming. Of more tools than it takes, those of [`Endpoint::left_out`] are left
    /// out.
    #[must_use]
    pub fn encode(&self, request: &ModelRequest) -> HttpRequest {
        let request = &*self.within_most(request);
        match self.wire {
            Wire::OpenAiChat => openai_chat::encode(request, self),
            Wire::AnthropicMessages => anthropic::encode(request, self),
            Wire::OpenAiResponses => openai_responses::encode(request, self),
        }
    }

    /// The same, asking for an answer in a format.
    pub(crate) fn encode_as(
        &self,
        request: &ModelRequest,
        format: AnswerFormat,
        schema: &str,
    ) -> HttpRequest {
        let mut http = self.encode(request);
        if let Some(member) = self.wire.format_member(format, schema)
            && http.body.pop() == Some(b'}')
        {
            http.body.extend_from_slice(format!(",{member}}}").as_bytes());
        }
        http
    }
}

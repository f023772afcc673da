//! Which of the codecs an endpoint speaks.

use protocol::ModelRequest;

use crate::answer::Decode;
use crate::stream::decode;
use crate::{
    ByteStream, Endpoint, EventStream, Headers, HttpRequest, anthropic, openai_chat, openai_responses,
};

/// A wire format: the API that an endpoint speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

impl Endpoint {
    /// Encodes a request in the endpoint's wire, streaming.
    #[must_use]
    pub fn encode(&self, request: &ModelRequest) -> HttpRequest {
        match self.wire {
            Wire::OpenAiChat => openai_chat::encode(request, self),
            Wire::AnthropicMessages => anthropic::encode(request, self),
            Wire::OpenAiResponses => openai_responses::encode(request, self),
        }
    }
}

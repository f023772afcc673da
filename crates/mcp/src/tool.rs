//! What a tool author imports: a tool is one struct, and says everything about itself.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A typed tool that runs in a context `Cx` (a place to read and stage changes, in our domains).
#[async_trait(?Send)]
pub trait Tool<Cx> {
    /// 1 to 128 of `[A-Za-z0-9_.-]`: the same name serves MCP, WebMCP and the models' wire formats.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// What it does and when to use it, for the model.
    const DESCRIPTION: &'static str;
    /// What a client may assume before it calls.
    const HINTS: Hints;
    /// Only for the app's own screens: a model is not told about it (MCP Apps, `_meta.ui.visibility`).
    const APP_ONLY: bool = false;
    /// The address of a page that shows what it answers (MCP Apps, `_meta.ui.resourceUri`); none where it is empty.
    const SHOWN_BY: &'static str = "";
    /// What it keeps is told to models later as the person's own words (`_meta["dev.satchel/lasting"]`). A client asks
    /// before it calls such a tool where strangers may have written what is kept.
    const LASTING: bool = false;
    /// What a call of it may take up.
    const LIMITS: Limits = Limits::DEFAULT;
    /// The arguments: a struct (JSON object). `#[serde(deny_unknown_fields)]` makes the schema closed.
    type Args: DeserializeOwned + JsonSchema;
    /// What a successful call gives: a struct (JSON object), since legacy clients take nothing else.
    type Output: Serialize + JsonSchema;

    /// Runs the tool.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] for what the model can put right, [`ToolError::Failed`] for what it cannot.
    async fn run(&self, args: Self::Args, cx: &mut Cx) -> Result<Self::Output, ToolError>;
}

/// What a call of a tool may take up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of the request's body.
    pub max_body_bytes: usize,
    /// It may take so long that a client which knows tasks gets one (2025-11-25, tasks).
    pub is_task: bool,
}

impl Limits {
    /// A call that is answered at once.
    pub const DEFAULT: Self = Self { max_body_bytes: crate::MAX_BODY_BYTES, is_task: false };
}

/// Hints about a tool's behaviour. All four are always sent, since the protocol's own defaults are the
/// pessimistic ones ([`Hints::default`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hints {
    /// It changes nothing.
    #[serde(rename = "readOnlyHint")]
    pub read_only: bool,
    /// It may remove or overwrite what was there.
    #[serde(rename = "destructiveHint")]
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    #[serde(rename = "idempotentHint")]
    pub idempotent: bool,
    /// It reaches beyond this device.
    #[serde(rename = "openWorldHint")]
    pub open_world: bool,
}

impl Hints {
    /// Reads and changes nothing, on this device.
    pub const READ: Self = Self { read_only: true, destructive: false, idempotent: true, open_world: false };
    /// Adds something new each time, on this device.
    pub const ADD: Self = Self { read_only: false, destructive: false, idempotent: false, open_world: false };
    /// Sets something to a value, on this device; nothing is lost.
    pub const SET: Self = Self { read_only: false, destructive: false, idempotent: true, open_world: false };
    /// Removes something, on this device.
    pub const DELETE: Self =
        Self { read_only: false, destructive: true, idempotent: true, open_world: false };
}

impl Default for Hints {
    /// What a client must assume of a tool that says nothing (2026-07-28, server/tools).
    fn default() -> Self {
        Self { read_only: false, destructive: true, idempotent: false, open_world: true }
    }
}

/// A tool as `tools/list` shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDef {
    /// [`Tool::NAME`].
    pub name: String,
    /// [`Tool::TITLE`]; left out when it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// [`Tool::DESCRIPTION`].
    #[serde(default)]
    pub description: String,
    /// JSON Schema 2020-12 of the arguments; its root is an object.
    pub input_schema: Value,
    /// JSON Schema 2020-12 of the output; null where a foreign server gives none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub output_schema: Value,
    /// [`Tool::HINTS`].
    #[serde(default)]
    pub annotations: Hints,
    /// Null, or an object: `{"ui": {"visibility": ["app"]}}` for [`Tool::APP_ONLY`].
    #[serde(default, rename = "_meta", skip_serializing_if = "Value::is_null")]
    pub meta: Value,
}

impl ToolDef {
    /// Whether a model may be told about it: it says nothing of whom it is for, or names the model (MCP Apps,
    /// `_meta.ui.visibility`).
    #[must_use]
    pub fn is_for_model(&self) -> bool {
        let visibility = self.meta.pointer("/ui/visibility").and_then(Value::as_array);
        visibility.is_none_or(|names| names.iter().any(|name| name == "model"))
    }

    /// [`Tool::LASTING`].
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        self.meta.get(crate::meta::LASTING).is_some_and(|lasting| *lasting == true)
    }
}

/// Why a tool gave no output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// The model can put it right: it gets these words as a result with `isError`.
    Rejected(String),
    /// It cannot: the client gets a JSON-RPC error (-32603) with these words.
    Failed(String),
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rejected(message) | Self::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ToolError {}

/// The arguments of a tool that takes none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

//! Tools of one context, in a stable order, with their types erased.

use async_trait::async_trait;
use serde_json::Value;

use crate::schema;
use crate::tool::{Tool, ToolDef, ToolError};

/// A [`Tool`] whose argument and output types are erased to JSON.
#[async_trait(?Send)]
pub trait AnyTool<Cx> {
    /// The tool as it is listed.
    fn definition(&self) -> &ToolDef;

    /// Decodes the arguments, runs the tool and encodes its output.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] also for arguments of a wrong shape: it says which field, and what is
    /// expected there.
    async fn call(&self, args: Value, cx: &mut Cx) -> Result<Value, ToolError>;
}

/// All tools of a server, in the order in which they were listed.
pub struct Registry<Cx> {
    tools: Vec<Box<dyn AnyTool<Cx>>>,
    definitions: Vec<ToolDef>,
}

impl<Cx> Registry<Cx> {
    /// No tools yet.
    pub fn new() -> Self {
        Self { tools: Vec::new(), definitions: Vec::new() }
    }

    /// Adds a tool.
    ///
    /// # Panics
    /// When the name breaks the rules or is taken, or a schema's root is not an object: mistakes in the
    /// program that its first start shows.
    #[must_use]
    pub fn with<T: Tool<Cx> + 'static>(self, tool: T) -> Self {
        let definition = schema::definition::<Cx, T>();
        self.push(definition.clone(), Box::new(Erased { tool, definition }))
    }

    /// Adds all tools of another registry, in their order.
    ///
    /// # Panics
    /// When a name is taken.
    #[must_use]
    pub fn chain(self, other: Self) -> Self {
        other
            .tools
            .into_iter()
            .zip(other.definitions)
            .fold(self, |registry, (tool, definition)| registry.push(definition, tool))
    }

    /// All tools as `tools/list` shows them.
    pub fn definitions(&self) -> &[ToolDef] {
        &self.definitions
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&dyn AnyTool<Cx>> {
        let place = self.definitions.iter().position(|definition| definition.name == name)?;
        self.tools.get(place).map(|tool| &**tool)
    }

    fn push(mut self, definition: ToolDef, tool: Box<dyn AnyTool<Cx>>) -> Self {
        assert!(self.get(&definition.name).is_none(), "two tools share the name {}", definition.name);
        self.definitions.push(definition);
        self.tools.push(tool);
        self
    }
}

impl<Cx> Default for Registry<Cx> {
    fn default() -> Self {
        Self::new()
    }
}

struct Erased<T> {
    tool: T,
    definition: ToolDef,
}

#[async_trait(?Send)]
impl<Cx, T: Tool<Cx>> AnyTool<Cx> for Erased<T> {
    fn definition(&self) -> &ToolDef {
        &self.definition
    }

    async fn call(&self, args: Value, cx: &mut Cx) -> Result<Value, ToolError> {
        let args = decode(T::NAME, args)?;
        let output = self.tool.run(args, cx).await?;
        serde_json::to_value(output)
            .map_err(|error| ToolError::Failed(format!("The output of {} is not JSON: {error}", T::NAME)))
    }
}

fn decode<Args: serde::de::DeserializeOwned>(tool: &str, args: Value) -> Result<Args, ToolError> {
    // Serde would take a list for a struct, field by field.
    if !args.is_object() {
        return Err(ToolError::Rejected(format!("Bad arguments for {tool}: they must be a JSON object")));
    }
    serde_path_to_error::deserialize(args).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { String::new() } else { format!(" at `{path}`") };
        ToolError::Rejected(format!("Bad arguments for {tool}{place}: {}", error.inner()))
    })
}

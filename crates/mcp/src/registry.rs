//! Tools of one context, in a stable order, with their types erased.

use std::cell::OnceCell;
use std::rc::Rc;

use async_trait::async_trait;
use serde_json::Value;

use crate::part::Part;
use crate::tool::{Hints, Limits, Tool, ToolDef, ToolError};
use crate::{arguments, schema};

/// A [`Tool`] whose argument and output types are erased to JSON.
#[async_trait(?Send)]
pub trait AnyTool<Cx> {
    /// Decodes the arguments, runs the tool and encodes its output as JSON text.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] also for arguments of a wrong shape: it says which field, and what is
    /// expected there.
    async fn call(&self, args: Value, cx: &mut Cx) -> Result<String, ToolError>;
}

/// All tools of a server, in the order in which they were added.
pub struct Registry<Cx> {
    tools: Vec<Entry<Cx>>,
    /// Earlier names of tools, each with the one it has now.
    aliases: Vec<(&'static str, &'static str)>,
    definitions: OnceCell<Vec<ToolDef>>,
}

struct Entry<Cx> {
    name: &'static str,
    title: &'static str,
    hints: Hints,
    limits: Limits,
    tool: Box<dyn AnyTool<Cx>>,
    source: Source,
}

/// Where a definition comes from when somebody asks for it.
#[derive(Clone, Copy)]
enum Source {
    /// From the tool's types.
    Types(fn() -> ToolDef),
    /// From a listing that was made from the types before: JSON as `tools/list` has it.
    Listing(&'static str),
}

impl<Cx> Registry<Cx> {
    /// No tools yet.
    pub fn new() -> Self {
        Self { tools: Vec::new(), aliases: Vec::new(), definitions: OnceCell::new() }
    }

    /// Adds a tool. Its schemas are made from its types when the tools are first listed.
    ///
    /// # Panics
    /// When the name breaks the rules or is taken: mistakes in the program that its first start shows.
    #[must_use]
    pub fn with<T: Tool<Cx> + 'static>(self, tool: T) -> Self {
        self.push::<T>(Box::new(Erased { tool }), Source::Types(schema::definition::<Cx, T>))
    }

    /// Adds a tool that `listing` describes: a JSON array of [`ToolDef`]s which [`definition`] made of the
    /// same types earlier, and a test compares with them. What makes schemas is then no part of the
    /// program, which counts where the program is loaded often.
    ///
    /// [`definition`]: crate::definition
    ///
    /// # Panics
    /// As [`Registry::with`]; [`Registry::definitions`] panics when the listing does not describe the tool.
    #[must_use]
    pub fn with_listed<T: Tool<Cx> + 'static>(self, tool: T, listing: &'static str) -> Self {
        self.push::<T>(Box::new(Erased { tool }), Source::Listing(listing))
    }

    /// Adds a tool that a part has under its name, as [`Registry::with_listed`] lists it. Of the tool itself nothing is named
    /// here but what it says about itself.
    ///
    /// # Panics
    /// As [`Registry::with_listed`].
    #[must_use]
    pub fn with_later<T, P>(self, part: &Rc<Part<P>>, listing: &'static str) -> Self
    where
        T: Tool<Cx>,
        P: AsRef<Self> + Clone + 'static,
    {
        let tool = Later { name: T::NAME, part: Rc::clone(part) };
        self.push::<T>(Box::new(tool), Source::Listing(listing))
    }

    /// Adds all tools of another registry, in their order.
    ///
    /// # Panics
    /// When a name is taken.
    #[must_use]
    pub fn chain(self, other: Self) -> Self {
        let Self { tools, aliases, .. } = other;
        let mut all = tools.into_iter().fold(self, Self::add);
        all.aliases.extend(aliases);
        all
    }

    /// Takes calls by earlier names of tools as well, `(earlier, name)`. They are not listed: who has learnt them goes on,
    /// and nobody learns them anew.
    #[must_use]
    pub fn earlier(mut self, names: &[(&'static str, &'static str)]) -> Self {
        self.aliases.extend(names);
        self
    }

    /// The name a tool has now, by that or an earlier one.
    pub fn name_of(&self, name: &str) -> Option<&'static str> {
        self.entry(name).map(|entry| entry.name)
    }

    /// All tools as `tools/list` shows them.
    ///
    /// # Panics
    /// When a schema's root is not an object, or a listing does not describe its tool.
    pub fn definitions(&self) -> &[ToolDef] {
        self.definitions.get_or_init(|| {
            // As plain JSON: what would be derived for a definition is more code than its few fields.
            let mut read: Option<(&str, Value)> = None;
            let define = |entry: &Entry<Cx>| match entry.source {
                Source::Types(define) => define(),
                Source::Listing(listing) => {
                    if read.as_ref().is_none_or(|(text, _)| *text != listing) {
                        read = Some((listing, serde_json::from_str(listing).unwrap_or_default()));
                    }
                    let mut known = read.iter().filter_map(|(_, known)| known.as_array()).flatten();
                    let found = known.find(|definition| definition["name"] == entry.name);
                    let Some(found) = found else { panic!("the listing does not describe {}", entry.name) };
                    ToolDef {
                        name: entry.name.to_owned(),
                        title: entry.title.to_owned(),
                        description: found["description"].as_str().unwrap_or_default().to_owned(),
                        input_schema: found["inputSchema"].clone(),
                        output_schema: found["outputSchema"].clone(),
                        annotations: entry.hints,
                        meta: found["_meta"].clone(),
                    }
                }
            };
            self.tools.iter().map(define).collect()
        })
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&dyn AnyTool<Cx>> {
        self.entry(name).map(|entry| &*entry.tool)
    }

    /// The hints of the tool of this name.
    pub fn hints(&self, name: &str) -> Option<Hints> {
        self.entry(name).map(|entry| entry.hints)
    }

    /// The title of the tool of this name.
    pub fn title(&self, name: &str) -> Option<&'static str> {
        self.entry(name).map(|entry| entry.title)
    }

    /// The limits of the tool of this name.
    pub fn limits(&self, name: &str) -> Option<Limits> {
        self.entry(name).map(|entry| entry.limits)
    }

    /// Name and title of each tool.
    pub fn titles(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.tools.iter().map(|entry| (entry.name, entry.title))
    }

    fn entry(&self, name: &str) -> Option<&Entry<Cx>> {
        let now = self.aliases.iter().find(|(earlier, _)| *earlier == name).map_or(name, |(_, now)| now);
        self.tools.iter().find(|entry| entry.name == now)
    }

    fn push<T: Tool<Cx>>(self, tool: Box<dyn AnyTool<Cx>>, source: Source) -> Self {
        assert!(schema::is_name(T::NAME), "{:?} is no tool name: 1 to 128 of A-Z a-z 0-9 _ . -", T::NAME);
        self.add(Entry { name: T::NAME, title: T::TITLE, hints: T::HINTS, limits: T::LIMITS, tool, source })
    }

    fn add(mut self, entry: Entry<Cx>) -> Self {
        assert!(self.entry(entry.name).is_none(), "two tools share the name {}", entry.name);
        self.tools.push(entry);
        self.definitions = OnceCell::new();
        self
    }
}

impl<Cx> Default for Registry<Cx> {
    fn default() -> Self {
        Self::new()
    }
}

/// A tool that a part has.
struct Later<P> {
    name: &'static str,
    part: Rc<Part<P>>,
}

#[async_trait(?Send)]
impl<Cx, P: AsRef<Registry<Cx>> + Clone> AnyTool<Cx> for Later<P> {
    async fn call(&self, args: Value, cx: &mut Cx) -> Result<String, ToolError> {
        let part = self.part.get().await.map_err(|missing| ToolError::Failed(missing.to_string()))?;
        match part.as_ref().get(self.name) {
            Some(tool) => tool.call(args, cx).await,
            None => Err(ToolError::Failed(format!("The part of the server that has {} lacks it", self.name))),
        }
    }
}

struct Erased<T> {
    tool: T,
}

#[async_trait(?Send)]
impl<Cx, T: Tool<Cx>> AnyTool<Cx> for Erased<T> {
    async fn call(&self, args: Value, cx: &mut Cx) -> Result<String, ToolError> {
        let args = decode(T::NAME, args)?;
        let output = self.tool.run(args, cx).await?;
        serde_json::to_string(&output)
            .map_err(|error| ToolError::Failed(format!("The output of {} is not JSON: {error}", T::NAME)))
    }
}

fn decode<Args: serde::de::DeserializeOwned>(tool: &str, args: Value) -> Result<Args, ToolError> {
    let Value::Object(args) = args else {
        return Err(ToolError::Rejected(format!("Bad arguments for {tool}: they must be a JSON object")));
    };
    arguments::read(args).map_err(|misfit| ToolError::Rejected(format!("Bad arguments for {tool}{misfit}")))
}

//! Domains behind the tool server, as the tests of domains have them: over a journal in memory, with a clock that stands until it is moved.
//! Start at [`Desk`].
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::cell::Cell;
use std::rc::Rc;

use domain::Domain;
use futures::executor::block_on;
use mcp::{Caller, Host, Stop, ToolCallIn};
use serde_json::{Value, json};
use store::{Change, Journal, MemoryJournal, Moment, Rev};
use tools::ToolServer;

/// When and where the tests of a domain are.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    /// Now, in milliseconds since 1970.
    pub now_ms: i64,
    /// How far Berlin's clock is ahead of UTC then, in seconds.
    pub offset_s: i32,
    /// How much later it is with each call, in milliseconds.
    pub tick_ms: i64,
}

/// A tool server over domains. Calls panic where a test would go on with nothing.
pub struct Desk {
    server: ToolServer<MemoryJournal>,
    journal: MemoryJournal,
    calls: Cell<u32>,
    tick_ms: i64,
    is_checked: bool,
    /// The moment, in milliseconds since 1970.
    pub now_ms: Rc<Cell<i64>>,
}

impl Desk {
    /// A server over domains with an empty journal.
    ///
    /// # Panics
    /// Where a journal in memory does not open.
    #[must_use]
    pub fn open(name: &str, domains: &'static [&'static dyn Domain], here: Here) -> Self {
        let now_ms = Rc::new(Cell::new(here.now_ms));
        let clock = {
            let now_ms = Rc::clone(&now_ms);
            move |_: Option<&str>| Moment {
                at_ms: now_ms.get(),
                zone: "Europe/Berlin".into(),
                offset_s: here.offset_s,
            }
        };
        let journal = MemoryJournal::new();
        let server = block_on(ToolServer::open(journal.clone(), clock, name, domains)).unwrap();
        Self { server, journal, calls: Cell::new(0), tick_ms: here.tick_ms, is_checked: true, now_ms }
    }

    /// The same without looking at schemas, which takes most of the time where there are thousands of calls.
    #[must_use]
    pub fn unchecked(self) -> Self {
        Self { is_checked: false, ..self }
    }

    /// The server itself.
    #[must_use]
    pub fn server(&self) -> &ToolServer<MemoryJournal> {
        &self.server
    }

    /// All that was written, in order.
    ///
    /// # Panics
    /// Where the journal cannot be read.
    #[must_use]
    pub fn written(&self) -> Vec<Change> {
        block_on(self.journal.read(1, Rev::MAX)).unwrap().changes
    }

    /// What a call would do, which is not done.
    ///
    /// # Errors
    /// What is said where it is refused.
    pub fn preview(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.call_with(tool, arguments, json!({ "dev.satchel/preview": true }))
    }

    /// A call, under a key of its own.
    ///
    /// # Errors
    /// What is said where it is refused.
    pub fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.call_with(tool, arguments, json!({}))
    }

    /// A call with what comes beside the arguments; its key is made where there is none.
    ///
    /// # Errors
    /// What is said where it is refused.
    ///
    /// # Panics
    /// Where arguments or answer do not fit the tool's schemas, or somebody would be asked.
    pub fn call_with(&self, tool: &str, arguments: Value, mut meta: Value) -> Result<Value, String> {
        self.calls.set(self.calls.get() + 1);
        self.now_ms.set(self.now_ms.get() + self.tick_ms);
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        if meta.get("dev.satchel/key").is_none() {
            meta["dev.satchel/key"] = json!(format!("call {}", self.calls.get()));
        }
        let Value::Object(meta) = meta else { panic!("what comes beside them is an object") };
        let request = ToolCallIn {
            name: tool.into(),
            arguments: arguments.clone(),
            meta,
            body_hash: "body".into(),
            task: None,
            caller: Caller::default(),
        };
        let out = match block_on(self.server.call_tool(request)) {
            Ok(out) => out,
            Err(Stop::Error(error)) => return Err(error.message),
            Err(Stop::Ask(asked)) => panic!("nobody can be asked: {asked:?}"),
        };
        if out.is_error {
            return Err(out.text.clone());
        }
        let answer = out.structured();
        // An earlier name of a tool has no definition.
        let definition = self.server.tools().iter().find(|definition| definition.name == tool);
        if let Some(definition) = definition.filter(|_| self.is_checked) {
            for (schema, value) in
                [(&definition.input_schema, &Value::Object(arguments)), (&definition.output_schema, &answer)]
            {
                // What is for the app alone says nothing of its results.
                if schema.is_null() {
                    continue;
                }
                let schema = jsonschema::validator_for(schema).unwrap();
                assert!(schema.is_valid(value), "{tool}: {value} does not fit {schema:?}");
            }
        }
        Ok(answer)
    }

    /// The answer of a call that is done.
    ///
    /// # Panics
    /// Where it is refused.
    #[track_caller]
    pub fn done(&self, tool: &str, arguments: Value) -> Value {
        match self.call(tool, arguments) {
            Ok(answer) => answer,
            Err(why) => panic!("{tool}: {why}"),
        }
    }

    /// The sentence of a call that is done.
    ///
    /// # Panics
    /// Where it is refused, or says nothing.
    #[track_caller]
    pub fn said(&self, tool: &str, arguments: Value) -> String {
        self.done(tool, arguments)["summary"].as_str().unwrap().to_owned()
    }

    /// Why a call is refused.
    ///
    /// # Panics
    /// Where it is done.
    #[track_caller]
    pub fn refused(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments) {
            Ok(answer) => panic!("{tool} was done: {answer}"),
            Err(why) => why,
        }
    }

    /// Lets time pass.
    pub fn wait(&self, ms: i64) {
        self.now_ms.set(self.now_ms.get() + ms);
    }
}

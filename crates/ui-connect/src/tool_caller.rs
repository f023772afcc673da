//! The page's tools as its panels use them.

use std::rc::Rc;

use async_trait::async_trait;
use serde_json::Value;
use ui_kit::{CallError, ToolCaller};

use crate::clock;
use crate::external::ExternalCallers;
use crate::toolbox::{Toolbox, Why};

/// The tools by the person's hand, and by the browser's agent where it fills in a form.
pub struct PageTools {
    /// The tools.
    pub toolbox: Rc<Toolbox>,
    /// The rules for who calls from outside.
    pub external: ExternalCallers,
}

#[async_trait(?Send)]
impl ToolCaller for PageTools {
    async fn read(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.toolbox.run(tool, arguments, &clock::new_id("read"), Why::Do).await
    }

    async fn preview(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.toolbox.run(tool, arguments, &clock::new_id("preview"), Why::Preview).await
    }

    async fn manually(&self, tool: &str, arguments: Value) -> (String, Result<Value, CallError>) {
        self.toolbox.try_manually(tool, arguments).await
    }

    async fn under(&self, key: &str, tool: &str, arguments: Value) -> Result<Value, CallError> {
        self.toolbox.try_under(tool, arguments, key).await
    }

    fn comes_again(&self, keys: Vec<String>) {
        self.toolbox.comes_again(keys);
    }

    async fn for_agent(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.external.fill_in(tool, arguments).await
    }

    async fn resource(&self, address: &str) -> Result<String, String> {
        self.toolbox.read(address).await
    }
}

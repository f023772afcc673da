//! Servers elsewhere whose tools are lent to the model.

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The servers of the settings, and what is said of them elsewhere.
    Servers {
        url "server-url"  token "server-token"  add "server-add"  card "server"  trouble "server-trouble"  remove "server-remove"
        tool "server-tool"  tool_change "server-tool-change"  all_on "server-all-on"
        new_token "server-new-token"  use_token "server-use-token"
        sign_in "server-sign-in"  sign_in_state "server-sign-in-state"  sign_in_go "server-sign-in-go"
        tools_changed "server-tools-changed"  tools_refused "server-tools-refused"
        changed "servers-changed"  look "servers-look"
        source_search "source-search"  source_guess "source-guess"  source_argument "source-argument"  source_value "source-value"
        source_field "source-field"  source_list "source-list"  source_try "source-try"  source_read "source-read"
        source_keep "source-keep"  source_said "source-said"
    }
}

impl<'p, P: Page> Servers<'p, P> {
    /// Waits until the first server's connection stands like this.
    pub async fn link_is(&self, link: &str) {
        self.card().is("link", link).await;
    }

    /// Waits until a tool stands like this with the person: `new`, `on`, `off` or `changed`.
    pub async fn stands(&self, tool: &str, standing: &str) {
        self.tool().whose("tool", tool).is("standing", standing).await;
    }

    /// What turns a tool on.
    pub fn turn_on(&self, tool: &str) -> Element<'p, P> {
        Element::css(self.0, &format!("[data-tool={tool:?}] [data-testid=server-tool-on]"))
    }
}

//! Other programs that use the tools: the connection through the gateway, and what they ask.

use crate::Page;
use crate::screen::screen;

screen! {
    /// The programs' section of the settings, and the questions of programs.
    Programs {
        relay "relay"  toggle "relay-toggle"  token "relay-token"  config "relay-config"  status "relay-status"  said "relay-said"
        none "relay-none"  mode "relay-mode"  may_ask "relay-mode-ask"  revoke "relay-revoke"  call "relay-call"
        question "outside-ask"  allow "outside-allow"  deny "outside-deny"
    }
}

impl<P: Page> Programs<'_, P> {
    /// Lets programs ask for changes.
    pub async fn let_them_ask(&self) {
        self.mode().shown().await;
        // The button itself is not to be seen, its words are.
        self.may_ask().click_unseen().await;
        self.may_ask().until("all[0].checked").await;
    }
}

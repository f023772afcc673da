//! What a test does with a page, whichever way it is driven: the few steps that [`Element`](crate::Element) is made of.

use std::future::Future;
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::WebElement;

use crate::{Browser, Tab};

/// A page of the app in a browser. `find` is an expression of JavaScript that gives a list of elements.
pub trait Page {
    /// How long a thing a person waits for may take before a test gives up.
    const PATIENCE: Duration;

    /// Runs the body of a function in the page and gives its JSON value.
    ///
    /// # Errors
    /// What was thrown; a page that is just being replaced cannot answer.
    fn look(&self, script: &str) -> impl Future<Output = Result<Value, String>>;

    /// Clicks the first of the elements.
    ///
    /// # Errors
    /// When it went away before it was clicked.
    fn click_first(&self, find: &str) -> impl Future<Output = Result<(), String>>;

    /// Types at the end of what the first of the elements holds, or in its place.
    fn write_into(&self, find: &str, text: &str, anew: bool) -> impl Future<Output = ()>;

    /// Chooses an option of the first of the elements, a menu, by its value.
    fn choose_in(&self, find: &str, value: &str) -> impl Future<Output = ()>;

    /// Ends the test: it waited in vain.
    fn gives_up(&self, what: &str) -> impl Future<Output = ()>;
}

impl Browser {
    async fn first(&self, find: &str) -> Result<WebElement, String> {
        let script = format!("return {find}[0]");
        let found = self.driver.execute(script.as_str(), vec![]).await.map_err(|error| error.to_string())?;
        found.element().map_err(|error| error.to_string())
    }
}

impl Page for Browser {
    // Generous: the machine is shared, and a test is about what happens, not how fast.
    const PATIENCE: Duration = Duration::from_secs(20);

    async fn look(&self, script: &str) -> Result<Value, String> {
        let value =
            self.driver.execute(script, vec![]).await.map_err(|error| format!("{script}: {error}"))?;
        Ok(value.json().clone())
    }

    async fn click_first(&self, find: &str) -> Result<(), String> {
        match self.first(find).await?.click().await {
            Err(error) if error.to_string().contains("stale element") => Err(error.to_string()),
            clicked => {
                clicked.unwrap_or_else(|error| panic!("{find}: {error}"));
                Ok(())
            }
        }
    }

    async fn write_into(&self, find: &str, text: &str, anew: bool) {
        let field = self.first(find).await.unwrap_or_else(|error| panic!("{find}: {error}"));
        if anew {
            field.clear().await.unwrap_or_else(|error| panic!("{find} is cleared: {error}"));
        }
        field.send_keys(text).await.unwrap_or_else(|error| panic!("{find} takes text: {error}"));
    }

    async fn choose_in(&self, find: &str, value: &str) {
        let options = format!("[...{find}[0].options].filter(option => option.value === {})", json!(value));
        let option = self.first(&options).await.unwrap_or_else(|error| panic!("{options}: {error}"));
        option.click().await.unwrap_or_else(|error| panic!("{options}: {error}"));
    }

    async fn gives_up(&self, what: &str) {
        let page = self.look("return document.body.innerText").await;
        panic!("waited in vain until {what}\nthe page says: {page:?}\nconsole: {:?}", self.console().await)
    }
}

impl Page for Tab {
    const PATIENCE: Duration = Duration::from_secs(30);

    async fn look(&self, script: &str) -> Result<Value, String> {
        self.session.try_eval(script).await
    }

    async fn click_first(&self, find: &str) -> Result<(), String> {
        self.session.try_eval(&format!("{find}[0].click()")).await.map(drop)
    }

    async fn write_into(&self, find: &str, text: &str, anew: bool) {
        let caret = if anew { "select?.()" } else { "setSelectionRange?.(1e9, 1e9)" };
        self.eval(&format!("const field = {find}[0]; field.focus(); field.{caret}")).await;
        self.session.send("Input.insertText", json!({"text": text})).await;
    }

    async fn choose_in(&self, find: &str, value: &str) {
        self.eval(&format!(
            "const menu = {find}[0]; menu.value = {};
             for (const kind of ['input', 'change']) menu.dispatchEvent(new Event(kind, {{bubbles: true}}));",
            json!(value)
        ))
        .await;
    }

    async fn gives_up(&self, what: &str) {
        let page = self.look("return document.body.innerText").await;
        panic!("waited in vain until {what}\nthe page says: {page:?}\nconsole: {:#?}", self.console())
    }
}

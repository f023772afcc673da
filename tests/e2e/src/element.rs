//! An element of the page, found anew each time somebody does something with it or looks at it. What is done waits until it can
//! be done and what is asked waits until it is so, since parts of the page come when they are wanted.

use serde_json::{Value, json};

use crate::{Page, eventually};

/// Only what can be seen.
const SEEN: &str = ".filter(e => e.checkVisibility() && e.getClientRects().length > 0)";

/// One or several elements of a page, by how they are found.
#[must_use]
pub struct Element<'p, P> {
    page: &'p P,
    /// An expression of JavaScript that gives a list of elements.
    find: String,
}

impl<'p, P: Page> Element<'p, P> {
    /// The elements with this test id.
    pub fn of(page: &'p P, testid: &str) -> Self {
        Self::css(page, &format!("[data-testid=\"{testid}\"]"))
    }

    /// The elements that a selector finds.
    pub fn css(page: &'p P, selector: &str) -> Self {
        Self { page, find: format!("[...document.querySelectorAll({})]", json!(selector)) }
    }

    fn narrowed(&self, by: &str) -> Self {
        Self { page: self.page, find: format!("{}{by}", self.find) }
    }

    /// The one at this place, counted from 0.
    pub fn nth(&self, place: usize) -> Self {
        self.narrowed(&format!(".slice({place}, {place} + 1)"))
    }

    /// The last one.
    pub fn last(&self) -> Self {
        self.narrowed(".slice(-1)")
    }

    /// Those with these words in them.
    pub fn with(&self, words: &str) -> Self {
        self.narrowed(&format!(".filter(e => e.textContent.includes({}))", json!(words)))
    }

    /// Those whose `data-` attribute of this name, as JavaScript writes it, has this value.
    pub fn whose(&self, name: &str, value: &str) -> Self {
        self.narrowed(&format!(".filter(e => e.dataset.{name} === {})", json!(value)))
    }

    /// Those that match a selector as well.
    pub fn that(&self, selector: &str) -> Self {
        self.narrowed(&format!(".filter(e => e.matches({}))", json!(selector)))
    }

    /// What a selector finds in them.
    pub fn within(&self, selector: &str) -> Self {
        self.narrowed(&format!(".flatMap(e => [...e.querySelectorAll({})])", json!(selector)))
    }

    /// Those of other elements that are in them.
    pub fn its(&self, inner: &Self) -> Self {
        let within = format!("{}.filter(e => {}.some(outer => outer.contains(e)))", inner.find, self.find);
        Self { page: self.page, find: within }
    }

    /// Those that can be seen.
    pub fn seen(&self) -> Self {
        self.narrowed(SEEN)
    }

    /// What finds them, as a list, for scripts.
    pub fn all(&self) -> &str {
        &self.find
    }

    /// Waits until an expression about `all`, the list of the elements, is true.
    pub async fn until(&self, expression: &str) {
        let script = format!("const all = {}; return {expression}", self.find);
        let is_so = || async { self.page.look(&script).await == Ok(Value::Bool(true)) };
        if !eventually(P::PATIENCE, is_so).await {
            self.page.gives_up(&format!("{expression}, where all is {}", self.find)).await;
        }
    }

    /// What an expression about `all`, the list of the elements, is now.
    pub async fn now(&self, expression: &str) -> Value {
        let script = format!("const all = {}; return {expression}", self.find);
        self.page.look(&script).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Waits until one can be seen.
    pub async fn shown(&self) {
        self.until(&format!("all{SEEN}.length > 0")).await;
    }

    /// Waits until there is none.
    pub async fn gone(&self) {
        self.are(0).await;
    }

    /// Waits until there are so many.
    pub async fn are(&self, count: u64) {
        self.until(&format!("all.length === {count}")).await;
    }

    /// Waits until one shows these words.
    pub async fn says(&self, words: &str) {
        self.until(&format!("all.some(e => e.innerText.includes({}))", json!(words))).await;
    }

    /// Waits until the field holds this.
    pub async fn holds(&self, value: &str) {
        self.until(&format!("all[0]?.value === {}", json!(value))).await;
    }

    /// Waits until the first one's `data-` attribute of this name, as JavaScript writes it, has this value.
    pub async fn is(&self, name: &str, value: &str) {
        self.until(&format!("all[0]?.dataset.{name} === {}", json!(value))).await;
    }

    /// Waits until it has the focus.
    pub async fn focused(&self) {
        self.until("all.includes(document.activeElement)").await;
    }

    /// Clicks the first one that can be, as soon as one can.
    pub async fn click(&self) {
        let ready = self.narrowed(&format!("{SEEN}.filter(e => !e.disabled)"));
        ready.until("all.length > 0").await;
        // It may be drawn anew just then.
        let clicked = || async { self.page.click_first(&ready.find).await.is_ok() };
        if !eventually(P::PATIENCE, clicked).await {
            self.page.gives_up(&format!("{} is clicked", self.find)).await;
        }
    }

    /// Clicks the first one though it cannot be seen, as its label does.
    pub async fn click_unseen(&self) {
        self.until("all.length > 0").await;
        self.now("void all[0].click()").await;
    }

    /// Gives the first one the focus.
    pub async fn focus(&self) {
        self.until("all.length > 0").await;
        self.now("void all[0].focus()").await;
    }

    /// Types at the end of what the field holds.
    pub async fn write(&self, text: &str) {
        self.type_in(text, false).await;
    }

    /// Types in place of what the field holds.
    pub async fn fill(&self, text: &str) {
        self.type_in(text, true).await;
    }

    async fn type_in(&self, text: &str, anew: bool) {
        let ready = self.narrowed(&format!("{SEEN}.filter(e => !e.disabled)"));
        ready.until("all.length > 0").await;
        self.page.write_into(&ready.find, text, anew).await;
    }

    /// Sets the field at once, as a paste or a picker does.
    pub async fn set(&self, value: &str) {
        self.until("all.length > 0").await;
        let set = format!(
            "(all[0].value = {}, ['input', 'change'].forEach(kind => all[0].dispatchEvent(new Event(kind, {{bubbles: true}}))), null)",
            json!(value)
        );
        self.now(&set).await;
    }

    /// Chooses an option by its value, once it is on offer.
    pub async fn choose(&self, value: &str) {
        self.until(&format!("[...all[0]?.options ?? []].some(option => option.value === {})", json!(value)))
            .await;
        self.page.choose_in(&self.find, value).await;
    }

    /// How many there are now.
    pub async fn count(&self) -> u64 {
        self.now("all.length").await.as_u64().unwrap_or(0)
    }

    /// Whether there is one now.
    pub async fn is_there(&self) -> bool {
        self.count().await > 0
    }

    /// The text of the first one that can be seen, as soon as one can.
    pub async fn text(&self) -> String {
        self.shown().await;
        self.seen().string("all[0].innerText.trim()").await
    }

    /// The texts of all of them now.
    pub async fn texts(&self) -> Vec<String> {
        serde_json::from_value(self.now("all.map(e => e.textContent.trim())").await).expect("texts")
    }

    /// What the field holds, as soon as it is there.
    pub async fn value(&self) -> String {
        self.until("all.length > 0").await;
        self.string("all[0].value").await
    }

    async fn string(&self, expression: &str) -> String {
        self.now(expression).await.as_str().unwrap_or_default().to_owned()
    }
}

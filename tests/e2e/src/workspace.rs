//! The to-dos beside the conversation.

use serde_json::json;

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// The list of to-dos, the line above it, and the form of one.
    Workspace {
        field "todo-add"  again "todo-add-again"  list "todo-list"  item "todo-item"  title "todo-title"  delete "todo-delete"
        waiting "todo-waiting"  waiting_list "todo-waiting-list"  dialog "todo-dialog"  show_tab "tab-todos"
        edit_stay "edit-stay"  edit_drop "edit-drop"  notes "edit-notes"  notes_shown "edit-notes-shown"
        notes_write "edit-notes-write"  notes_show "edit-notes-show"  notes_tick "edit-notes-tick"  past "edit-history"
        past_list "edit-history-list"  past_entry "edit-history-entry"  past_undo "edit-history-undo"
        past_more "edit-history-more"  past_note "edit-history-note"  days "edit-days"  repeat "edit-repeat"
        rule_words "edit-rule-words"  rule "edit-rule"  priority "edit-priority"  list_name "edit-list"  tags "edit-tags"
        tag "edit-tag"  subtask "subtask"  subtask_add "subtask-add"  understood "quick-understood"  chip "quick-chip"
        pasted "quick-pasted"  add_all "quick-add-all"  link "edit-link"  find_open "todo-find-open"  find "todo-find"  find_list "todo-find-list"  find_tag "todo-find-tag"
        pick "todo-pick"  many "many"  many_count "many-count"  many_days "many-days"  many_list "many-list"  many_tag "many-tag"
        many_done "many-done"  many_delete "many-delete"  many_yes "many-delete-yes"  many_keep "many-keep"  many_none "many-none"
        many_question "many-question"
        views_open "todo-views"  views "views"  view "view"  view_more "view-more"  view_name "view-name"  view_rename "view-rename"
        view_delete "view-delete"  view_question "view-question"  list_keep_todos "list-keep-todos"
        list_delete_todos "list-delete-todos"  tag_take_off "tag-take-off"  filter_name "filter-name"  filter_save "filter-save"
        filter_forget "filter-forget"  plan_week "plan-week"  calendar "calendar"  calendar_at "calendar-at"
        calendar_month "calendar-month"  calendar_later "calendar-later"  calendar_today "calendar-today"
        calendar_more "calendar-more"  calendar_close "calendar-close"  plan "plan"
        find_clear "todo-find-clear"  found "todo-found"  none_found "todo-none-found"
    }
}

impl<'p, P: Page> Workspace<'p, P> {
    /// The row of the to-do with this id.
    pub fn todo(&self, id: &str) -> Element<'p, P> {
        Element::css(self.0, &format!("[data-todo={id:?}]"))
    }

    /// What opens a to-do, in its row.
    pub fn openers(&self) -> Element<'p, P> {
        self.item().within(".todo-main")
    }

    /// The form of the to-do that is being edited.
    pub fn form(&self) -> Element<'p, P> {
        Element::css(self.0, ".todo.editing .edit")
    }

    /// Opens the history of the to-do that is being edited, and waits until its first changes are there.
    pub async fn open_past(&self) {
        self.past().click().await;
        self.past_entry().shown().await;
    }

    /// Waits until the list shows these titles, in this order.
    pub async fn lists(&self, titles: &[&str]) {
        let titles = json!(json!(titles).to_string());
        self.title().until(&format!("JSON.stringify(all.map(e => e.textContent)) === {titles}")).await;
    }

    /// Waits until nothing that was said to be added waits for its turn any more.
    pub async fn added(&self) {
        self.waiting_list().is("waiting", "0").await;
    }
}

//! Which to-dos a command means, found by looking: strict where something would be destroyed, and a question
//! where more than one fits.

use crate::todo::deeds::Deed;
use crate::todo::plan::{Halt, Run, Step, Want, Wants, arguments, ask_which, items, pick};
use crate::todo::rows::Todo;
use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use crate::todo::answer;
use crate::todo::find::{self, Fit, find, find_done, reaches, same, verb_fits};
use crate::todo::groups::Group;
use crate::todo::intent::{Clause, Filter, Intent, Named, Target};
use crate::todo::known::Focus;
use crate::todo::questions::{aim_of, name_of};

/// How many to-dos are looked up one by one; for more of them one look at all is shorter.
const GETS: usize = 10;
/// How many parts of an enumeration are looked for one by one.
const CLAUSES: usize = 20;

impl Run<'_> {
    /// The to-dos a target means; the number of following clauses that its title took in.
    pub fn resolve(&mut self, target: &Target, want: Want, careful: bool) -> Step<(Vec<Todo>, usize)> {
        let todos = match target {
            Target::Chosen(todos) => self.current(todos.clone())?,
            Target::Among(todos) => {
                return Err(ask_which(
                    "That fits more than one. Which one do you mean?",
                    todos.clone(),
                    self.now,
                ));
            }
            Target::Missing => return Err(self.which("Which one do you mean?")?),
            Target::It => match self.known.it() {
                Focus::These(todos) if todos.len() == 1 => self.current(todos)?,
                Focus::These(todos) => return Err(ask_which("Which one do you mean?", todos, self.now)),
                Focus::Nothing => return Err(self.which("Which one do you mean?")?),
            },
            Target::Newest => match self.known.newest() {
                Some(todo) => self.current(vec![todo])?,
                None => {
                    return Err(
                        self.which("I have not added anything in this conversation. Which one do you mean?")?
                    );
                }
            },
            Target::Them(count) => match self.known.them() {
                Focus::These(todos) if count.is_none_or(|n| n == todos.len()) => self.current(todos)?,
                Focus::These(todos) => return Err(ask_which("Which ones do you mean?", todos, self.now)),
                Focus::Nothing => return Err(self.which("Which ones do you mean?")?),
            },
            Target::Places(places) => {
                let shown = self.known.shown();
                if shown.is_empty() {
                    return Err(self.which("I have not shown you a list yet. Which one do you mean?")?);
                }
                let Some(lines) = pick(places, &shown) else {
                    let text = format!(
                        "The last list has only {}. Which one do you mean?",
                        answer::count(shown.len())
                    );
                    return Err(ask_which(&text, shown.concat(), self.now));
                };
                // A line that can be several to-dos is none of them for certain.
                if let Some(line) = lines.iter().find(|line| line.len() > 1) {
                    let text = "Several have that title. Which one do you mean?";
                    return Err(ask_which(text, line.to_vec(), self.now));
                }
                self.current(lines.concat())?
            }
            Target::Named(named) => return self.resolve_named(named, want, careful),
            Target::Every { filter, except } => self.every(filter, except.as_deref(), want, careful)?,
        };
        self.still_there(todos).map(|todos| (todos, 0))
    }

    /// The to-dos as they are now: what the conversation saw may have been changed since, in another tab, say.
    /// What has another title by now is asked about.
    pub fn current(&mut self, todos: Vec<Todo>) -> Step<Vec<Todo>> {
        // What is told as it was before a change ("no, monday") is meant as it was.
        let known = |todo: &Todo| self.known.todo(&todo.id).is_some_and(|known| known == todo);
        let stale: Vec<Todo> =
            todos.iter().filter(|t| !self.fresh.contains(&t.id) && known(t)).cloned().collect();
        if stale.is_empty() || !self.offers("todo_get") {
            return Ok(todos);
        }
        // What is deleted already is told as that, and needs no look.
        let there: Vec<&Todo> = stale.iter().filter(|t| !self.known.is_gone(&t.id)).collect();
        if there.len() > GETS {
            self.look()?;
        } else {
            let get = |todo: &&Todo| ("todo_get".to_owned(), json!({ "id": todo.id }));
            self.call_all(there.iter().map(get).collect())?;
        }
        let now = |todo: Todo| self.known.todo(&todo.id).cloned().unwrap_or(todo);
        let todos: Vec<Todo> = todos.into_iter().map(now).collect();
        let other = |todo: &&Todo| stale.iter().any(|t| t.id == todo.id && t.title != todo.title);
        let renamed: Vec<Todo> = todos.iter().filter(other).cloned().collect();
        if renamed.is_empty() {
            return Ok(todos);
        }
        let text = match renamed.len() {
            1 => "That one has another title by now. Do you mean it?",
            _ => "Those have other titles by now. Which ones do you mean?",
        };
        Err(ask_which(text, renamed, self.now))
    }

    fn still_there(&self, todos: Vec<Todo>) -> Step<Vec<Todo>> {
        let (gone, there): (Vec<Todo>, Vec<Todo>) =
            todos.into_iter().partition(|t| self.known.is_gone(&t.id));
        match gone.first() {
            Some(first) if there.is_empty() => Err(Halt::Fail(format!(
                "{} is deleted already. Say “undo” to bring it back.",
                crate::text::quoted(&first.title)
            ))),
            _ => Ok(there),
        }
    }

    /// Asks which one, with the last list or else the open to-dos to choose from.
    fn which(&mut self, question: &str) -> Step<Halt> {
        let mut shown = self.known.shown().concat();
        shown.retain(|todo| !self.known.is_gone(&todo.id));
        if shown.is_empty() {
            shown = self.list(&Filter { limit: Some(10), ..Filter::default() }, false)?.0;
        }
        if shown.is_empty() {
            return Ok(Halt::Fail("There are no open to-dos, so there is nothing I could mean.".to_owned()));
        }
        Ok(ask_which(question, shown, self.now))
    }

    fn every(&mut self, filter: &Filter, except: Option<&str>, want: Want, careful: bool) -> Step<Vec<Todo>> {
        let mut asked = filter.clone();
        let text = asked.text.take();
        // "Delete all" means the done ones too; "complete all" and "move all" mean what is open.
        asked.status = match asked.status {
            Some("all") | None if want == Want::Done => Some("done"),
            Some("all") if !careful => None,
            said => said,
        };
        let (mut todos, total) = self.list(&asked, true)?;
        if total > todos.len() {
            return Err(Halt::Fail(format!(
                "There are {total} such to-dos, more than I handle at once. Narrow it down, by a list, a tag or a date."
            )));
        }
        if let Some(text) = text {
            // "all shopping tasks": in the title, as a tag or as a list. Many at once have to be meant for certain:
            // what is only near is asked about.
            let fits = |t: &Todo, most: Fit| {
                find(&text, false, std::iter::once(t)).is_some_and(|(fit, _)| fit <= most)
                    || t.tags.iter().any(|tag| same(tag, &text))
                    || same(&t.list, &text)
            };
            let near: Vec<Todo> = todos.iter().filter(|t| fits(t, Fit::Verb)).cloned().collect();
            todos.retain(|t| fits(t, Fit::Words));
            if todos.is_empty() && !near.is_empty() {
                let text =
                    format!("No to-do has {} in it. Which of these do you mean?", crate::text::quoted(&text));
                return Err(ask_which(&text, near, self.now));
            }
        }
        let Some(except) = except else { return Ok(todos) };
        let mut spared = Vec::new();
        for part in except.split([',']).flat_map(|p| p.split(" and ")).map(str::trim) {
            let part = part.strip_prefix("not ").unwrap_or(part);
            if part.is_empty() {
                continue;
            }
            match find(part, false, todos.iter()) {
                Some((_, found)) => spared.extend(found),
                None => {
                    return Err(Halt::Fail(format!(
                        "I did nothing: I found no to-do that matches {}, the one to leave alone.",
                        crate::text::quoted(part)
                    )));
                }
            }
        }
        todos.retain(|todo| !spared.iter().any(|s| s.id == todo.id));
        Ok(todos)
    }

    /// Looks for what several clauses name in one step, so that a long message stays within the steps of a
    /// run. Only reads: a later clause that finds nothing there looks anew.
    pub fn look_ahead(&mut self, clauses: &[Clause]) -> Step<()> {
        let mut texts: Vec<String> = Vec::new();
        for named in clauses.iter().filter_map(|clause| name_of(&clause.intent)) {
            let text = sought(named);
            if named.parts.len() <= 1 && !texts.contains(&text) {
                texts.push(text);
            }
        }
        // What several clauses point at by its place in the list is looked up too.
        let shown = self.known.shown();
        let places = clauses.iter().filter_map(|clause| match aim_of(&clause.intent) {
            Some(Target::Places(places)) => pick(places, &shown),
            _ => None,
        });
        let mut ids: Vec<String> = Vec::new();
        for line in places.flatten().filter(|line| line.len() == 1) {
            if !ids.contains(&line[0].id) && !self.known.is_gone(&line[0].id) {
                ids.push(line[0].id.clone());
            }
        }
        if texts.len() + ids.len() < 2 || ids.len() > GETS || !ids.is_empty() && !self.offers("todo_get") {
            return Ok(());
        }
        let search = |text: &String| ("todo_list".to_owned(), Value::Object(searching(text)));
        let get = |id: &String| ("todo_get".to_owned(), json!({ "id": id }));
        let pages = self.call_all(texts.iter().map(search).chain(ids.iter().map(get)).collect())?;
        for (text, page) in texts.into_iter().zip(pages).filter(|(_, page)| page.is_object()) {
            let found = items(&page).collect();
            self.pages.push((text, found));
        }
        Ok(())
    }

    /// The to-dos with all of these words in them, as many as a page holds.
    pub fn search(&mut self, text: &str) -> Step<Vec<Todo>> {
        if let Some((_, found)) = self.pages.iter().find(|(known, _)| known == text) {
            return Ok(found.clone());
        }
        let page = self.page(&searching(text))?;
        Ok(items(&page).collect())
    }

    /// Every to-do the words mean equally well, and whether they are no more than near.
    pub fn matching(&mut self, named: &Named) -> Step<(Vec<Todo>, bool)> {
        let strict =
            |found: &Option<(Fit, Vec<Todo>)>| found.as_ref().is_some_and(|(fit, _)| *fit < Fit::Nearly);
        let mut found = found_by(named, &named.text, &self.search(&sought(named))?);
        if !strict(&found) {
            found = found_by(named, &named.text, &self.look()?);
        }
        Ok(found.map(|(fit, found)| (found, matches!(fit, Fit::Nearly | Fit::Kin))).unwrap_or_default())
    }

    fn resolve_named(&mut self, named: &Named, want: Want, careful: bool) -> Step<(Vec<Todo>, usize)> {
        // "Both subtasks of the talk"
        if let Some(whole) = crate::todo::find::parts_of(&named.text) {
            let about = Named { parts: vec![whole.clone()], text: whole, deed: None, ..named.clone() };
            let (wholes, _) = self.resolve_named(&about, Want::Open, careful)?;
            let all = self.look()?;
            let part = |todo: &&Todo| {
                todo.done == (want == Want::Done)
                    && wholes.iter().any(|whole| todo.parent.as_ref() == Some(&whole.id))
            };
            let parts: Vec<Todo> = all.iter().filter(part).cloned().collect();
            if !parts.is_empty() {
                return Ok((parts, 0));
            }
        }
        let meant = |todo: &Todo| {
            named.list.as_ref().is_none_or(|list| todo.list.eq_ignore_ascii_case(list))
                && !named.not.contains(&todo.id)
        };
        let suited = |todos: Vec<Todo>| {
            let (first, rest): (Vec<Todo>, Vec<Todo>) =
                todos.into_iter().partition(|t| t.done == (want == Want::Done));
            if first.is_empty() { rest } else { first }
        };
        let mut candidates: Vec<Todo> = Vec::new();
        if named.parts.len() <= 1 && self.looked.is_none() {
            candidates = self.search(&sought(named))?.into_iter().filter(|t| meant(t)).collect();
        }
        if let Some(reach) = &named.reach
            && let Some(todo) = candidates.iter().find(|t| reaches(&t.title, &named.text, reach))
        {
            return Ok((vec![todo.clone()], 1));
        }
        let mut best = found_by(named, &named.text, &candidates);
        let strict =
            |best: &Option<(Fit, Vec<Todo>)>| best.as_ref().is_some_and(|(fit, _)| *fit < Fit::Nearly);
        if !strict(&best) {
            candidates = self.look()?.into_iter().filter(|t| meant(t)).collect();
            // Where not every to-do was looked at, the tool looks for each of an enumeration.
            if self.unseen > 0 && named.parts.len() > 1 {
                let call =
                    |part: &String| ("todo_list".to_owned(), Value::Object(searching(find::bare(part))));
                let pages = self.call_all(named.parts.iter().take(CLAUSES).map(call).collect())?;
                for todo in pages.iter().flat_map(items).filter(|t| meant(t)) {
                    if !candidates.iter().any(|known| known.id == todo.id) {
                        candidates.push(todo);
                    }
                }
            }
            if let Some(reach) = &named.reach
                && let Some(todo) = candidates.iter().find(|t| reaches(&t.title, &named.text, reach))
            {
                return Ok((vec![todo.clone()], 1));
            }
            best = found_by(named, &named.text, &candidates);
        }
        // "Complete milk in Party": the last words may be the name of a list.
        if !strict(&best)
            && !named.exact
            && named.list.is_none()
            && let Some(scoped) = in_list(named, &candidates)
        {
            return self.resolve_named(&scoped, want, careful);
        }
        // "Complete groceries", where that is a list: its to-dos may be meant, so it is asked.
        if !strict(&best)
            && !named.exact
            && let Some(group) = Group::called(&named.text, &candidates)
        {
            return Err(group.question("Do you mean", self.now));
        }
        if let (Some(spared), Some((_, found))) = (&named.spared, &mut best) {
            let out = find(spared, false, found.iter()).map(|(_, out)| out).unwrap_or_default();
            found.retain(|todo| !out.iter().any(|o| o.id == todo.id));
            if found.is_empty() {
                best = None;
            }
        }
        if named.parts.len() > 1 {
            if !strict(&best) {
                return self.several(named, &candidates, &suited, careful).map(|todos| (todos, 0));
            }
            // "Milk and eggs" stands in "Bake a cake with milk and eggs", but may be two to-dos of those titles.
            let parts = |most: Fit| {
                let fits = |part: &String| found_by(named, part, &candidates).filter(|(fit, _)| *fit <= most);
                named.parts.iter().map(fits).collect::<Option<Vec<_>>>()
            };
            if best.as_ref().is_some_and(|(fit, _)| *fit != Fit::Same) {
                if parts(Fit::Same).is_some() {
                    return self.several(named, &candidates, &suited, careful).map(|todos| (todos, 0));
                }
                if let (Some(parts), Some((_, whole))) = (parts(Fit::Words), &best) {
                    let mut either = whole.clone();
                    for todo in parts.into_iter().flat_map(|(_, found)| found).filter(|todo| !todo.done) {
                        if !either.iter().any(|known| known.id == todo.id) {
                            either.push(todo);
                        }
                    }
                    if either.len() > whole.len() {
                        let text = format!(
                            "{} can be one to-do or several. Which ones do you mean?",
                            crate::text::quoted(&named.text)
                        );
                        return Err(ask_which(&text, either, self.now));
                    }
                }
            }
        }
        match best {
            None if named.own => Err(self.no_own(named, &candidates)),
            None => Err(self.not_found(&named.text, &candidates)),
            Some((fit, found)) => {
                self.one_of(named, &named.text, fit, suited(found), careful).map(|todo| (vec![todo], 0))
            }
        }
    }

    /// "milk, eggs and bread", each on its own.
    fn several(
        &self,
        named: &Named,
        candidates: &[Todo],
        suited: &impl Fn(Vec<Todo>) -> Vec<Todo>,
        careful: bool,
    ) -> Step<Vec<Todo>> {
        let mut todos: Vec<Todo> = Vec::new();
        for part in &named.parts {
            let settled = named.settled.iter().find(|(settled, _)| settled == part);
            let chosen = match (settled, found_by(named, part, candidates)) {
                (Some((_, chosen)), _) => chosen.clone(),
                (None, None) => return Err(self.not_found(part, candidates)),
                (None, Some((fit, found))) => {
                    vec![
                        self.one_of(named, part, fit, suited(found), careful)
                            .map_err(|halt| of_part(halt, part))?,
                    ]
                }
            };
            for todo in chosen {
                if !todos.iter().any(|t| t.id == todo.id) {
                    todos.push(todo);
                }
            }
        }
        Ok(todos)
    }

    fn one_of(&self, named: &Named, said: &str, fit: Fit, mut found: Vec<Todo>, careful: bool) -> Step<Todo> {
        let doubtful = match fit {
            Fit::Same | Fit::Words => false,
            Fit::SameDeed | Fit::Head => careful || named.unsure,
            // "I called mum" is not "Call mum's doctor".
            Fit::Deed => careful || named.unsure || named.told,
            Fit::Nearly => careful || named.told,
            Fit::Kin | Fit::Verb => true,
        };
        // Of those that are alike in everything, the one that was added here is meant.
        let alike = |a: &Todo, b: &Todo| Todo { id: b.id.clone(), ..a.clone() } == *b;
        if found.len() > 1 && !doubtful && found.iter().all(|todo| alike(todo, &found[0])) {
            let added = self.known.deeds().of(Some(Deed::Add));
            if let Some(own) = found.iter().find(|todo| added.contains(&&todo.id)) {
                return Ok(own.clone());
            }
        }
        if found.len() == 1 && !doubtful {
            return Ok(found.remove(0));
        }
        let text = match found.len() {
            _ if named.deed.is_some() && fit == Fit::Verb => {
                format!("No to-do says that of {}. Is one of these done?", crate::text::quoted(said))
            }
            1 if named.deed.is_some() || named.told => "Do you mean this one?".to_owned(),
            1 => format!("There is no {}. Do you mean this one?", crate::text::quoted(said)),
            n => format!("{} match {}. Which one do you mean?", answer::count(n), crate::text::quoted(said)),
        };
        Err(ask_which(&text, found, self.now))
    }

    /// Something is told to be cancelled or planned, and no to-do was to do that. What is cancelled need not be done.
    fn no_own(&self, named: &Named, candidates: &[Todo]) -> Halt {
        let off = named.deed.as_ref().is_some_and(|deed| ["cancelled", "canceled"].contains(&deed.as_str()));
        let found = find(&named.text, false, candidates.iter().filter(|todo| !todo.done));
        match found.filter(|(fit, _)| off && *fit <= Fit::Words) {
            Some((_, todos)) if todos.len() == 1 => dropping(todos, self.now),
            Some(_) => Halt::Fail(ONLY_DONE.to_owned()),
            _ => Halt::Fail(format!(
                "I found no to-do that is done by that for {}, so I changed nothing.",
                crate::text::quoted(&named.text)
            )),
        }
    }

    fn not_found(&self, said: &str, candidates: &[Todo]) -> Halt {
        let mut open: Vec<Todo> = candidates.iter().filter(|t| !t.done).take(10).cloned().collect();
        // Where only some were looked through, and none of them is open, others may be.
        if open.is_empty() {
            let all = self.looked.iter().flatten();
            open = all.filter(|t| !t.done).take(10).cloned().collect();
        }
        let unseen = match self.unseen {
            0 => String::new(),
            n => format!(" I did not look at {n} more; its whole title finds it among those too."),
        };
        let sorry = format!(
            "I found no to-do that matches {}, so I changed nothing.{unseen}",
            crate::text::quoted(said)
        );
        Halt::Missed(if open.is_empty() && self.looked.is_none() {
            sorry
        } else if open.is_empty() {
            format!("{sorry} There are no open to-dos.")
        } else {
            format!("{sorry} These are open:\n\n{}", answer::numbered(&open, self.now))
        })
    }
}

/// Asks whether to-dos that are not needed any more are to be deleted.
pub fn dropping(todos: Vec<Todo>, now: Option<DateTime>) -> Halt {
    let what = match todos.as_slice() {
        [only] => crate::text::quoted(&only.title),
        several => answer::count(several.len()),
    };
    let text = format!("Shall I delete {what}? (yes or no)\n\n{}", answer::tasks(&todos, now));
    let wants = Box::new(Wants::Confirm(Intent::Delete(Target::Chosen(todos))));
    Halt::Ask { text, wants }
}

/// The to-dos that words of a target mean best.
fn found_by(named: &Named, text: &str, todos: &[Todo]) -> Option<(Fit, Vec<Todo>)> {
    match &named.deed {
        Some(deed) if named.own => {
            find_done(text, deed, todos.iter().filter(|todo| verb_fits(deed, &todo.title) == Some(true)))
        }
        Some(deed) => find_done(text, deed, todos.iter()),
        None => find(text, named.exact, todos.iter()),
    }
}

/// The same words without "in Party" at the end, where that is the list of a to-do.
fn in_list(named: &Named, todos: &[Todo]) -> Option<Named> {
    let (text, list) =
        [" in ", " from ", " on "].iter().filter_map(|word| named.text.rsplit_once(word)).next()?;
    let name = ["the ", "my "].iter().find_map(|word| list.strip_prefix(word)).unwrap_or(list);
    let name = name.strip_suffix(" list").unwrap_or(name);
    let list = &todos.iter().find(|todo| same(&todo.list, name))?.list;
    let mut parts = named.parts.clone();
    let last = parts.last_mut()?;
    *last = [" in ", " from ", " on "].iter().find_map(|word| Some(last.rsplit_once(word)?.0.to_owned()))?;
    Some(Named { text: text.to_owned(), parts, list: Some(list.clone()), reach: None, ..named.clone() })
}

/// The words to search for.
fn sought(named: &Named) -> String {
    let first = named.parts.first().unwrap_or(&named.text);
    find::bare(if named.reach.is_some() { first } else { &named.text }).to_owned()
}

fn searching(text: &str) -> Map<String, Value> {
    let filter = Filter { status: Some("all"), text: Some(text.to_owned()), ..Filter::default() };
    arguments(&Filter { limit: Some(50), ..filter })
}

/// The question about one part of an enumeration; the other parts stay.
fn of_part(halt: Halt, part: &str) -> Halt {
    match halt {
        Halt::Ask { text, wants } => {
            let wants = match *wants {
                Wants::Which { of, .. } => Wants::Which { of, part: Some(part.to_owned()) },
                wants => wants,
            };
            Halt::Ask { text, wants: Box::new(wants) }
        }
        halt => halt,
    }
}

/// What is said of a state that no to-do can have.
pub const ONLY_DONE: &str = "A to-do is open or done here, and nothing between. Say “complete …” when it is done, or “delete …” if it is not needed any more. I changed nothing.";

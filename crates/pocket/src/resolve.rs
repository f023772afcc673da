//! Which to-dos a command means, found by looking: strict where something would be destroyed, and a question
//! where more than one fits.

use serde_json::{Map, Value};

use crate::answer;
use crate::find::{self, Fit, find, reaches, same};
use crate::groups::Group;
use crate::intent::{Clause, Filter, Named, Target};
use crate::known::{Focus, Todo};
use crate::plan::{Halt, Run, Step, Want, arguments, ask_which, items, pick};
use crate::questions::{Wants, name_of};

impl Run<'_> {
    /// The to-dos a target means; the number of following clauses that its title took in.
    pub fn resolve(&mut self, target: &Target, want: Want, careful: bool) -> Step<(Vec<Todo>, usize)> {
        let todos = match target {
            Target::Chosen(todos) => todos.clone(),
            Target::Among(todos) => {
                return Err(ask_which(
                    "That fits more than one. Which one do you mean?",
                    todos.clone(),
                    self.now,
                ));
            }
            Target::Missing => return Err(self.which("Which one do you mean?")?),
            Target::It => match self.known.it() {
                Focus::These(todos) if todos.len() == 1 => todos,
                Focus::These(todos) => return Err(ask_which("Which one do you mean?", todos, self.now)),
                Focus::Nothing => return Err(self.which("Which one do you mean?")?),
            },
            Target::Newest => match self.known.newest() {
                Some(todo) => vec![todo],
                None => {
                    return Err(
                        self.which("I have not added anything in this conversation. Which one do you mean?")?
                    );
                }
            },
            Target::Them(count) => match self.known.them() {
                Focus::These(todos) if count.is_none_or(|n| n == todos.len()) => todos,
                Focus::These(todos) => return Err(ask_which("Which ones do you mean?", todos, self.now)),
                Focus::Nothing => return Err(self.which("Which ones do you mean?")?),
            },
            Target::Places(places) => {
                let shown = self.known.shown();
                if shown.is_empty() {
                    return Err(self.which("I have not shown you a list yet. Which one do you mean?")?);
                }
                match pick(places, &shown) {
                    Some(todos) => todos,
                    None => {
                        let text = format!(
                            "The last list has only {}. Which one do you mean?",
                            answer::count(shown.len())
                        );
                        return Err(ask_which(&text, shown, self.now));
                    }
                }
            }
            Target::Named(named) => return self.resolve_named(named, want, careful),
            Target::Every { filter, except } => self.every(filter, except.as_deref(), want, careful)?,
        };
        self.still_there(todos).map(|todos| (todos, 0))
    }

    fn still_there(&self, todos: Vec<Todo>) -> Step<Vec<Todo>> {
        let (gone, there): (Vec<Todo>, Vec<Todo>) =
            todos.into_iter().partition(|t| self.known.is_gone(&t.id));
        match gone.first() {
            Some(first) if there.is_empty() => Err(Halt::Fail(format!(
                "{} is deleted already. Say “undo” to bring it back.",
                answer::quoted(&first.title)
            ))),
            _ => Ok(there),
        }
    }

    /// Asks which one, with the last list or else the open to-dos to choose from.
    fn which(&mut self, question: &str) -> Step<Halt> {
        let mut shown = self.known.shown();
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
            // "all shopping tasks": in the title, as a tag or as a list.
            todos.retain(|t| {
                find(&text, false, std::iter::once(t)).is_some()
                    || t.tags.iter().any(|tag| same(tag, &text))
                    || same(&t.list, &text)
            });
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
                        answer::quoted(part)
                    )));
                }
            }
        }
        todos.retain(|todo| !spared.iter().any(|s| s.id == todo.id));
        Ok(todos)
    }

    /// Known to-dos whose very title was said.
    fn known_by_title(&self, named: &Named) -> Vec<Todo> {
        let fits = |todo: &&Todo| {
            same(&named.text, &todo.title)
                && named.list.as_ref().is_none_or(|list| todo.list.eq_ignore_ascii_case(list))
                && !named.not.contains(&todo.id)
        };
        self.known.alive().filter(fits).cloned().collect()
    }

    /// Looks for what several clauses name in one step, so that a long message stays within the steps of a
    /// run. Only reads: a later clause that finds nothing there looks anew.
    pub fn look_ahead(&mut self, clauses: &[Clause]) -> Step<()> {
        let mut texts: Vec<String> = Vec::new();
        for named in clauses.iter().filter_map(|clause| name_of(&clause.intent)) {
            let text = sought(named);
            let plain = named.reach.is_none() && named.parts.len() <= 1;
            let known = plain && self.known_by_title(named).iter().filter(|todo| !todo.done).count() == 1;
            if !known && named.parts.len() <= 1 && !texts.contains(&text) {
                texts.push(text);
            }
        }
        if texts.len() < 2 {
            return Ok(());
        }
        let call = |text: &String| ("todo_list".to_owned(), Value::Object(searching(text)));
        let pages = self.call_all(texts.iter().map(call).collect())?;
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

    /// Every to-do the words mean equally well.
    pub fn matching(&mut self, named: &Named) -> Step<Vec<Todo>> {
        let strict =
            |found: &Option<(Fit, Vec<Todo>)>| found.as_ref().is_some_and(|(fit, _)| *fit < Fit::Nearly);
        let mut found = find(&named.text, named.exact, self.search(&sought(named))?.iter());
        if !strict(&found) {
            found = find(&named.text, named.exact, self.look()?.iter());
        }
        Ok(found.map(|(_, found)| found).unwrap_or_default())
    }

    fn resolve_named(&mut self, named: &Named, want: Want, careful: bool) -> Step<(Vec<Todo>, usize)> {
        let meant = |todo: &Todo| {
            named.list.as_ref().is_none_or(|list| todo.list.eq_ignore_ascii_case(list))
                && !named.not.contains(&todo.id)
        };
        let suited = |todos: Vec<Todo>| {
            let (first, rest): (Vec<Todo>, Vec<Todo>) =
                todos.into_iter().partition(|t| t.done == (want == Want::Done));
            if first.is_empty() { rest } else { first }
        };
        // The very title of a to-do this conversation has shown needs no look.
        if named.reach.is_none() && named.parts.len() <= 1 {
            let known = suited(self.known_by_title(named));
            if known.len() == 1 && known[0].done == (want == Want::Done) {
                return Ok((known, 0));
            }
        }
        let mut candidates: Vec<Todo> = Vec::new();
        if named.parts.len() <= 1 && self.looked.is_none() {
            candidates = self.search(&sought(named))?.into_iter().filter(|t| meant(t)).collect();
        }
        if let Some(reach) = &named.reach
            && let Some(todo) = candidates.iter().find(|t| reaches(&t.title, &named.text, reach))
        {
            return Ok((vec![todo.clone()], 1));
        }
        let mut best = find(&named.text, named.exact, candidates.iter());
        let strict =
            |best: &Option<(Fit, Vec<Todo>)>| best.as_ref().is_some_and(|(fit, _)| *fit < Fit::Nearly);
        if !strict(&best) {
            candidates = self.look()?.into_iter().filter(|t| meant(t)).collect();
            if let Some(reach) = &named.reach
                && let Some(todo) = candidates.iter().find(|t| reaches(&t.title, &named.text, reach))
            {
                return Ok((vec![todo.clone()], 1));
            }
            best = find(&named.text, named.exact, candidates.iter());
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
        if let (false, true) = (strict(&best), named.parts.len() > 1) {
            return self.several(named, &candidates, &suited, careful).map(|todos| (todos, 0));
        }
        match best {
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
            let chosen = match (settled, find(part, named.exact, candidates.iter())) {
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
            Fit::SameDeed | Fit::Deed => careful || named.unsure,
            Fit::Nearly => careful || named.told,
            Fit::Verb => true,
        };
        if found.len() == 1 && !doubtful {
            return Ok(found.remove(0));
        }
        let text = match found.len() {
            1 => format!("There is no {}. Do you mean this one?", answer::quoted(said)),
            n => format!("{} match {}. Which one do you mean?", answer::count(n), answer::quoted(said)),
        };
        Err(ask_which(&text, found, self.now))
    }

    fn not_found(&self, said: &str, candidates: &[Todo]) -> Halt {
        let open: Vec<Todo> = candidates.iter().filter(|t| !t.done).take(10).cloned().collect();
        let sorry = format!("I found no to-do that matches {}, so I changed nothing.", answer::quoted(said));
        Halt::Fail(if open.is_empty() {
            format!("{sorry} There are no open to-dos.")
        } else {
            format!("{sorry} These are open:\n\n{}", answer::numbered(&open, self.now))
        })
    }
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

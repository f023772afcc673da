//! What the words in an address and in a new session mean: sessions and itineraries, by what they are called now (S4-02, S4-32).

use std::collections::BTreeMap;
use std::rc::Rc;

use terminal::Subject;

use super::{ITINERARIES, Owner, not_found};
use crate::problem::{Code, Refusal};
use crate::session::Session;
use crate::wire;

impl Owner {
    /// The itinerary that an id or a title means.
    ///
    /// # Errors
    /// `ItineraryNotFound`, `AmbiguousItinerary`, `StorageFailed`.
    pub(super) async fn itinerary(&self, named: &str) -> Result<Subject, Refusal> {
        let mut found = self.itineraries(named).await?;
        match (found.pop(), found.len()) {
            (Some(one), 0) => Ok(one),
            (Some(_), _) => Err(Refusal::new(
                Code::AmbiguousItinerary,
                "Several itineraries could be meant. Give the whole title of one, or its id.",
            )),
            (None, _) => Err(Refusal::new(
                Code::ItineraryNotFound,
                "There is no itinerary with this id or title. Leave `itinerary` out and say in the session which trip to plan, or name \
                 one that is there.",
            )),
        }
    }

    /// The itineraries that an id or a title could mean.
    ///
    /// # Errors
    /// `StorageFailed`.
    async fn itineraries(&self, named: &str) -> Result<Vec<Subject>, Refusal> {
        let todos = terminal::Todos::over(self.means.server.clone());
        let mut found = todos.subjects(named).await.map_err(|why| {
            eprintln!("satchel: the itineraries could not be read: {why}");
            Refusal::new(Code::StorageFailed, "The itineraries could not be read. Try again in a moment.")
        })?;
        found.retain(|subject| subject.table == ITINERARIES);
        Ok(found)
    }

    /// What the itinerary with this id is called now; none where it is not there any more.
    ///
    /// # Errors
    /// `StorageFailed`.
    async fn title_now(&self, id: &str) -> Result<Option<String>, Refusal> {
        let found = self.itineraries(id).await?;
        Ok(found.into_iter().find(|subject| subject.id == id).map(|subject| subject.title))
    }

    /// The sessions that are there.
    pub(super) fn here(&self) -> Vec<Rc<Session>> {
        self.sessions.borrow().values().filter(|session| !session.is_gone()).cloned().collect()
    }

    /// A session by its id, or by its title where that is one's alone, or by the id or the title of its itinerary where it is the only one
    /// about that (S4-32).
    ///
    /// # Errors
    /// `SessionNotFound`, `AmbiguousSession`, `StorageFailed`.
    pub(super) async fn find(&self, name: &str) -> Result<Rc<Session>, Refusal> {
        let here = self.here();
        if let Some(session) = here.iter().find(|session| session.id == name) {
            return Ok(Rc::clone(session));
        }
        let is_called = |session: &&Rc<Session>| session.about.title.as_deref() == Some(name);
        let mut called: Vec<_> = here.iter().filter(is_called).cloned().collect();
        if called.is_empty() {
            called = self.about(here, name).await?;
        }
        match called.as_slice() {
            [session] => Ok(Rc::clone(session)),
            [] => Err(not_found()),
            _ => Err(Refusal::new(
                Code::AmbiguousSession,
                "Several sessions have this title or itinerary. Use the id of one: GET /v1/sessions has them.",
            )),
        }
    }

    /// Those of these sessions that are about the itinerary that has this id or this title now. A title may have gone from one to another
    /// since a session was made; what a deleted one was called then is still its own.
    async fn about(&self, sessions: Vec<Rc<Session>>, name: &str) -> Result<Vec<Rc<Session>>, Refusal> {
        let mut meant = Vec::new();
        if sessions.iter().all(|session| session.about.subject.is_none()) {
            return Ok(meant);
        }
        let mut now = self.itineraries(name).await?;
        now.retain(|subject| subject.id == name || subject.title == name);
        for session in sessions {
            let Some(subject) = &session.about.subject else { continue };
            let is_meant = subject.id == name
                || now.iter().any(|now| now.id == subject.id)
                || subject.title == name && self.title_now(&subject.id).await?.is_none();
            if is_meant {
                meant.push(session);
            }
        }
        Ok(meant)
    }

    /// A session as it is told.
    pub(super) async fn told(&self, session: &Session) -> wire::Session {
        self.told_with(session, &mut BTreeMap::new()).await
    }

    /// Sessions as they are told, in this order.
    pub(super) async fn all_told(&self, sessions: &[Rc<Session>]) -> wire::SessionList {
        let (mut titles, mut told) = (BTreeMap::new(), Vec::new());
        for session in sessions {
            told.push(self.told_with(session, &mut titles).await);
        }
        wire::SessionList { sessions: told }
    }

    /// The same with what itineraries are called now, by their ids, as far as somebody looked.
    async fn told_with(
        &self,
        session: &Session,
        titles: &mut BTreeMap<String, Option<String>>,
    ) -> wire::Session {
        let mut told = session.told(self.now_ms());
        if let Some(Subject { id, .. }) = &session.about.subject {
            if !titles.contains_key(id) {
                // Where they cannot be read just now it is told as it was called.
                let title = self.title_now(id).await.unwrap_or_default();
                titles.insert(id.clone(), title);
            }
            if let Some(title) = titles.get(id).cloned().flatten() {
                told.itinerary_title = Some(title);
            }
        }
        told
    }
}

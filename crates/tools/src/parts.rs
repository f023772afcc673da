//! What of the server few calls need. A host that is started for each call may have it come when it is wanted; all others have
//! it from the start.

use std::rc::Rc;

use domain::{Domain, Files, Guard, Prompts, Resources};
use mcp::{Notification, Part, Prompt, Registry, ResourceTemplate};
use store::{Change, Journal};

use crate::domains::{Domains, Guards};
use crate::erase::DataErase;
use crate::history::JournalHistory;
use crate::journal_context::JournalContext;
use crate::saved::{DataRestore, DataSnapshot, DataSnapshots};
use crate::storage::DataStorage;
use crate::transfer::{DataExport, DataImport};
use crate::undo::{JournalRedo, JournalUndo};

/// The parts of a [`crate::ToolServer`].
pub struct Parts<J> {
    /// The tools that work on the journal and on everything there is.
    pub whole: Part<WholeTools<J>>,
    /// What is shown beside tools.
    pub shown: Part<Shown>,
}

impl<J: Journal + 'static> Parts<J> {
    /// All of them, here.
    #[must_use]
    pub fn here(domains: Domains) -> Self {
        let shown = domains.iter().fold(Shown::default(), |shown, domain| shown.with(*domain));
        let whole = WholeTools::with_files(domains.iter().map(|domain| domain.files()).collect());
        Self { whole: Part::here(whole), shown: Part::here(shown) }
    }
}

/// Undo, redo, history, files, saved copies, the state of the storage. A handle.
pub struct WholeTools<J>(pub(crate) Rc<Registry<JournalContext<J>>>);

impl<J> Clone for WholeTools<J> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<J> AsRef<Registry<JournalContext<J>>> for WholeTools<J> {
    fn as_ref(&self) -> &Registry<JournalContext<J>> {
        &self.0
    }
}

impl<J: Journal + 'static> WholeTools<J> {
    /// With how each domain of the server is written to files, in the domains' order; none for one that is not. The domains themselves are
    /// asked before their rows change past their tools: where they are bare it is [`Self::guarded`].
    #[must_use]
    pub fn with_files(files: Vec<Option<&'static dyn Files>>) -> Self {
        Self::made(files.into(), &Guards::Domains)
    }

    /// The same for a server whose domains are [`domain::Bare`], with who is asked in their place, in their order.
    #[must_use]
    pub fn guarded(files: Vec<Option<&'static dyn Files>>, guards: Vec<&'static dyn Guard>) -> Self {
        Self::made(files.into(), &Guards::These(guards.into()))
    }

    fn made(files: AllFiles, guards: &Guards) -> Self {
        let tools = Registry::new()
            .with_listed(JournalUndo(guards.clone()), LISTING)
            .with_listed(JournalRedo(guards.clone()), LISTING)
            .with_listed(JournalHistory(guards.clone()), LISTING)
            .with_listed(DataExport { files: Rc::clone(&files) }, LISTING)
            .with_listed(DataImport { files, guards: guards.clone() }, LISTING)
            .with_listed(DataSnapshots, LISTING)
            .with_listed(DataSnapshot, LISTING)
            .with_listed(DataRestore(guards.clone()), LISTING)
            .with_listed(DataErase(guards.clone()), LISTING)
            .with_listed(DataStorage, LISTING);
        Self(Rc::new(tools))
    }
}

/// How each domain is written to files, in the domains' order.
pub(crate) type AllFiles = Rc<[Option<&'static dyn Files>]>;

/// What the tools of the whole say about themselves, made from their types; a test keeps it true.
pub(crate) const LISTING: &str = include_str!("listing.json");

/// What domains show beside their tools: resources and prompts. A handle.
#[derive(Clone, Default)]
pub struct Shown(Rc<All>);

#[derive(Clone, Default)]
struct All {
    /// By the domain's id.
    resources: Vec<(&'static str, &'static dyn Resources)>,
    fillers: Vec<&'static dyn Prompts>,
    templates: Vec<ResourceTemplate>,
    prompts: Vec<Prompt>,
}

impl Shown {
    /// With one more domain.
    #[must_use]
    pub fn with<D: Domain + ?Sized>(mut self, domain: &'static D) -> Self {
        let all = Rc::make_mut(&mut self.0);
        if let Some(resources) = domain.resources() {
            all.templates.extend(resources.templates());
            all.resources.push((domain.id(), resources));
        }
        if let Some(prompts) = domain.prompts() {
            all.prompts.extend(prompts.all());
            all.fillers.push(prompts);
        }
        self
    }

    pub(crate) fn resources(&self) -> &[(&'static str, &'static dyn Resources)] {
        &self.0.resources
    }

    pub(crate) fn fillers(&self) -> &[&'static dyn Prompts] {
        &self.0.fillers
    }

    pub(crate) fn templates(&self) -> &[ResourceTemplate] {
        &self.0.templates
    }

    pub(crate) fn prompts(&self) -> &[Prompt] {
        &self.0.prompts
    }

    /// What a server tells who listens, of a change: the resources that are others now, and whether there are other ones.
    pub(crate) fn notifications_of(&self, change: &Change) -> Vec<Notification> {
        self.0.resources.iter().flat_map(|(_, resources)| resources.notifications(&change.ops)).collect()
    }
}

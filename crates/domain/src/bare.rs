//! A domain without what few calls ask for, and one whose tools come when one of them is called.

use std::pin::Pin;
use std::rc::Rc;

use mcp::{Load, NotLoaded, Part, Registry, ToolError};
use store::{Op, Schema, Stage, View};

use crate::{
    ContextBlock, Domain, DomainChange, Erasure, Files, GoesUp, Imported, Intake, LoadedFiles, Subject,
};

/// The functions of a [`Domain`] that are asked of another one: all but its tools, resources, prompts, files and [`crate::Guard`].
macro_rules! asked_of {
    ($this:ident => $whole:expr) => {
        fn id(&$this) -> &'static str {
            $whole.id()
        }

        fn noun(&$this) -> (&'static str, &'static str) {
            $whole.noun()
        }

        fn schema(&$this, schema: Schema) -> Schema {
            $whole.schema(schema)
        }

        fn instructions(&$this) -> &'static str {
            $whole.instructions()
        }

        fn changes(&$this, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
            $whole.changes(ops)
        }

        fn untold(&$this, op: &Op, view: &View) -> Option<&'static str> {
            $whole.untold(op, view)
        }

        fn counts_as(&$this, table: &str) -> bool {
            $whole.counts_as(table)
        }

        fn counts(&$this, view: &View) -> Vec<(&'static str, usize)> {
            $whole.counts(view)
        }

        fn subjects(&$this, view: &View, named: &str) -> Vec<Subject> {
            $whole.subjects(view, named)
        }

        fn goes_up(&$this) -> &'static [GoesUp] {
            $whole.goes_up()
        }

        fn is_idle(&$this, view: &View) -> bool {
            $whole.is_idle(view)
        }

        fn erasures(&$this) -> &'static [Erasure] {
            $whole.erasures()
        }

        fn upkeep(&$this) -> &'static [&'static str] {
            $whole.upkeep()
        }

        fn uncopied(&$this) -> &'static [&'static str] {
            $whole.uncopied()
        }

        fn when_off(&$this) -> Option<&'static str> {
            $whole.when_off()
        }
    };
}

/// What a model is told of a domain, once the part of the program that knows it is there.
pub type LoadedContext = Pin<Box<dyn Future<Output = Result<Vec<ContextBlock>, NotLoaded>>>>;

/// A domain as calls of its tools need it: without resources, prompts, files and [`crate::Guard`], which a program that is loaded often
/// has in a part of its own. Everything else is the domain's.
pub struct Bare<D>(pub D);

impl<D: Domain> Domain for Bare<D> {
    asked_of!(self => self.0);

    fn tools(&self) -> Registry<Stage> {
        self.0.tools()
    }

    fn context(&self, view: &View) -> Vec<ContextBlock> {
        self.0.context(view)
    }

    fn context_about(&self, view: &View, subject: &str) -> Vec<ContextBlock> {
        self.0.context_about(view, subject)
    }

    fn context_later(&self, view: &View, subject: Option<&str>) -> Option<LoadedContext> {
        self.0.context_later(view, subject)
    }
}

/// The tools of a domain, and how it is written to files, as a part of a program that comes when it is wanted. A handle.
pub trait Apart: AsRef<Registry<Stage>> + Clone + 'static {
    /// The domain they are of.
    type Domain: Domain;

    /// What is asked of the domain without its tools and its files. Neither is linked by it.
    const DOMAIN: Self::Domain;

    /// [`Files::field`].
    const FIELD: &'static str;

    /// [`Files::without`].
    const WITHOUT: &'static str = "";

    /// Whether [`Domain::context`] is the part's as well, because it needs what only the part has ([`Apart::told`]).
    const TELLS: bool = false;

    /// All tools of the domain, which the part has: nothing of them is named here but what they say about themselves.
    fn listed(part: &Rc<Part<Self>>) -> Registry<Stage>;

    /// How the domain is written to files.
    fn files(&self) -> &'static dyn Files;

    /// What a model is told, where the part has it; of a subject in a conversation about it.
    fn told(&self, _view: &View, _subject: Option<&str>) -> Vec<ContextBlock> {
        Vec::new()
    }
}

/// A domain for a program that is loaded often: its tools come when one of them is called, and what is written and read comes with them,
/// since whoever has nothing of it never needs it.
pub struct Later<T: 'static> {
    /// What fetches the tools.
    pub load: Load<T>,
    /// The same for what a model is told at the start of a run ([`Apart::TELLS`]): it may give up sooner, since whoever waits for it waits
    /// for all domains.
    pub tell: Load<T>,
}

impl<T: Apart> Domain for Later<T> {
    asked_of!(self => T::DOMAIN);

    fn tools(&self) -> Registry<Stage> {
        T::listed(&Rc::new(Part::later(self.load)))
    }

    fn context(&self, view: &View) -> Vec<ContextBlock> {
        if T::TELLS { Vec::new() } else { T::DOMAIN.context(view) }
    }

    fn context_about(&self, view: &View, subject: &str) -> Vec<ContextBlock> {
        if T::TELLS { Vec::new() } else { T::DOMAIN.context_about(view, subject) }
    }

    fn context_later(&self, view: &View, subject: Option<&str>) -> Option<LoadedContext> {
        if !T::TELLS || T::DOMAIN.is_idle(view) {
            return None;
        }
        let (part, view, subject) = ((self.tell)(), view.clone(), subject.map(str::to_owned));
        Some(Box::pin(async move { Ok(part.await?.told(&view, subject.as_deref())) }))
    }

    fn check(&self, stage: &mut Stage) -> Result<(), String> {
        T::DOMAIN.check(stage)
    }

    fn mend(&self, stage: &mut Stage) -> Option<String> {
        T::DOMAIN.mend(stage)
    }

    fn hold_back(&self, stage: &mut Stage) -> Option<String> {
        T::DOMAIN.hold_back(stage)
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(self)
    }
}

impl<T: Apart> Files for Later<T> {
    fn later(&self) -> Option<LoadedFiles> {
        let part = (self.load)();
        Some(Box::pin(async move { part.await.map(|part| part.files()) }))
    }

    fn without(&self) -> &'static str {
        T::WITHOUT
    }

    fn field(&self) -> &'static str {
        T::FIELD
    }

    fn rows(&self, _: &View) -> Result<Vec<String>, ToolError> {
        Err(not_here())
    }

    fn import(&self, _: &mut Stage, _: &str, _: &Intake<'_>) -> Result<Imported, ToolError> {
        Err(not_here())
    }
}

/// Said to whoever asks what is not here, and not [`Files::later`].
fn not_here() -> ToolError {
    ToolError::Failed("What this is written by is in a part of its own".to_owned())
}

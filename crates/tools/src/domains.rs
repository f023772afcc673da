//! The domains that a host handed in, and what is asked of all of them.

use std::rc::Rc;

use domain::{Domain, DomainChange, Guard};
use litemap::LiteMap;
use mcp::{Registry, ToolError};
use store::{Op, Schema, Stage, View};

/// The domains of one server, in the order in which a model reads of them.
pub type Domains = &'static [&'static dyn Domain];

/// Who is asked before rows change past their domains' tools. A handle.
#[derive(Clone)]
pub(crate) enum Guards {
    /// The server's domains.
    Domains,
    /// These, where those are bare.
    These(Rc<[&'static dyn Guard]>),
}

impl Guards {
    /// All of them, in the order of the domains.
    pub fn of(&self, domains: Domains) -> Vec<&'static dyn Guard> {
        match self {
            Self::Domains => domains.iter().map(|domain| domain as &'static dyn Guard).collect(),
            Self::These(guards) => guards.to_vec(),
        }
    }
}

/// The domains, and whose each tool and each table is.
pub(crate) struct Assembled {
    pub all: Domains,
    pub tools: Registry<Stage>,
    by_tool: LiteMap<&'static str, usize>,
    by_table: LiteMap<&'static str, usize>,
}

impl Assembled {
    pub fn new(all: Domains) -> Self {
        let (mut tools, mut by_tool, mut by_table) = (Registry::new(), LiteMap::new(), LiteMap::new());
        for (place, domain) in all.iter().enumerate() {
            let more = domain.tools();
            for (name, _) in more.titles() {
                by_tool.insert(name, place);
            }
            for table in domain.schema(Schema::new()).tables() {
                by_table.insert(table, place);
            }
            tools = tools.chain(more);
        }
        Self { all, tools, by_tool, by_table }
    }

    /// All tables.
    pub fn schema(&self) -> Schema {
        self.all.iter().fold(Schema::new(), |schema, domain| domain.schema(schema))
    }

    /// Whose tool it is; none for the tools of the journal, and for those of an app that had others.
    pub fn of_tool(&self, tool: &str) -> Option<&'static dyn Domain> {
        self.by_tool.get(tool).and_then(|place| self.all.get(*place)).copied()
    }

    /// The names of a domain's tools, in the order in which a model reads them.
    pub fn tools_of<'a>(&'a self, domain: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        let names = self.tools.titles().map(|(name, _)| name);
        names.filter(move |name| self.of_tool(name).is_some_and(|of| of.id() == domain))
    }

    /// Whose table it is.
    pub fn of_table(&self, table: &str) -> Option<&'static dyn Domain> {
        self.by_table.get(table).and_then(|place| self.all.get(*place)).copied()
    }

    /// The rows among staged or committed ops, as they were and as they are: a domain after the other, each in a person's
    /// order.
    pub fn changes<'a>(&self, ops: impl IntoIterator<Item = &'a Op>) -> Result<Vec<DomainChange>, ToolError> {
        let ops: Vec<&Op> = ops.into_iter().collect();
        let mut changes = Vec::with_capacity(ops.len());
        for domain in self.all {
            changes.extend(domain.changes(&ops)?);
        }
        Ok(changes)
    }

    /// Whose words a row has that are not to be told now: see [`Domain::untold`].
    pub fn untold(&self, op: &Op, view: &View) -> Option<&'static str> {
        self.of_table(&op.table)?.untold(op, view)
    }

    /// The rows among some ops that may be told. Where one of a table may not be, none of it is: the others say who it was.
    pub fn told<'a>(&self, ops: impl IntoIterator<Item = &'a Op>, view: &View) -> Vec<&'a Op> {
        let mut told: Vec<&Op> = ops.into_iter().collect();
        let untold: Vec<&str> = order::gather(
            told.iter().filter(|op| self.untold(op, view).is_some()).map(|op| op.table.as_str()),
        );
        told.retain(|op| !untold.contains(&op.table.as_str()));
        told
    }

    /// How many things of each domain are among some ops: `2 to-dos and 1 memory`. None where there are none.
    pub fn counted<'a>(&self, ops: impl IntoIterator<Item = &'a Op>) -> Option<String> {
        let mut counts = vec![0; self.all.len()];
        for op in ops {
            if let Some(place) = self.by_table.get(op.table.as_str())
                && self.all[*place].counts_as(&op.table)
            {
                counts[*place] += 1;
            }
        }
        counts.iter().any(|count| *count > 0).then(|| in_words(self.all, &counts))
    }
}

/// `2 to-dos and 1 memory`; of the first domain `0 to-dos` where there is nothing at all.
pub(crate) fn in_words(domains: Domains, counts: &[usize]) -> String {
    in_words_with(domains, counts, |_| "")
}

/// The same with words in brackets behind a domain's number, by its place: `2 photos (without their files)`.
pub(crate) fn in_words_with(
    domains: Domains,
    counts: &[usize],
    with: impl Fn(usize) -> &'static str,
) -> String {
    let counted = |(place, count): (usize, &usize)| {
        let (one, many) = domains.get(place)?.noun();
        let counted = domain::counted(*count, one, many);
        Some(match with(place) {
            "" => counted,
            with => format!("{counted} ({with})"),
        })
    };
    let said: Vec<String> =
        counts.iter().enumerate().filter(|(_, count)| **count > 0).filter_map(counted).collect();
    match said.split_last() {
        None => counts.first().and_then(|none| counted((0, none))).unwrap_or_default(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

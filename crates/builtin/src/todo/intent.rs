//! What a person can want, as data. The parser makes these, the planner carries them out.

use crate::todo::readings::{Plan, Recall, State};
use crate::todo::rows::Todo;
use std::borrow::Cow;

use dates::remind::Remind;
use jiff::civil::DateTime;

use crate::lex::Token;
use crate::memories::{self, Memory};
use crate::phrases::Talk;
use crate::todo::attrs::Attrs;
use crate::todo::reminder::Reminder;

/// One to-do to be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The title, as typed with a capital first letter.
    pub title: String,
    /// What was said about it.
    pub attrs: Attrs,
    /// Its notes.
    pub notes: Option<String>,
    /// Whether these were a remark behind it, which is told.
    pub remarked: bool,
    /// Its subtasks; none of them yet where they were only announced.
    pub parts: Option<Vec<Draft>>,
    /// Whether it was to be put somewhere, which can be said of one that is there.
    pub placed: bool,
    /// When to remind of it.
    pub remind: Option<Reminder>,
    /// What was asked for with it that no tool does.
    pub beyond: Option<Beyond>,
}

impl Draft {
    /// When to remind of it, as the tools take it; none where nothing was said, and where it is before what has no date.
    pub fn reminder(&self, now: Option<DateTime>) -> Option<Remind> {
        let now = now?;
        self.remind?.remind(self.attrs.due(now).as_deref(), now)
    }
}

/// What people ask for beside a to-do, and get told that it does not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// To have it done: "book me a flight".
    Deed,
    /// To repeat, nobody said how often.
    Often,
}

/// Which to-dos are to be listed, in the tools' own terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// `open`, `done` or `all`; nothing said means open.
    pub status: Option<&'static str>,
    /// A list's name.
    pub list: Option<String>,
    /// A tag.
    pub tag: Option<String>,
    /// A priority.
    pub priority: Option<&'static str>,
    /// Words in it.
    pub text: Option<String>,
    /// First day, ISO.
    pub due_from: Option<String>,
    /// Last day, ISO.
    pub due_to: Option<String>,
    /// Only those whose time has passed.
    pub overdue: bool,
    /// Only those without a due date (the tool has no such filter: sorted out here).
    pub undated: bool,
    /// Only those that repeat (sorted out here too).
    pub repeating: bool,
    /// Only those without a tag (here too).
    pub untagged: bool,
    /// Only those of high priority or more (here too: the tool knows one priority at a time).
    pub important: bool,
    /// The first day of those on which they were completed, ISO (here too).
    pub done_from: Option<String>,
    /// The last such day, ISO.
    pub done_to: Option<String>,
    /// The order, by the tool's word.
    pub sort: Option<&'static str>,
    /// From the end of that order (sorted out here too: the tool begins at the front).
    pub last: bool,
    /// The first, or the last, of the list as it is shown.
    pub whole: bool,
    /// How many at most.
    pub limit: Option<i64>,
    /// The period in words, for the answer: "due today".
    pub period: Option<String>,
}

/// A place in the list last shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// From the top, 1 is the first.
    Top(usize),
    /// From the bottom, 1 is the last.
    Bottom(usize),
}

/// Which to-dos are meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Nothing was said.
    Missing,
    /// "it", "that one".
    It,
    /// "them", "those"; with a count for "both" and "all three".
    Them(Option<usize>),
    /// "the one I just added".
    Newest,
    /// "the first two", "3", "the last one".
    Places(Vec<Place>),
    /// By words of the title.
    Named(Named),
    /// "all overdue ones", "everything but milk".
    Every {
        /// Which.
        filter: Filter,
        /// Titles to spare.
        except: Option<String>,
    },
    /// Chosen by the person when asked.
    Chosen(Vec<Todo>),
    /// One of these, still to be chosen.
    Among(Vec<Todo>),
}

/// A title, or several, as said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The whole text.
    pub text: String,
    /// The same cut at commas and "and"; one or more.
    pub parts: Vec<String>,
    /// Only in this list.
    pub list: Option<String>,
    /// In quotes: only the title itself will do.
    pub exact: bool,
    /// Told as a report, not commanded: a word that is only nearly the title's asks ("bought silk" is no milk).
    pub told: bool,
    /// What is told to have been done with it: "bought". A to-do has to have that verb or none.
    pub deed: Option<String>,
    /// Only a to-do with that very verb will do: "cancelled" is done where the to-do is to cancel it.
    pub own: bool,
    /// It is not even sure that it was the person who did it: a verb in another form asks too.
    pub unsure: bool,
    /// Words of titles to spare: "the milk, not the oat milk".
    pub spared: Option<String>,
    /// Ids to spare: "the other one".
    pub not: Vec<String>,
    /// The parts a person has chosen for when asked.
    pub settled: Vec<(String, Vec<Todo>)>,
    /// The text up to the sentence's end, when a following command was cut off: a title may reach over it.
    pub reach: Option<String>,
}

/// A new due value.
#[derive(Clone, Debug, PartialEq)]
pub enum Due {
    /// This date and time, or one of them.
    At(Attrs),
    /// The same, put off: no earlier than it is. With the words, to be read from there on.
    Off(Attrs, Vec<Token>),
    /// Later by so many of the units of time, seen from what it is now.
    Later(dates::calendar::Span),
    /// The same day, at no time of it.
    Day,
    /// None.
    Never,
}

/// A change to a to-do besides its title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// A new due value.
    pub due: Option<Due>,
    /// A new priority.
    pub priority: Option<&'static str>,
    /// Steps of priority up, or down where it is less than nothing.
    pub step: i8,
    /// Tags to add.
    pub add_tags: Vec<String>,
    /// Tags to take off.
    pub remove_tags: Vec<String>,
    /// Take all tags off.
    pub clear_tags: bool,
    /// Another list.
    pub list: Option<String>,
    /// A repetition; the empty text ends it.
    pub repeat: Option<String>,
    /// Notes to add at the end; the empty text removes them.
    pub notes: Option<String>,
    /// When to remind of it.
    pub remind: Option<Reminder>,
}

/// What is to be known about a to-do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Whether it is done.
    Done,
    /// Whether it is open.
    Open,
    /// When it is due.
    When,
    /// When it was completed.
    Finished,
    /// Whether there is such a one.
    There,
    /// The same; where there is none it is to be added.
    OrAdd,
    /// Everything.
    All,
}

/// What to-dos are sorted into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Lists.
    List,
    /// Tags.
    Tag,
}

/// What becomes of a list or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// It has this name; none was said where it is empty.
    Name(String),
    /// It goes, and its to-dos are in this list.
    Into(String),
    /// It goes: a list with its to-dos, a tag from them.
    Gone,
}

/// A list or a tag as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Which of both.
    pub label: Label,
    /// Its name, as said.
    pub name: String,
    /// All of the words for it, as a to-do may be called.
    pub said: String,
    /// Whether they cannot well mean anything else.
    pub is_plain: bool,
    /// Whether all of its to-dos are meant, whatever was spoken of.
    pub is_every: bool,
    /// What becomes of it.
    pub to: To,
}

/// What the words ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Make to-dos; none when the title was not said.
    Add(Vec<Draft>),
    /// It reads like a to-do, but nothing said so: ask.
    Suggest(Draft),
    /// Make subtasks of one that is there; none when their titles were not said.
    Under(Target, Vec<Draft>),
    /// The same where the name may be that of a list, which gets them then.
    Beneath(Target, Vec<Draft>),
    /// Make another one that says the same, but for this.
    Copy(Target, Box<Attrs>),
    /// Begin a list, which takes a to-do in it; with its name.
    NewList(String),
    /// Show to-dos, or how many there are.
    List {
        /// Which.
        filter: Filter,
        /// Whether the number was asked for.
        count: bool,
    },
    /// Show one or some by name.
    Show(Target),
    /// Words that only point at one: the answer to a question, else shown.
    Point(Target),
    /// Mark as done.
    Complete(Target),
    /// Mark as open again.
    Reopen(Target),
    /// Delete.
    Delete(Target),
    /// It is told that these are not needed any more: ask whether to delete them.
    Drop(Target),
    /// Rename a list or a tag, or let it go; with what the words ask for where there is none of that name.
    Whole(Box<Whole>, Box<Intent>),
    /// Take off what has this name: a tag, or the list it is in.
    TakeName(Target, String),
    /// Give another title.
    Rename(Target, Option<String>),
    /// Change date, priority, tags, list, repetition or notes.
    Change(Target, Box<Patch>),
    /// Give another date, which was not said; whether that is to put it off.
    Reschedule(Target, bool),
    /// Delete what is done.
    ClearCompleted(Option<String>),
    /// "clear my list": too little to act on.
    ClearWhat,
    /// Take back the last changes.
    Undo(i64),
    /// Take back that many changes of this conversation.
    TakeBack(i64),
    /// Take back the last changes, those too that were made before this conversation.
    TakeBackAll(i64),
    /// Do again what was undone, so many times.
    Redo(i64),
    /// What was said or done in this conversation.
    Recall(Recall),
    /// What to do first, what can wait: a proposal, nothing is changed.
    Plan(Plan),
    /// How many there are with that name: a list's, a tag's or words of the title.
    Count(String, Filter),
    /// "it's paid", told of what was pointed at: done, if that is what there was to do.
    Told(Target, String),
    /// A change that may have been meant, asked about; with the words for it.
    Offer(Target, Box<Patch>, &'static str),
    /// What the model can do.
    Help,
    /// A greeting.
    Hello,
    /// Thanks.
    Thanks,
    /// "yes".
    Yes,
    /// "no", "never mind".
    No,
    /// "don't …": nothing is done, and said so.
    Hands,
    /// Is it done, when is it due.
    Check(Named, Asked),
    /// Which lists or tags there are.
    Names(Label),
    /// What day and time it is.
    Clock,
    /// What was changed lately; from that day on.
    History(Option<String>),
    /// To-dos of a stretch of time that was named alone: an answer to "when?", else shown.
    Period(Filter),
    /// Take a change back that is told by what it did or to what.
    UndoOf {
        /// The tools that may have made it; none said is any.
        tools: &'static [&'static str],
        /// Words of the title.
        title: Option<String>,
    },
    /// That many changes were not meant: ask whether to take them back.
    Regret(i64),
    /// Take that many changes back and do this in their place.
    Instead(i64, Box<Intent>),
    /// A command that waits for a yes.
    Confirm(String, Box<Intent>),
    /// Something about what is remembered over all conversations.
    Memory(Memory),
    /// What became of several things.
    Tally(Vec<State>),
    /// Fields are no longer so: they are taken off.
    Lift(Box<Taken>),
    /// One line that is all there is to say.
    Say(Cow<'static, str>),
    /// Anything else.
    Unknown,
}

impl From<Talk> for Intent {
    fn from(talk: Talk) -> Self {
        match talk {
            Talk::Hello => Self::Hello,
            Talk::Thanks => Self::Thanks,
            Talk::Yes => Self::Yes,
            Talk::No => Self::No,
            Talk::Help => Self::Help,
        }
    }
}

impl From<Memory> for Intent {
    fn from(memory: Memory) -> Self {
        match memory {
            Memory::What => Self::say(memories::WHAT),
            memory => Self::Memory(memory),
        }
    }
}

impl Intent {
    /// A line that is all there is to say.
    pub fn say(line: impl Into<Cow<'static, str>>) -> Self {
        Self::Say(line.into())
    }

    /// A change of a to-do.
    pub fn change(target: Target, patch: Patch) -> Self {
        Self::Change(target, Box::new(patch))
    }
}

/// One command of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The words, as typed.
    pub text: String,
    /// What they ask for.
    pub intent: Intent,
}

/// What is taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The date.
    Date,
    /// The time of day; the date stays.
    Time,
    /// The priority, or all but that much of it.
    Priority(&'static str),
    /// All tags.
    Tags,
    /// A tag or the list, by its name.
    Named(String),
    /// The list.
    List,
    /// The notes.
    Notes,
    /// The repetition.
    Repeat,
}

/// A sentence that takes fields away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// Which, in the order they were said.
    pub fields: Vec<Field>,
    /// The words that say of what.
    pub words: Vec<Token>,
    /// Whether it was told to be done, or that it was so and is no longer.
    pub firm: bool,
    /// What it is to have instead, as it was said and as a change.
    pub instead: Option<(String, Box<Patch>)>,
    /// What was said besides, and what that asks for where it was read.
    pub more: Vec<(String, Option<Intent>)>,
}

/// A change out of what was peeled.
pub fn patch(attrs: Attrs) -> Patch {
    let repeat = attrs.rule(None);
    let due = (attrs.when.is_some() || attrs.repeat.is_some())
        .then(|| Due::At(Attrs { when: attrs.when, repeat: attrs.repeat.clone(), ..Attrs::default() }));
    Patch {
        due,
        priority: attrs.priority,
        add_tags: attrs.tags,
        list: attrs.list,
        repeat,
        ..Patch::default()
    }
}

/// Whether a command changes to-dos.
pub fn changes_todos(intent: &Intent) -> bool {
    match intent {
        Intent::Add(_)
        | Intent::Under(..)
        | Intent::Beneath(..)
        | Intent::Copy(..)
        | Intent::Complete(_)
        | Intent::Reopen(_)
        | Intent::Delete(_)
        | Intent::Rename(..)
        | Intent::Change(..)
        | Intent::ClearCompleted(_)
        | Intent::Whole(..)
        | Intent::Instead(..) => true,
        Intent::Confirm(_, intent) => changes_todos(intent),
        _ => false,
    }
}

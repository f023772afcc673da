### The words of the kit itself, and what the app and the things it keeps are called.

# Closes a dialog.
close = Close
# Takes a note away.
dismiss = Dismiss
# Leaves a form without its changes.
cancel = Cancel
# Takes a change back.
undo = Undo
# Does what did not work once more.
try-again = Try again
# Loads the page again.
reload = Reload
# Puts something into a list.
add = Add
# What there is none of.
nothing = none
# What the tools keep is being read for the first time.
loading = Loading
# A tool's answer has another shape than what it is read as.
list-unreadable = The list could not be read.
# A call by hand that no answer came to.
# $why - a sentence: what is in the way
perhaps-done = { $why } It may or may not have been done: look before you do it again.
# An empty box in a list of tasks.
task-open = open
# A ticked box in a list of tasks.
task-done = done
# Of words that no result supports.
doubted = Not in the results
# Between what was and what is.
becomes = becomes
# Of a change that was taken back.
undone = undone
# A part of the page could not be had.
part-not-loaded = This part of { -app } could not be loaded. It needs the network once.
# A part of the page could not be had, and the page is older than what a reload brings.
part-of-another-build = { -app } was updated, and this page is still the old one. Reload it to open this; everything is kept.
# What happened to a row, for a screen reader.
added = added
deleted = deleted
changed = changed
# That something is new: one of the things of the app, or so many.
added-things = { $count ->
    [one] Added
   *[other] Added { $count } { -many }
}
deleted-things = { $count ->
    [one] Deleted
   *[other] Deleted { $count } { -many }
}
changed-things = { $count ->
    [one] Changed
   *[other] Changed { $count } { -many }
}
# Behind “This would”, perhaps with others before or after it.
would-add = add { $count } { $count ->
    [one] { -one }
   *[other] { -many }
}
would-delete = delete { $count } { $count ->
    [one] { -one }
   *[other] { -many }
}
would-change = change { $count } { $count ->
    [one] { -one }
   *[other] { -many }
}
# When a change was made, and by whom.
# $when (String) - a date or how long ago
# $who (String) - `chat`, `hand` or `client`
when-by = { $when } · { $who ->
    [chat] in a conversation
    [hand] by hand
   *[client] by another program
}
# Keeps what was typed.
save = Save
# Drops what was typed, or what came.
discard = Discard
delete = Delete
# Takes something out of where it is kept.
remove = Remove
rename = Rename
# Does again what was taken back.
redo = Redo
choose-none = Choose none
# Puts the address of what is shown on the clipboard.
copy-link = Copy link
# It is there.
link-copied = Link copied.
# It cannot be put there.
not-copied = The browser did not let it be copied.
# It is of another shape than it is read as.
history-unreadable = The history could not be read.
# The button for what can be done with something.
more-about = More about { $name }
# A name among others.
quoted = “{ $name }”
# There are more than are shown.
# $count (Number)
and-more = and { $count } more
percent = { $percent } %

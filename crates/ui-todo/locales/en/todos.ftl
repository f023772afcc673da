### The words of the to-dos in the page, in English.

# Their name.
todos = To-dos
# One of them.
todo = To-do
# The line in which one is added.
add-todo = Add a to-do
# It is on its way.
adding = Adding…
# It was refused.
not-added = Not added
# Nothing answered: it may be in the list or not.
perhaps-added = Perhaps added; trying again adds it once
# What waits to be added.
not-added-yet = Not in the list yet
# Opens the field of the date.
add-date = Due date
# Opens a to-do in its place.
edit = Edit
# A to-do's title.
title = Title
# There is none.
title-missing = A to-do needs a title.
# Whoever leaves a form is asked.
drop-changes = Discard what you changed?
# They stay.
keep-editing = Keep editing
# When it is due.
due = Due
# At what time.
time = Time
# How much it presses.
priority = Priority
# Its tags.
tags = Tags
# The list it is in.
list = List
# The rule by which it comes back.
repeat = Repeat
# It comes back.
repeats = Repeats
# When to remind of it.
remind = Reminder
# All that remind now.
reminders = Reminders
# What is reminded of, where it is only heard.
reminder-heard = Reminder: { $title }. { $body }
# It is done.
done = Done
# Again in a while.
in-ten-minutes = In 10 min
# Again later.
in-an-hour = In 1 hour
# Not again.
put-away = Put away
# None of them again.
put-all-away = Put all away
# What notifications are for.
allow-hint = Reminders are shown here while this page is open. With notifications you see them in other tabs and programs, too.
# The browser asks.
allow = Allow notifications
# It does not.
not-now = Not now
# Nobody is reminded.
no-reminder = None
# Reminders that need no more words.
when-due = When it is due
ten-minutes-before = 10 minutes before
half-an-hour-before = 30 minutes before
an-hour-before = 1 hour before
two-hours-before = 2 hours before
a-day-before = 1 day before
# A reminder at a time of its own.
remind-at = At a time…
# The field of that time.
remind-when = Remind at
# When reminders come.
remind-hint = It comes while this page is open in a tab. What was missed is shown when you open it again.
# More about it.
notes = Notes
# Shows notes as they are read.
preview = Preview
# The same for who hears it.
show-notes = Preview the notes
# Shows notes as they are written, for who hears it.
write-notes = Edit the notes
# What became of a to-do.
past = History
# Nothing is known of that.
no-past = No change of it is in the history.
# More of it.
more-past = Show more
# Changes of an earlier page are in the form.
changes-came-back = What you had changed is here again. It is not saved yet.
# Due on Saturday.
weekend = Weekend
# Due on Monday.
next-week = Next week
# Due on no day.
no-day = No date
# It does not come back.
never = Never
# Rules that need no more words.
every-day = Every day
every-weekday = Every weekday
every-week = Every week
every-month = Every month
every-year = Every year
# Any other rule.
other-rule = Other…
# The field of a rule in words.
rule-in-words = In words
# What may be said there.
rule-example = every other Tuesday
# It is no rule.
rule-unread = That is not a repetition I know. Try “every 2 weeks” or “every first Monday”.
# Every so many days, weeks, …
every = Every
# Days, weeks, …
unit = Unit
# What a rule counts in, behind “Every 2”.
days = days
weeks = weeks
months = months
years = years
# The last day of a rule.
until = Until
# On which days of the week.
on-days = On
# The field of one more tag.
add-tag = Add a tag
# What is done stands in the order in which it was done.
done-stays = Done to-dos stay in the order in which they were done.
# Nothing is put there by hand.
not-there = Nothing can be moved there: open it and change its date.
# It repeats, which needs a date.
repeats-on-days = It repeats, and needs a date for that. End the repetition first.
# What stands beside it has another date or priority.
sorted-first = To-dos are sorted by date and priority first. Drag it, or change its date, to move it further.
# Picks several.
pick = Select
# There are too many.
most-picked = 100 to-dos can be changed at once, and are selected.
# How many are.
# $count (Number)
picked = { $count } selected
# They are to be thrown away, and asked about. Some titles stand for all.
# $count (Number) - how many there are
# $named (String) - some titles: “Milk”, “Bread”
# $more (Number) - how many there are beside those
delete-these = { $count ->
    [one] Delete { $named }?
   *[other] { $more ->
        [0] Delete { $count } to-dos? { $named }.
       *[other] Delete { $count } to-dos? { $named } and { $more } more.
    }
}
# What is done with all that are picked.
with-picked = With the selected to-dos
# They are done.
complete = Done
# They go to another list.
move-to = Move to list
# They get a tag.
tag-all = Add tag
# They are not.
keep = Keep
# Nothing is picked any more.
pick-none = Select none
# Finds in the list.
find = Find in the list
# The same on a button.
find-short = Find
# How many are found.
# $shown (Number)
# $all (Number)
found-of = { $shown } of { $all }
# To-dos of any list.
all-lists = All lists
# To-dos with any tags.
all-tags = All tags
# Shows everything again.
show-all = Show all
# No to-do fits.
none-found = No to-do fits that.
# Nothing is in the groups that are shown.
none-here = Nothing here.
# What of the list can be shown.
views = Views of the list
# The seven days.
plan-week = Plan the week
# The month.
plan-month = Plan the month
# The parts of a to-do.
subtasks = Subtasks
# The field of one more part.
add-subtask = Add a subtask
# A rule in words, with a capital, and the day on which it begins: `Every week, from Tomorrow`.
rule-from = { $rule }, from { $begins }
# What a typed line is understood as.
understood = Understood as
# Several lines were pasted.
# $count (Number)
several = That is { $count } lines. Is each of them a to-do?
# Each of them makes one.
# $count (Number)
add-several = Add { $count } to-dos
# Several lines make one to-do.
as-one = As one
# What a button does, and to what: `Move up: Milk`. Also a reminder and when it comes.
of-what = { $what }: { $which }
# Puts a part before the one before it.
move-up = Move up
# Puts a part behind the one behind it.
move-down = Move down
# Makes a part one of the one before it.
move-in = Make it a part of the one above
# Takes a part out of what it is a part of.
move-out = Move out
# So long before, which no line has room for.
before-due = Before it is due
# The to-do that it is a part of.
part-of-word = Part of
# The same beside other things that are said of a to-do.
part-of-named = part of “{ $title }”
part-of-another = part of another to-do
# A link names a to-do that there is not.
not-here = That to-do is not on this device any more.
# A to-do whose title is not known here.
one-todo = a to-do
# The same, beside another one.
another-todo = another to-do
# There are none.
no-todos = Nothing to do
# How there come to be some.
no-todos-hint = Add something above, or just say it in the chat.
# How many are open, beside the heading.
# $count (Number)
open-count = { $count ->
    [0] { "" }
   *[other] { $count } open
}
# The groups of the list; with Today and Done.
overdue = Overdue
upcoming = Upcoming
without-date = No date
# Priorities.
none = None
low = Low
medium = Medium
high = High
urgent = Urgent
# A priority beside other things that are said of a to-do.
# $priority (String) - the tools’ word for it
of-priority = { $priority ->
    [low] Low priority
    [medium] Medium priority
    [high] High priority
    [urgent] Urgent priority
   *[none] None priority
}
# What happened to one, for a screen reader.
completed = completed
reopened = reopened
# That it happened to one, or to so many.
# $count (Number)
completed-things = { $count ->
    [one] Completed
   *[other] Completed { $count } { -many }
}
reopened-things = { $count ->
    [one] Reopened
   *[other] Reopened { $count } { -many }
}
# Behind “This would”, perhaps with others before or after it.
would-complete = complete { $count } { $count ->
    [one] { -one }
   *[other] { -many }
}
would-reopen = reopen { $count } { $count ->
    [one] { -one }
   *[other] { -many }
}
# What else a change was about.
# $count (Number)
with-others = { $count ->
    [one] One other to-do changed with it, and goes back with it.
   *[other] { $count } others changed with it, and go back with it.
}
# Tools at work.
looking = Looking at your to-dos…
changing = Changing…
checking-off = Checking off…
reopening = Reopening…
deleting = Deleting…
# What was found.
looked-at-none = Looked at your to-dos: none found
# $total (Number)
looked-at-all = Looked at your to-dos: { $total } found
# $total (Number)
# $shown (Number)
looked-at-some = Looked at your to-dos: { $total } found, { $shown } read
# They are being read.
loading-todos = Loading your to-dos
# They could not be read.
list-unreadable = The list of to-dos could not be read.
# Something that another app shared.
share-title = Keep this as a to-do?
# Begins a to-do.
new-todo = New to-do
# Goes to the list.
go-todos = Go to the to-dos
# Goes on in the list.
next-todo = Next to-do
# Goes back in the list.
previous-todo = Previous to-do
# Checks or reopens.
toggle-todo = Check or reopen the to-do
# Opens a to-do in its place.
edit-todo = Edit the to-do
# Picks a to-do beside others.
pick-todo = Pick the to-do, to change several at once
# Throws a to-do away.
delete-todo = Delete the to-do
# A tag that can be taken off.
take-tag-off = Take the tag { $tag } off
# What was understood can be left in the title.
keep-in-title = { $shown }: leave it in the title
# The box of a to-do.
mark-done = Done: { $title }
# The bin of a to-do.
delete-named = Delete { $title }
# A to-do that can be made of what was typed.
add-named = Add to-do “{ $title }”
# A to-do in the palette.
todo-named = To-do: { $title }
# An open to-do in the palette, to be checked off.
check-named = Check off “{ $title }”
# A done to-do in the palette.
reopen-named = Reopen “{ $title }”

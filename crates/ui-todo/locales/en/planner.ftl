### The words of the views and of the calendar, in English. What they share with the list is said as there.

# The lists there are.
lists = Lists
# What was put together to be shown again.
saved = Saved filters
# Keeps what is shown under a name.
save-filter = Save what is shown now as
# It could not be kept.
not-kept = This could not be kept: there is no room, or there are 50 already.
# Its name is not kept any more.
forget-filter = Remove this filter
# The calendar.
calendar = Calendar
# Seven days of it.
week = Week
# A month of it.
month = Month
# The days before.
earlier = Earlier
# The days after.
later = Later
# How to-dos are moved there.
calendar-hint = Drag a to-do to another day, or move it with Alt and the arrows. Press it to open it.
# What has no day, beside the calendar.
waiting-for-a-day = Overdue and without a date
# Not all of it is shown.
more-than-shown = There are more than are shown here.
# Its new name.
new-name = New name
# It is no name.
name-missing = It needs a name.
# A list goes, with what is in it.
delete-with-todos = Delete its to-dos too
# A list goes, and what is in it stays.
keep-todos = Move its to-dos to Inbox
# Something came in while a question stood.
more-by-now = There are more by now: look again.
# A tag goes from all that have it.
take-off = Take it off
# Two lists or tags become one.
becomes-one = “{ $name }” is there already: both become one.
# A list is to go, and what is in it.
# $name (String)
# $named (String) - some titles, and how many more
# $count (Number) - how many there are
delete-list-with = { $count ->
    [0] Delete the list “{ $name }”?
   *[other] Delete the list “{ $name }”? In it: { $named }.
}
# A tag is to go from these.
# $name (String)
# $named (String) - some titles, and how many more
delete-tag-from = Take #{ $name } off { $named }?
# Some titles, and how many more there are.
# $named (String) - “Milk”, “Bread”
# $more (Number)
with-more = { $named } and { $more } more
# More than one call takes were changed.
# $count (Number)
changed-in-steps = { $count } to-dos changed. History takes it back.
# Not all that was to be changed was.
# $done (Number)
# $all (Number)
changed-so-far = { $done } of { $all } to-dos are changed; the rest are as they were. Try again, or take it back in History.
# A day, as the browser writes its parts: `Mon 23 Nov`.
weekday-and-day = { $weekday } { $day }
# A day and what is on it, to be heard.
# $day (String)
# $count (Number)
day-with = { $count ->
    [0] { $day }
    [one] { $day }, 1 to-do
   *[other] { $day }, { $count } to-dos
}
# What stands below those of a day that are shown.
# $count (Number)
more-on-day = { $count } more

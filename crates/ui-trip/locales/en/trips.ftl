### The words of the trips in the page, in English.

## Their name and how many there are.

# Their name.
trips = Trips
# One of them.
trip = Trip
# How many there are.
# $count (Number)
count = { $count ->
    [one] 1 trip
   *[other] { $count } trips
}
# How many flights, hotels and so on are on a trip.
# $count (Number)
segments = { $count ->
    [one] 1 entry
   *[other] { $count } entries
}
# Something on a trip, as the title of its form.
segment = Entry
# It is being read.
loading = Loading…
# An answer has another shape than what it is read as.
unreadable = The trip could not be read.
# Back to the list.
all-trips = All trips
# Makes one.
new-trip = New trip
# There are as many as may be.
no-more-trips = There are 50 trips, and no more can be: delete one first.
# There are none.
no-trips = No trips yet
# What to do then.
no-trips-hint = Make a trip here, or say in the conversation what you have in mind. Nothing is booked: you keep what you plan.
# Words for the conversation, which the built-in model understands in English.
suggest-week = Plan a week in Paris
# Likewise.
suggest-weekend = Plan a week in Tokyo for my family
# Likewise.
suggest-flight = Search hotels in New York
# Nobody said when.
no-days-yet = No dates yet
# The trips that were put away.
# $count (Number)
archived-count = Archived ({ $count })
# Makes a copy of a trip.
duplicate = Duplicate
# The same in full.
duplicate-named = Duplicate { $title }
# What a copy is called.
copy-of = Copy of { $title }
# Puts a trip away.
archive = Archive
# The same in full.
archive-named = Archive { $title }
# Brings a trip back that was put away.
bring-back = Bring back
# The same in full.
bring-back-named = Bring back { $title }
# How a trip is that was put away.
archived = archived
# What differs when a trip is put away or brought back.
state = State
# A trip that was put away cannot be changed.
is-archived = This trip is archived. Bring it back to change it.
# The button that deletes something, in full.
delete-named = Delete { $title }
# The question's title.
delete-trip = Delete the trip?
# The question.
# $title (String)
# $count (Number) - the entries on it
delete-asks = “{ $title }” goes with { $count ->
    [0] nothing on it
    [one] its one entry
   *[other] its { $count } entries
}. You can undo it.
# Somebody deleted the open trip.
trip-gone = This trip was deleted elsewhere. Undo in the history brings it back.
# What goes with the next message.
open-trip = Open trip
# The same beside the message field.
goes-along = Trip: { $title }
## The form of a trip.

# Opens the form of a trip.
change-trip = Edit trip
# A trip's title.
trip-title = Title
# It is empty.
title-needed = Give the trip a title.
# A trip's first day.
first-day = First day
# A trip's last day.
last-day = Last day
# The last day is before the first.
ends-before = The last day is before the first.
# Where a trip goes.
destinations = Where to, with commas between
# Where it sets out.
home = Setting out from
# Who travels; nobody is guessed.
travellers-names = Who travels, names with commas between
## The sections of an open trip.

# What the buttons are for.
sections = Show
days = Days
checks = Warnings
map = Map
budget = Budget
people = Travellers
share = Share
## What is on a trip, and how it is told.

# What a segment is.
flight = Flight
hotel = Hotel
activity = Activity
transfer = Transfer
meeting = Meeting
note = Note
# How settled it is. Nothing here books.
idea = Idea
planned = Planned
booked-by-you = Booked by you
# It is of the demo catalogue.
demo = demo
# A number and what stands behind its point.
with-decimals = { $whole }.{ $decimals }
# A sum and its currency.
sum = { $amount } { $currency }
# From one day or time to another.
from-to = { $from } – { $to }
# When something ends of which nobody said when it begins.
until = until { $when }
# A day and a time on it.
day-and-time = { $day }, { $time }
# From one place to another.
way = { $from } → { $to }
# A place and its city.
place-in = { $place }, { $city }
# Whose clock a time is on.
clock-of = { $city } time
# The clock at the start, and that at the end.
clocks-change = { $from } time, then { $to } time
# A confirmation code.
code-is = Code { $code }
# What hangs on it.
moves-along = Moves along: { $titles }
# How long one stays.
# $count (Number)
so-many-nights = { $count ->
    [one] 1 night
   *[other] { $count } nights
}
# Where one sleeps.
night-at = Night: { $bed }
# On the last day of a hotel.
leave-hotel = Check out: { $title }
# On the day a night train or flight arrives.
arrives = Arrival: { $title }
# On the day something ends.
ends = End: { $title }
# Which day of the trip it is.
day-number = Day { $number }
# A day on which nothing is.
nothing-planned = Nothing planned
# What has no day.
without-day = Without a day
# There is nothing on the trip.
nothing-on-it = Nothing on this trip yet
# What to do then.
nothing-on-it-hint = Add a flight, a hotel or something to do, or say it in the conversation.
# What the buttons are for.
add-to-trip = Add to this trip
# The button for one kind, in full.
add-kind = Add: { $kind }
# The button on a day, in full.
add-on = Add on { $day }
# The form of one that is there.
change-kind = Edit: { $kind }
## The fields of a form.

# The kind.
what-it-is = What it is
# Beside the name of a field that cannot stay empty.
is-needed = (needed)
# Nothing is chosen.
not-said = not said
field-title = Title
field-from = From
field-to = To
field-hotel = Hotel, with its city
field-place = Place
field-start-day = Day
field-start-time = Begins
field-end-day = Ends on
field-end-time = Ends at
field-departure-day = Departure day
field-departure-time = Departure time, as the clock there shows it
field-arrival-day = Arrival day
field-arrival-time = Arrival time, as the clock there shows it
field-leaving-day = Day of departure
field-leaving-time = Check out at
field-mode = How
field-airline = Airline
field-carrier = Who drives
field-number = Number
field-status = How settled
field-cost = Price in all
field-currency = Currency, three letters
field-code = Confirmation code
field-rooms = Rooms
field-sleeps = People in a room
field-opening = Opening hours, as OpenStreetMap writes them
field-links = Links, each in a line
field-note = Note
field-start-zone = Time zone
field-end-zone = Time zone of the arrival
# How one goes.
by-train = Train
by-taxi = Taxi
by-metro = Metro or tram
by-bus = Bus
by-car = Car
on-foot = On foot
by-ferry = Ferry
by-bicycle = Bicycle
# What is wrong with a field.
needed = This is needed.
no-day = This is no day.
time-needs-day = A time needs its day.
no-amount = This is no amount.
no-number = This is no number.
no-link = A link begins with https://.
# What a segment hangs on.
hangs-on = Moves with
# How it hangs on it.
how = How
# What it hangs on.
on-what = Add what it moves with
# Nothing is chosen yet.
choose = Choose…
how-same = moves as its start does
how-after = starts after its end
how-before = ends before its start
how-starts = starts with it
how-ends = ends with it
# The button that takes it out, in full.
hang-no-more = No longer move with { $title }
# Which of the travellers.
who-takes-part = Who takes part
# A box for what is booked.
booking-changed = I changed the booking itself
# A form was closed without saving.
typed-is-kept = What you typed is kept: open the form again to go on.
# The trip was deleted elsewhere while its form is open.
gone-while-typing = This trip was deleted elsewhere. What you typed is still here; undo the deletion in the history, then save.
# The entry was deleted elsewhere while its form is open.
deleted-while-typing = This was deleted elsewhere. What you typed is still here.
# Adds what is typed as a new entry.
add-anew = Add it as a new one
# What a save would move as well.
moves-as-well = This moves as well:
# Saves it with that.
save-and-move = Save and move these
## Moves.

# The title of the dialog.
moving = Move
# Opens it.
move-short = Move
# The same in full.
move-named = Move { $title }
# What else can be done with the whole trip, folded.
more-acts = More
# Moves all of a trip.
move-trip = Move the whole trip
move-to = Move to
day = Day
time = Time
move-by = Move by
or-move-by = or by
days-later = Days later (−1 for a day earlier)
minutes-later = Minutes later
# Looks at it, and does nothing yet.
show-what-moves = Show what moves
# It is being looked at.
looking-what-moves = Looking at what moves along…
# So many rows would change.
# $count (Number)
would-change = { $count ->
    [one] 1 entry would change.
   *[other] { $count } entries would change.
}
# Nothing would be other than it is.
nothing-moves = Nothing would change.
# The rows are no longer as they were shown.
changed-meanwhile = Something changed meanwhile. This is how it would be now:
# Does nothing.
leave-it = Leave it
# Does what is shown.
do-it = Move
# The same, where it adds something.
do-add = Add
# The same, where it changes something without moving it.
do-change = Change
## What does not work.

# Nothing was found.
all-works = Nothing found that does not work.
# How many.
# $count (Number)
warnings = { $count ->
    [one] 1 warning
   *[other] { $count } warnings
}
# How many.
# $count (Number)
errors = { $count ->
    [one] 1 error
   *[other] { $count } errors
}
error = Error
warning = Warning
# From a row to the ways out.
ways-out = What to do
# The title of what would be done.
way-out = A way out
# Shows what a way out would change.
show-way-out = Show a way out
# It is meant to be so.
accept = Accept
# The same in full.
accept-of = Accept: { $finding }
accept-why = Why it is meant so
accept-yes = Accept it
# What was accepted.
accepted = Accepted
whole-trip = The whole trip
# Takes back that it was accepted.
tell-again = Tell me again
# The same in full.
tell-again-of = Tell me again: { $rule }, { $title }
# What the checker reckons with.
assumptions = Reckoned with
assumptions-hint = Change a figure where it is otherwise for you.
connection-domestic = Between two flights within a country
connection-international = Between two flights across a border
before-flight = At the airport before a flight
leave-airport = From landing to leaving the airport
walking = On foot
driving = On the road
rail = By rail
room-sleeps = A room holds
# A unit.
minutes = minutes
# A unit.
kmh = km/h
# A unit.
persons = people
# Takes back an own figure.
usual = As usual
# The same in full.
usual-again = As usual again: { $name }
## Commands, and what stands in the chat.

# A command.
go-trips = Go to the trips
# A command, for the open trip.
new-segment = Add to the open trip: { $kind }
# A trip in the palette.
trip-named = Trip: { $title }
# A tool at work.
doing-reading = Looking at the trip…
doing-flights = Looking for flights…
doing-hotels = Looking for hotels…
doing-transfers = Looking for ways…
doing-web = Looking for things to do…
doing-elsewhere = Asking elsewhere…
doing-checking = Checking the trip…
doing-moving = Moving…
doing-places = Looking where that is…
doing-noting = Noting what you said…
doing-file = Reading or writing a calendar…
doing-planning = Planning…
# What may be said next: the built-in model understands it in English alone.
say-wrong = What’s wrong with my trip?
say-cost = How much is it so far?
say-show = Show my itinerary
say-later = What if we leave a day later?

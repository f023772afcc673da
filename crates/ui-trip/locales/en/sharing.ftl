### The words of how a trip leaves and comes in, in English.

# The headings.
leaving = Take it along
coming = Bring a calendar in
# What goes along if the person wants it.
with-private = With private things
with-private-hint = Off, files and texts have no birthdays, passports, visas or confirmation codes, and nothing of what you like.
# Shown where private things go along and there are codes.
calendar-has-codes = Now a calendar file has the confirmation codes in it, too: keep it for your own calendar.
# Files.
save-file = Save as a file
save-calendar = Save as a calendar
# What such a file is for.
file-hint = The file has all of the trip, and comes in again in Settings under Data.
# Other ways.
copy-text = Copy as text
share-by = Share…
print = Print
# What came of it.
copied = The trip is on the clipboard.
# $name - the file's name
saved = Saved as { $name }.
not-saved = This browser does not let the page save files.
not-shared = It could not be shared.
# What is of the catalogue that ships with the app (S4-10).
# $count (Number) - how many
demo-among = { $count ->
    [one] 1 entry is of the demo catalogue: invented, with prices that are not real.
   *[other] { $count } entries are of the demo catalogue: invented, with prices that are not real.
}
# Behind such an entry.
of-demo = Demo: invented
# What has no day.
without-day = Without a day
# A time, where clocks differ.
# $time - `09:00`
# $city - the city whose clock it is
time-there = { $time } ({ $city })
# From one time to another.
# $start - the first
# $end - the last
time-to-time = { $start } – { $end }
# The day on which something ends that lasts longer than a day.
# $day - that day
until = until { $day }
# From one place to another.
# $from - the first
# $to - the other
way = { $from } → { $to }
# A confirmation code.
# $code - the code
with-code = code { $code }
# Chooses a calendar file.
choose-calendar = Choose a calendar file (.ics)
# What becomes of it.
calendar-hint = Events of the trip’s days become segments, each once however often the file comes. Nothing is booked by it.
# Events that are in none of the trip's days come in, too.
take-all = Also events outside the trip’s days
# The file cannot be read.
not-read = The file could not be read.
# It is being brought in.
# $name - the file's name
bringing-in = Bringing { $name } in…
# What stays as it is, since it is booked.
stays = Left as it was:
# The same file once more.
# $name - the file's name
bring-again = Bring { $name } in again

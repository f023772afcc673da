### The words of what is known of travellers and their wishes, in English.

# The heading.
profile = What I know about you
# What it is.
profile-hint = Only what was said, with the words it was taken from. What nobody said is not guessed: it is asked.
# The fields.
where-to = Where it goes
when = When
how-many = How many travel
what-for = What it may cost
sleeping = Where you like to sleep
from-where = Where you set out
interests = What you like to do
pace = How much you want in a day
who-of-them = Who is among them
eating = What you eat and do not eat
getting-about = What you need to get about
# Nobody said it.
not-said = Not said
# How sure something is.
# $percent - `90 %`
sure = { $percent } sure
# The words something was taken from.
# $words - the person's
taken-from = from “{ $words }”
# The itinerary itself has it, and nobody had to say it.
of-trip = as the trip has it
# What the buttons show.
profile-correct = Correct
profile-say = Say it
profile-forget = Forget
# The same in full.
# $field - the field
correct-field = Correct: { $field }
# $field - the field
say-field = Say it: { $field }
# $field - the field
forget-field = Forget: { $field }
# How much somebody wants in a day.
pace-relaxed = One thing a day, and time
pace-moderate = Two or three things a day
pace-packed = As much as there is time for
# Nights of which the days are not known.
# $count (Number) - how many
nights = { $count ->
    [one] 1 night
   *[other] { $count } nights
}
# The parts of fields in a form.
profile-first = First day
profile-last = Last day
profile-nights = Nights
profile-around = Month or season
profile-amount = Amount
profile-currency = Currency, three letters
# Several things are typed into a line.
profile-commas = With commas between them.
# What is wrong in a form.
profile-nothing = Write something, or choose Forget.
profile-no-number = Write a whole number, like 4.
profile-no-sum = Write an amount like 5000 or 49.90, and the currency as three letters, like EUR.
profile-wrong-days = The last day is before the first.

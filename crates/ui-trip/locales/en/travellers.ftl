### The words of who travels, in English.

# The heading.
travellers = Travellers
# Nobody is named.
travellers-none = Nobody is named yet. How many travel is asked, and never guessed.
# Adds somebody.
traveller-add = Add a traveller
# Changes somebody; what the button shows.
traveller-change = Edit
# The same in full.
# $name - whom
traveller-edit = Edit { $name }
# Takes somebody off the trip.
# $name - whom
traveller-remove = Remove { $name }
# The fields of the form.
traveller-name = Name
traveller-kind = Age
traveller-unsaid = Not said
traveller-adult = Adult
traveller-child = Child, 2 to 11
traveller-infant = Infant, under 2
traveller-born = Birthday
traveller-passport = Passport
traveller-country = Country, two letters
traveller-from = Valid from
traveller-until = Valid until
traveller-visas = Visas
# A visa of several.
# $number - which one, from 1
traveller-visa = Visa { $number }
# Adds one.
visa-add = Add a visa
# Takes one away.
# $number - which one, from 1
visa-remove = Remove visa { $number }
# Why no more is asked.
traveller-no-numbers = Numbers of passports and visas are not asked and not kept. All of it stays on this device.
# What is wrong in the form.
traveller-no-name = Say what they are called.
traveller-bad-country = Write the country as two letters, like DE.
traveller-no-until = Say until when it is valid.
# What is known of somebody.
# $day - when
traveller-born-on = born { $day }
# $country - two letters
# $until - the last day
traveller-has-passport = passport { $country }, valid until { $until }
# $country - two letters
# $until - the last day
traveller-has-visa = visa { $country }, until { $until }
# $country - two letters
# $span - `1 Jun 2026 to 31 Jul 2026`
traveller-has-visa-from = visa { $country }, { $span }
# Whoever was being changed is on the trip no more.
traveller-gone = They were removed meanwhile. What you typed is still here: save it to add them again.

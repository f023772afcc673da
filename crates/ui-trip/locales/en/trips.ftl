### The words of the trips in the page, in English.

# Their name.
trips = Trips
# They are being read.
loading = Loading the trip…
# An answer has another shape than what it is read as.
unreadable = The trip could not be read.
# The sections of an open trip.
days = Days
checks = Checks
map = Map
budget = Budget
people = Travellers
share = Share
# What a segment is.
flight = Flight
hotel = Hotel
activity = Activity
transfer = Transfer
meeting = Meeting
note = Note
# How settled it is.
idea = Idea
planned = Planned
booked-by-you = Booked by you
# A number and what stands behind its point.
with-decimals = { $whole }.{ $decimals }
# A sum and its currency.
sum = { $amount } { $currency }

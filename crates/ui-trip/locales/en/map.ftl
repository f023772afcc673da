### The words of a trip's map in the page, in English.

# The map, to a screen reader.
map-of-trip = Map of the trip. Arrow keys move it, + and − show it nearer and farther. The same stops are in the list below.
# Which day is shown.
map-day = Day
# All of them.
map-all-days = All days
# The list that says the same as the map.
map-stops = Stops
# How many stops there are, and how far they are from each other.
# $count (Number) - how many stops
# $far - `885 km`
map-summary = { $count ->
    [one] 1 stop
   *[other] { $count } stops, { $far } as the crow flies
}
# A stop by its number: `3: Louvre`.
# $number - its number
# $name - what it is called
stop-named = { $number }: { $name }
# How one comes to a stop from the one before: `By plane, 858 km`.
# $by - `By plane`
# $far - how far that is
way = { $by }, { $far }
# The same where nothing of the trip goes there.
# $far - how far that is
from-here = { $far } from the stop before
# A distance.
# $number - in kilometres
kilometres = { $number } km
# How one goes.
by-plane = By plane
by-foot = On foot
by-car = By car
by-train = By train
by-bus = By bus
by-ferry = By ferry
by-taxi = By taxi
by-metro = By metro
by-bicycle = By bicycle
by-transfer = On the way
# What is of the catalogue that ships with the app.
map-demo = Demo
# What cannot be on the map.
# $names - the titles
map-unplaced = Without a place that is known: { $names }
# Nothing can be on it.
map-nothing = Nothing is on the map yet
# What to do then.
map-nothing-hint = Flights, hotels and visits stand here once they have a place that is known: an airport, a city or a sight.
# Whose outlines these are.
map-credit = Outlines: Natural Earth. Map: Leaflet. All of it is in this app.
# Whose tiles are shown; the person named the server among the photos' places.
# $host - the server
map-tiles-from = Tiles: { $host }
# None of them comes.
# $host - the server
map-no-tiles = No tiles come from { $host }. The outlines work without them.
# The photos of a trip.
photos-of-trip = Photos of the trip
# How many there are.
# $count (Number) - how many
photos-taken = { $count ->
    [one] 1 photo was taken in these days near these places.
   *[other] { $count } photos were taken in these days near these places.
}

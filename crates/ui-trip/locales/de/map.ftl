### Die Worte der Karte einer Reise, auf Deutsch.

map-of-trip = Karte der Reise. Die Pfeiltasten verschieben sie, + und − zoomen hinein und heraus. Dieselben Stationen stehen in der Liste darunter.
map-day = Tag
map-all-days = Alle Tage
map-stops = Stationen
map-summary = { $count ->
    [one] 1 Station
   *[other] { $count } Stationen, { $far } Luftlinie
}
stop-named = { $number }: { $name }
way = { $by }, { $far }
from-here = { $far } von der Station davor
kilometres = { $number } km
by-plane = Mit dem Flugzeug
by-foot = Zu Fuß
by-car = Mit dem Auto
by-train = Mit dem Zug
by-bus = Mit dem Bus
by-ferry = Mit der Fähre
by-taxi = Mit dem Taxi
by-metro = Mit der U-Bahn
by-bicycle = Mit dem Fahrrad
by-transfer = Unterwegs
map-demo = Demo
map-unplaced = Ohne bekannten Ort: { $names }
map-nothing = Noch ist nichts auf der Karte
map-nothing-hint = Flüge, Hotels und Besuche stehen hier, sobald ihr Ort bekannt ist: ein Flughafen, eine Stadt oder eine Sehenswürdigkeit.
map-credit = Umrisse: Natural Earth. Karte: Leaflet. All das ist in dieser App enthalten.
map-tiles-from = Kacheln: { $host }
map-no-tiles = Von { $host } kommen keine Kacheln. Die Umrisse funktionieren auch ohne sie.
photos-of-trip = Fotos der Reise
photos-taken = { $count ->
    [one] 1 Foto wurde an diesen Tagen in der Nähe dieser Orte aufgenommen.
   *[other] { $count } Fotos wurden an diesen Tagen in der Nähe dieser Orte aufgenommen.
}

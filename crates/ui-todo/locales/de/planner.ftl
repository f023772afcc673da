lists = Listen
saved = Gespeicherte Filter
save-filter = Aktuelle Anzeige speichern als
not-kept = Das konnte nicht gespeichert werden: Es ist kein Platz mehr, oder es gibt schon 50.
forget-filter = Diesen Filter entfernen
calendar = Kalender
week = Woche
month = Monat
earlier = Früher
later = Später
calendar-hint = Zieh ein To-do auf einen anderen Tag, oder verschieb es mit Alt und den Pfeiltasten. Zum Öffnen antippen oder anklicken.
waiting-for-a-day = Überfällig und ohne Datum
more-than-shown = Es gibt mehr, als hier angezeigt wird.
new-name = Neuer Name
name-missing = Es fehlt ein Name.
delete-with-todos = Auch ihre To-dos löschen
keep-todos = Ihre To-dos in die Inbox verschieben
more-by-now = Inzwischen sind es mehr: Sieh noch einmal nach.
take-off = Entfernen
becomes-one = „{ $name }“ gibt es schon: Aus beiden wird eins.
delete-list-with = { $count ->
    [0] Liste „{ $name }“ löschen?
   *[other] Liste „{ $name }“ löschen? Darin: { $named }.
}
delete-tag-from = #{ $name } von { $named } entfernen?
with-more = { $named } und noch { $more }
changed-in-steps = { $count } To-dos geändert. Im Verlauf lässt sich das rückgängig machen.
changed-so-far = { $done } von { $all } To-dos sind geändert; die übrigen sind, wie sie waren. Versuch es noch einmal, oder mach es im Verlauf rückgängig.
weekday-and-day = { $weekday } { $day }
day-with = { $count ->
    [0] { $day }
    [one] { $day }, 1 To-do
   *[other] { $day }, { $count } To-dos
}
more-on-day = noch { $count }

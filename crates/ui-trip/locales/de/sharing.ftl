### Die Worte dafür, wie eine Reise hinausgeht und hereinkommt, auf Deutsch.

leaving = Mitnehmen
coming = Einen Kalender übernehmen
with-private = Mit Privatem
with-private-hint = Ausgeschaltet enthalten Dateien und Texte keine Geburtstage, Pässe, Visa und Buchungscodes und nichts davon, was du magst.
calendar-has-codes = Auch eine Kalenderdatei enthält jetzt die Buchungscodes: Behalte sie für deinen eigenen Kalender.
save-file = Als Datei sichern
save-calendar = Als Kalender sichern
file-hint = Die Datei enthält die ganze Reise und lässt sich in den Einstellungen unter Daten wieder übernehmen.
copy-text = Als Text kopieren
share-by = Teilen …
print = Drucken
copied = Die Reise ist in der Zwischenablage.
saved = Gesichert als { $name }.
not-saved = Dieser Browser lässt die Seite keine Dateien sichern.
not-shared = Es konnte nicht geteilt werden.
demo-among = { $count ->
    [one] 1 Eintrag stammt aus dem Demo-Katalog: erfunden, mit Preisen, die nicht echt sind.
   *[other] { $count } Einträge stammen aus dem Demo-Katalog: erfunden, mit Preisen, die nicht echt sind.
}
of-demo = Demo: erfunden
without-day = Ohne Tag
time-there = { $time } ({ $city })
time-to-time = { $start } – { $end }
until = bis { $day }
way = { $from } → { $to }
with-code = Code { $code }
choose-calendar = Kalenderdatei wählen (.ics)
calendar-hint = Termine an den Tagen der Reise werden Einträge, jeder einmal, so oft die Datei auch kommt. Gebucht wird dadurch nichts.
take-all = Auch Termine außerhalb der Reisetage
not-read = Die Datei konnte nicht gelesen werden.
bringing-in = { $name } wird übernommen …
stays = So gelassen, wie es war:
bring-again = { $name } noch einmal übernehmen

storage = Auf diesem Gerät
looking-at-storage = Wird ermittelt …
keep-for-good = Browser bitten, alles zu behalten
export-hint = JSON enthält alles und lässt sich wieder importieren: von Fotos das, was über sie bekannt ist, auch wo sie aufgenommen wurden, dazu deine Sterne, Schlagwörter und Alben, aber weder die Bilder noch Gesichter noch Namen, die du Personen darauf gegeben hast. iCalendar und CSV sind für andere Programme. Dein Schlüssel und deine Unterhaltungen sind in keinem davon.
no-download = Der Browser hat keine Datei gespeichert.
import-hint = Du siehst, was eine Datei ändern würde, bevor etwas geändert wird. Auch Dateien von Google Tasks, Apple Erinnerungen, Microsoft To Do, Things, TickTick und Todoist werden verstanden.
import-file = Eine JSON-, iCalendar- oder CSV-Datei
import-memories = Was über dich gemerkt wurde und jeder Unterhaltung mitgeteilt wird:
import-foreign = Kein Modell hält diese Sätze für deine Worte: Sie werden als Worte einer Datei mitgeteilt, bis du sie im Gedächtnis speicherst. Eine Unterhaltung, der sie mitgeteilt werden, fragt nach, bevor sie etwas löscht oder verschickt.
import-own = Ich habe diese Sätze gelesen, und es sind meine eigenen Worte
import-own-photos = Diese Datei ist von mir: Die Schlagwörter, Orte und Albumnamen darin sind meine eigenen Worte
import-confirm = Importieren
reading-file = Die Datei wird gelesen …
file-too-large = Diese Datei ist größer als 60 MB.
file-not-read = Diese Datei konnte nicht gelesen werden. Wähle sie noch einmal aus.
file-of-no-kind = Das ist keine JSON-, iCalendar- oder CSV-Datei.
nothing-changed = Es wurde nichts geändert.
copies = Sicherungen auf diesem Gerät
copies-hint = Vor einer großen Änderung wird von selbst eine Sicherung angelegt. Die letzten zehn bleiben, solange dieser Browser seine Daten behält.
copy-by-hand = Von Hand angelegt
take-a-copy = Jetzt eine Sicherung anlegen
go-back-to-it = Wiederherstellen
erase = Alles löschen
erase-offline = Dafür ist das Netz nötig: Auch die Dateien der App selbst werden gelöscht und danach neu geladen.
erase-question = Alles auf diesem Gerät löschen?
erase-sure = Mir ist klar, dass sich nichts davon zurückholen lässt
keep-all = Alles behalten
export = Deine { -many } mitnehmen
import = { -many } importieren
import-replace = Alles ersetzen: { -many }, die nicht in der Datei sind, werden gelöscht
perhaps-imported = Vielleicht wurde trotzdem importiert: Sieh deine { -many } durch. Was da ist, lässt sich rückgängig machen.
erase-hint = Deine { -many }, deine Unterhaltungen, das Gedächtnis, Schlüssel, Einstellungen und Sicherungen verschwinden endgültig aus diesem Browser.
erase-what = Alle { -many } mit ihrem Verlauf, alle Unterhaltungen, das Gedächtnis, gespeicherte Schlüssel, Einstellungen und Sicherungen werden gelöscht, und andere offene Tabs von { -app } werden geschlossen. Das lässt sich nicht rückgängig machen; eine Datei, die du mitgenommen hast, kannst du wieder importieren.
exported = Als { $file-name } gespeichert.
kept-none = Noch keine { -many }
kept-one = 1 { -one }
kept-all = { $all } { -many }
kept-open-and-done = { $all } { -many } ({ $open } offen, { $done } erledigt)
kept-unchanged = { $kept }.
kept-changed-once = { $kept }, eine Änderung im Verlauf.
kept-changed = { $kept }, { $changes } Änderungen im Verlauf.
kept-until-deleted = Der Browser behält alles, bis du es löschst.
kept-while-there-is-room = Der Browser darf alles löschen, wenn auf dem Gerät der Platz ausgeht.
kept-without-promise = Der Browser wollte nicht versprechen, alles zu behalten. Das tut er bei Apps, die installiert sind oder oft benutzt werden; nimm bis dahin ab und zu eine Datei mit.
kept-perhaps = Dieser Browser sagt nicht, ob er etwas löschen darf. Nimm ab und zu eine Datei mit.
storage-used-of = Belegt { $used } von { $quota }, die dieser Browser erlaubt, die App selbst mitgerechnet.
storage-used-only = Belegt { $used }.
storage-used-unknown = Dieser Browser sagt nicht, wie viel belegt ist.
import-new = { $count } neu
import-changed = { $count } geändert
import-unchanged = { $count } unverändert
import-removed = { $count } gelöscht
import-parts = { $name }: { $parts }.
import-nothing = { $name }: nichts darin.
rejected-line = Zeile { $line }: { $reason }
import-memory-new = { $place ->
    [first] Neu: { $text } (wird zuerst mitgeteilt)
   *[among] Neu: { $text }
}
import-memory-otherwise = { $place ->
    [first] Anders als bisher: { $text } (wird zuerst mitgeteilt)
   *[among] Anders als bisher: { $text }
}
import-memory-instead = { $place ->
    [first] Statt „{ $before }“: { $text } (wird zuerst mitgeteilt)
   *[among] Statt „{ $before }“: { $text }
}
import-memory-gone = Vergessen: { $text }
copy-holds = { $count ->
    [one] 1 { -one }, { $ago }
   *[other] { $count } { -many }, { $ago }
}
restore-changes = { $total ->
    [0] Es würde sich nichts ändern.
    [one] 1 { -one } würde sich ändern.
   *[other] { $total } { -many } würden sich ändern.
}
loss-seen = OK
loss-title = Mit deinen gespeicherten { -many } ist etwas passiert

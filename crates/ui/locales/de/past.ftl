approvals-hint = Wann der Assistent dich vorher fragt. Was er vorhat, wird dir gezeigt, bevor du antwortest.
what-destroys = Löschen und Leeren
what-changes = Hinzufügen und Ändern
by-tool = Für jedes Werkzeug
as-destroying = Wie beim Löschen
as-changing = Wie beim Ändern
as-reading = Fragt nicht: liest nur
as-outside = Fragt: greift nach außen
allowed-here = In der Unterhaltung auf dem Bildschirm wird nicht gefragt bei:
ask-again = Wieder fragen
history = Verlauf
earlier = Frühere Änderungen anzeigen
back-to-here = Bis hierher zurück
go-back = Zurückgehen
changed-meanwhile = Inzwischen hat sich etwas geändert. Noch wurde nichts rückgängig gemacht: Das würde sich jetzt ändern.
history-hint = Jede Änderung an deinen { -many }, die neueste zuerst. Beim Zurückgehen geht hier nichts verloren: Auch das ist eine Änderung.
no-history = Noch hat sich nichts geändert. Was du oder der Assistent an deinen { -many } ändert, steht dann hier.
rule-always = Immer fragen
rule-above = { $count ->
    [one] Bei mehr als 1 { -one } fragen
   *[other] Bei mehr als { $count } { -many } fragen
}
rule-never = Nie fragen
going-back-changes = { $count ->
    [0] Seitdem hat sich nichts geändert: Es gibt nichts rückgängig zu machen.
    [one] Bis hierher zurückzugehen würde 1 Sache ändern:
   *[other] Bis hierher zurückzugehen würde { $count } Sachen ändern:
}

provider = Anbieter
providers-here = Auf diesem Rechner
providers-elsewhere = Anbieter
provider-other = Ein anderer Server
get-a-key = Einen Schlüssel gibt es bei
new-window = (öffnet ein neues Fenster)
start-it = Starten mit
test = Verbindung testen
testing = Der Server wird gefragt …
test-hint = Nichts wird irgendwohin gesendet, bevor du hierauf drückst oder eine Nachricht sendest.
key-replace = Ersetzen
key-needs-address = Trag zuerst die Adresse ein: Ein Schlüssel gehört zu ihr.
key-hint = Der Schlüssel wird verschlüsselt, bleibt in diesem Browser und wird nur an diese Adresse gesendet.
passphrase = Passphrase
passphrase-set = Mit einer Passphrase sperren …
passphrase-drop = Passphrase entfernen
passphrase-hint = Nach jedem Start wird einmal danach gefragt. Ohne sie öffnet sich der Schlüssel für alle, die diesen Browser benutzen oder seine Dateien kopieren können. Sie lässt sich nicht wiederherstellen: Wenn du sie vergisst, gib die Schlüssel neu ein.
passphrase-new = Neue Passphrase
passphrase-short = Nimm mindestens acht Zeichen.
passphrase-on = Die Schlüssel sind mit deiner Passphrase gesperrt.
unlock = Entsperren
unlock-title = Schlüssel entsperren
unlock-hint = Dein eigenes Modell braucht seinen Schlüssel, der mit deiner Passphrase gesperrt ist.
unlock-forgot = Passphrase vergessen: gespeicherte Schlüssel entfernen
connection-works = { $models ->
    [0] Der Server antwortet, hat aber noch keine Modelle.
    [one] Es klappt. Der Server hat ein Modell.
   *[other] Es klappt. Der Server hat { $models } Modelle.
}

search-settings = Einstellung suchen
rooms = Bereiche
all-settings = Alle Einstellungen
no-settings = Keine Einstellung enthält diese Wörter.
own-endpoint = Mein eigener Endpunkt
# The English words are there to be found too.
own-endpoint-has = Anbieter, Adresse, Schlüssel, Passphrase, Fenster und Werkzeugaufrufe eines eigenen Modells: provider, address, key, window and tool calling
storage-name = Speicher auf diesem Gerät
# The English words are there to be found too.
storage-has = Wie viel belegt ist und ob der Browser es löschen darf: how much is used, and whether the browser may delete it
settings-found = { $count ->
    [0] Keine Einstellung enthält diese Wörter.
   *[other] { $count } gefunden
}
# The room's English name is among them: who has read of it in English finds it too.
model-also-called = ki anbieter endpunkt schnittstelle schlüssel offline ohne netz ai provider endpoint api key model who answers
roles-also-called = klein günstig billig schnell rollen small cheap fast roles other models
answers-also-called = pläne planen prüfen belege quellen zitate plans check evidence citations answers planning
approvals-also-called = erlaubnis erlauben zustimmen zustimmung genehmigen berechtigung berechtigungen freigabe bestätigen bestätigung vorher fragen regeln approve permission permissions confirm confirmation ask before allow rules approvals
senses-also-called = sprache spracheingabe mikrofon diktat diktieren stimme vorlesen foto bild speech microphone dictation read aloud photo image voice and pictures
privacy-also-called = verbergen persönliche angaben daten datenschutz verlässt schwärzen hide personal details leaves redact privacy
spending-also-called = ausgaben ausgeben kosten geld budget grenze limit preis preise token spend cost costs money price prices tokens spending
data-also-called = speicher speicherplatz platz löschen leeren zurücksetzen storage space delete wipe erase reset your data
files-also-called = herunterladen hochladen sicherung mitnehmen json csv icalendar datei download upload backup file export and import
copies-also-called = sicherung kopie stand wiederherstellen zurückgehen backup snapshot restore go back copies
servers-also-called = mcp verbindungen werkzeuge entfernt connections tools remote tool servers
programs-also-called = mcp verbindungen relay token editor desktop connections other programs
app-also-called = sprache darstellung erscheinungsbild farbschema thema dunkel hell modus installieren über appearance dark light mode install about theme language installation

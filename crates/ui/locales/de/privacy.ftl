hiding = Persönliche Angaben vor einem Modell anderswo verbergen
hiding-hint = Mailadressen, Telefon-, Karten- und Kontonummern werden ersetzt, bevor etwas gesendet wird, und in der Antwort und in dem, was die Werkzeuge tun, wieder eingesetzt. Namen und Orte werden nicht gefunden. Vor einem Modell auf diesem Gerät wird nichts verborgen.

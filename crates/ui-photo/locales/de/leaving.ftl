export = Exportieren …
export-what = Ausgewählte Fotos exportieren
export-size = Größe
export-originals = Originale
export-small = Klein: JPEG, 2048 Pixel
export-places = Mit den Aufnahmeorten (GPS)
export-zip = Als ZIP speichern
export-folder = In einem Ordner speichern …
save-found = { $count ->
    [one] 1 Foto speichern
   *[other] { $count } Fotos speichern
}
save-found-with-places = { $count ->
    [one] 1 Foto mit Ort speichern
   *[other] { $count } Fotos mit Orten speichern
}
exporting-word = Export läuft
exporting = { $total ->
    [one] { $done } von 1 Foto geschrieben
   *[other] { $done } von { $total } Fotos geschrieben
}
nothing-exported = Es wurde nichts exportiert.
saved-as-zip = { $written ->
    [one] 1 Foto als ZIP gespeichert: Sieh in deinen Downloads nach.
   *[other] { $written } Fotos als ZIP gespeichert: Sieh in deinen Downloads nach.
}
saved-into-folder = { $written ->
    [one] 1 Foto im Ordner gespeichert.
   *[other] { $written } Fotos im Ordner gespeichert.
}
stopped-before = { $written ->
    [one] Angehalten. 1 Foto wurde vorher geschrieben: Was im Ordner ist, bleibt.
   *[other] Angehalten. { $written } Fotos wurden vorher geschrieben: Was im Ordner ist, bleibt.
}
broke-after = { $written ->
    [one] { $why } 1 Foto wurde vorher geschrieben: Was im Ordner ist, bleibt.
   *[other] { $why } { $written } Fotos wurden vorher geschrieben: Was im Ordner ist, bleibt.
}
export-again = ZIP noch einmal speichern
left-out = Ausgelassen:
left-out-gone = Es ist nicht mehr da.
left-out-bin = Es ist im Papierkorb.
left-out-file = Die Datei ist nicht auf diesem Gerät.
left-out-way = Aus einer solchen Datei lässt sich der Ort nicht entfernen, und dieser Browser kann sie nicht anzeigen. Exportiere sie mit Orten.
made-small = Verkleinert, weil sich der Ort aus diesen Dateien nicht entfernen lässt. Mit Orten werden sie unverändert exportiert:
no-private-files = Dieser Browser hat keinen eigenen Platz für eine ZIP-Datei. Speichere in einem Ordner, oder verwende ein Fenster, das nicht privat ist.
not-handed-over = Die ZIP-Datei kann von diesem Gerät nicht gelesen werden. Versuch es noch einmal.
export-broke = Der Export ist abgebrochen. Versuch es noch einmal, notfalls mit weniger Fotos.
exporting-stopped = Der Export wurde abgebrochen: { $why }. Schaff Platz auf diesem Gerät, oder exportiere weniger oder kleinere Fotos.
too-little-room-for-zip = Die ZIP-Datei braucht { $needed }, und dieser Browser hat Platz für { $free }. Exportiere weniger oder kleine Fotos, oder speichere in einem Ordner.

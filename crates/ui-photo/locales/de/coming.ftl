not-taken = Nicht übernommen
no-pictures-in-folder = In diesem Ordner ist kein Bild.
folder-unreadable = Der Ordner kann nicht gelesen werden.
file-unreadable = Die Datei kann nicht gelesen werden.
bring-in = Übernehmen
shared = { $count ->
    [one] 1 Foto wurde mit dieser App geteilt. Es wartet auf diesem Gerät, bis du es übernimmst oder verwirfst.
   *[other] { $count } Fotos wurden mit dieser App geteilt. Sie warten auf diesem Gerät, bis du sie übernimmst oder verwirfst.
}
shared-left-behind = { $left ->
    [one] 1 weiteres konnte nicht angenommen werden: Hier warten höchstens 500 Fotos und 1 GB, jedes mit höchstens 200 MB, und auf diesem Gerät muss Platz sein. Teile es noch einmal, sobald diese übernommen sind.
   *[other] { $left } weitere konnten nicht angenommen werden: Hier warten höchstens 500 Fotos und 1 GB, jedes mit höchstens 200 MB, und auf diesem Gerät muss Platz sein. Teile sie noch einmal, sobald diese übernommen sind.
}
shared-gone = Das Geteilte ist nicht mehr da.
shared-file = Eine geteilte Datei
shared-lost = Das Geteilte konnte nicht angenommen werden. Teile weniger Fotos auf einmal, oder füge sie hier hinzu.
no-file = Die Datei ist nicht auf diesem Gerät
no-file-hint = Das Foto kam mit einer Exportdatei, die keine Bilder enthält. Füge dieselbe Bilddatei noch einmal hinzu, um es zu sehen: Sterne, Schlagwörter und Alben bleiben.
rest-of-folder = Der Rest des Ordners
the-rest = { $count ->
    [one] 1 weiteres
   *[other] { $count } weitere
}
megabytes = { $size } MB
gigabytes = { $size } GB
too-little-room = Sie brauchen etwa { $needed }, und auf diesem Gerät sind { $free } frei. Wenn du fortfährst, wird übernommen, was Platz hat; was schon übernommen ist, bleibt.
looking-at = { $done } von { $total } ausgewertet
pace-and-left = { $pace }, { $left }
so-many-a-second = { $count } pro Sekunde
seconds-each = { $seconds } s pro Foto
seconds-left = noch weniger als eine Minute
minute-left = noch etwa eine Minute
minutes-left = noch etwa { $minutes } Minuten
all-brought-in = { $new ->
    [0] Keine neuen Fotos.
    [one] 1 Foto übernommen.
   *[other] { $new } Fotos übernommen.
}
some-brought-in = { $new ->
    [0] Keine neuen Fotos; { $others }.
    [one] 1 Foto übernommen; { $others }.
   *[other] { $new } Fotos übernommen; { $others }.
}
there-already = { $known ->
    [one] { $known } war schon da
   *[other] { $known } waren schon da
}
and-not-taken = { $failed ->
    [one] { $failed } wurde nicht übernommen
   *[other] { $failed } wurden nicht übernommen
}
no-looker = Die Fotoauswertung kann nicht geladen werden. Versuch es noch einmal, wenn eine Netzverbindung besteht.
looking-broke-off = Die Auswertung dieses Fotos ist abgebrochen.

folder-ways = Was mit den Originalen geschieht
folder-copy = Eine Kopie in dieser App behalten
folder-copy-means = Das braucht noch einmal so viel Platz, bleibt aber erhalten, was auch immer mit dem Ordner geschieht.
folder-leave = Die Originale lassen, wo sie sind
folder-leave-means = Das braucht keinen weiteren Platz, aber der Ordner muss bleiben, wo er ist, und der Browser fragt dich vielleicht noch einmal, ob diese App ihn lesen darf.
choose-folder = Ordner auswählen …
allow-again = Wieder erlauben
original = Original liegt in
in-folder = { $folder }: { $path }
folder-not-kept = Dieser Browser merkt sich nicht, welcher Ordner es war. Wähle stattdessen „Eine Kopie in dieser App behalten“.
folder-not-allowed = Der Ordner kann erst gelesen werden, wenn du es wieder erlaubst: Der Browser fragt danach.
folders-not-allowed = { $folders ->
    [one] { $photos ->
        [one] Der Browser fragt noch einmal, bevor diese App den Ordner { $names } lesen darf, in dem 1 Foto ist. Bis dahin ist es nur klein zu sehen, und was die Datei braucht, wartet.
       *[other] Der Browser fragt noch einmal, bevor diese App den Ordner { $names } lesen darf, in dem { $photos } Fotos sind. Bis dahin sind sie nur klein zu sehen, und was ihre Dateien braucht, wartet.
    }
   *[other] { $photos ->
        [one] Der Browser fragt noch einmal, bevor diese App die Ordner { $names } lesen darf, in denen 1 Foto ist. Bis dahin ist es nur klein zu sehen, und was die Datei braucht, wartet.
       *[other] Der Browser fragt noch einmal, bevor diese App die Ordner { $names } lesen darf, in denen { $photos } Fotos sind. Bis dahin sind sie nur klein zu sehen, und was ihre Dateien braucht, wartet.
    }
}
folder-unknown = Die Datei dieses Fotos ist in einem Ordner, den dieser Browser nicht kennt. Füge den Ordner noch einmal hinzu, dann wird sie gefunden.
left-gone = Die Datei dieses Fotos ist nicht mehr im Ordner. Leg sie zurück, oder füge den Ordner dort hinzu, wo er jetzt liegt. Was von dem Foto erfasst wurde, bleibt.
left-changed = Die Datei dieses Fotos wurde in ihrem Ordner geändert. Was von dem Foto erfasst wurde, bleibt; füge den Ordner noch einmal hinzu, dann wird auch die neue Fassung übernommen.
left-unreadable = Die Datei dieses Fotos kann gerade nicht gelesen werden. Vielleicht ist sie auf einem Laufwerk, das nicht angeschlossen ist.
empty-bin-sure-left = Endgültig löschen? Dateien, die in ihren Ordnern geblieben sind, bleiben dort.

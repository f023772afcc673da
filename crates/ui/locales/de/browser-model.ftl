browser-model = Modell des Browsers
browser-model-here = Es ist auf diesem Gerät.
browser-model-fetch = Herunterladen
browser-model-follow = Fortschritt anzeigen
browser-model-fetching = Das Modell des Browsers wird heruntergeladen
browser-model-fetchable = Es ist noch nicht auf diesem Gerät. Dein Browser lädt es einmal für alle Seiten herunter, mehrere Gigabyte.
browser-model-under-way = Dein Browser lädt es gerade herunter.
browser-model-not-fetched = Dein Browser konnte sein Modell nicht herunterladen ({ $why }). Versuch es später noch einmal.

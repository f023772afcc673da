### The words around the browser's own model.

browser-model = Your browser’s own
browser-model-here = It is on this device.
browser-model-fetch = Fetch it
browser-model-follow = Show how far it is
browser-model-fetching = Fetching the browser’s model
browser-model-fetchable = It is not on this device yet. Your browser fetches it once, several gigabytes, for all pages.
browser-model-under-way = Your browser is fetching it.
# It could not be fetched.
browser-model-not-fetched = Your browser could not fetch its model ({ $why }). Try again later.

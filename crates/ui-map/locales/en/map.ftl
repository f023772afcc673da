### The words of the map in the page, in English.

# What shows more or less of it.
map-size = How near the map is
# Shows less, and larger.
nearer = Nearer
# Shows more, and smaller.
farther = Farther
# It is being loaded.
map-comes = Loading the map…
# It cannot be had.
no-map = The map could not be loaded. It is kept once it was loaded with a network. The list below works without it.

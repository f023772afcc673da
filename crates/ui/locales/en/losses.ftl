### Words for data that was damaged, lost or brought back.

# The button that puts the note away.
loss-seen = OK
# Over the sentences that say what happened.
loss-title = Something happened to your stored { -many }

### The words around what is in the way of a person's own model, or of the browser's.

# Why the browser's own model cannot be asked.
browser-model-missing = This browser has no model of its own that this device can run. Choose another model in the settings.
browser-model-not-yet = Your browser’s model is not on this device yet. Fetch it in the settings, or choose another model.
key-is-locked = Your key is locked. Say your passphrase to use your own model, or choose the built-in one.
wrong-passphrase = That is not the passphrase.
key-unreadable = The saved key can’t be opened any more. Enter it again in the settings.
# It broke while it answered.
browser-model-failed = Your browser’s model failed ({ $why }). Try again, or choose another model.
# The key could not be kept.
key-not-kept = The key could not be kept ({ $why }).
# Why a key could not be kept, in the brackets of `key-not-kept`: this browser has no storage here.
key-storage-missing = there is none here
# The same: another tab wrote it.
key-storage-taken = it was written meanwhile
# The same: the storage is full.
key-storage-full = it is full
# The same: the browser closed it.
key-storage-closed = it was closed
# What is known about the key.
key-kept = Saved, encrypted on this device
# The same, behind a passphrase that was not given yet.
key-locked = Saved, locked with your passphrase
# The same, where nothing can be kept.
key-for-now = Kept until this page closes: it can’t be encrypted here

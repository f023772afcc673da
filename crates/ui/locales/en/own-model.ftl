### The words around a person's own model: providers, the key and its passphrase.

provider = Provider
providers-here = On this machine
providers-elsewhere = Providers
provider-other = Another server
get-a-key = Get a key from
new-window = (opens in a new window)
start-it = Start it with
test = Test the connection
testing = Asking the server…
test-hint = Nothing is sent anywhere before you press this or send a message.
key-replace = Replace
key-needs-address = Fill in the address first: a key belongs to it.
key-hint = The key is encrypted, stays in this browser, and is sent only to this address.
passphrase = Passphrase
passphrase-set = Lock with a passphrase…
passphrase-drop = Remove the passphrase
passphrase-hint = It is asked for once after each start. Without it the key opens for anyone who can use this browser, or copy its files. It can’t be recovered: if you forget it, enter the keys again.
passphrase-new = New passphrase
passphrase-short = Take at least eight characters.
passphrase-on = Keys are locked with your passphrase.
unlock = Unlock
unlock-title = Unlock your key
unlock-hint = Your own model needs its key, which is locked with your passphrase.
unlock-forgot = I forgot it: remove the saved keys
# All is well with the connection.
connection-works = { $models ->
    [0] It answers, but has no models yet.
    [one] It works. The server has one model.
   *[other] It works. The server has { $models } models.
}

### The words around what strangers wrote, and around what is sent to a model.

hide-title = This would be sent to the model
hide-hint = Hidden, the model sees a stand-in such as [email 1]; answers and tools still get the real thing. Your answer holds for these in this conversation.
hide = Hide them
hide-show = Send as they are
hide-stop = Send nothing
not-sent = Nothing was sent.
show-request = Show request
request = What was sent
request-hint = The body of the request, exactly. Your key is not in it. It is kept until this page is closed, and nowhere else.
request-copy = Copy
request-copied = Copied
request-not-copied = Could not copy
# Why a call asks that would not have asked otherwise.
read-untrusted-text = This conversation has read text from outside ({ $source }). Whoever wrote it may want this, so look closely: it asks every time from here on.
# Where a request went, and when.
sent-to = POST { $address } · { $time }
# What was found that would be sent.
hidden-email = Mail address
hidden-phone = Phone number
hidden-card = Card number
hidden-iban = Account number
# Words that the person said are to be hidden.
hidden-text = Words
# Whether such is hidden from models: never.
hiding-off = Off
# It is asked every time.
hiding-ask = Ask me
hiding-always = Always
# What stands for a picture where a request is shown.
# $start - how it begins
# $characters (Number) - how long it is
request-shortened = { $start }… ({ $characters } characters; the copy has them all)

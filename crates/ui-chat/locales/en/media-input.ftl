### The words around pictures, dictation and answers that are read aloud.

attach = Attach pictures
pictures-coming = A picture is still being prepared. Send again in a moment.
pictures-here = Pictures to send
pictures-sent = Pictures
not-a-picture = Only pictures can be attached here.
picture-unreadable = The browser cannot read this picture. Try a JPEG, PNG or WebP.
no-pictures-here = This model cannot see pictures. Choose another one in the settings, or send the text alone.
pictures-off = Pictures are switched off in the settings.
pictures-cannot-wait = A message with pictures cannot wait for the network. Send it once the model can be reached.
picture = Picture
dictate = Dictate
dictate-stop = Stop dictating
listening = Listening. Speak now.
not-heard = Nothing was heard. Try again, closer to the microphone.
no-microphone = The page may not use the microphone. Allow it beside the address, and try again.
no-listening = The browser could not listen. Some need a network for it.
read-aloud = Read aloud
read-stop = Stop reading
# The button that takes a picture out again.
picture-remove = Leave out { $name }
# More than a message takes.
# $most (Number) - how many it takes
too-many-pictures = A message takes at most { $most } pictures.

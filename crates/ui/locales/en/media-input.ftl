### The words around the choice of pictures, dictation and answers that are read aloud.

pictures = Attach pictures
pictures-hint = For models that take them, by the button, by pasting or by dropping. A picture is made smaller first, and what its file says beside the picture (place, camera) is left out. It is kept with the conversation on this device and sent to the model as it is: hiding personal details cannot look into it.
dictation = Dictate messages
dictation-hint = The browser listens and writes, on this device where it can. Where it cannot, it sends what it hears to its maker: Chrome does.
no-dictation = This browser does not write what is said.
reading = Read answers aloud
reading-off = Never
reading-asked = When I ask
reading-always = Every new answer
reading-hint = By a voice of the browser or the system. Some voices are made elsewhere and get the text.
no-reading = This browser does not read aloud.

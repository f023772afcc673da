### The words of photos that stay in their folders.

# What becomes of the originals of a folder.
folder-ways = What becomes of the originals
# They are copied.
folder-copy = Keep a copy in this app
# What that means.
folder-copy-means = It takes as much room again, and is there whatever becomes of the folder.
# They are not.
folder-leave = Leave the originals where they are
# What that means.
folder-leave-means = They take no more room, but the folder has to stay where it is, and the browser may ask you again whether this app may read it.
# Opens the browser's chooser of folders.
choose-folder = Choose the folder…
# Has the browser ask again.
allow-again = Allow again
# Where a photo's file is.
original = Left in
# Where it is: `Trip: sea/cat.jpg`.
# $folder - what the folder is called
# $path - the file in it
in-folder = { $folder }: { $path }
# A folder's handle cannot be kept.
folder-not-kept = This browser does not keep which folder it was. Choose “Keep a copy in this app” instead.
# The browser wants to be told again that we may read there.
folder-not-allowed = Its folder cannot be read before you allow it again: the browser asks for that.
# In which folders we may not read now.
# $folders (Number) - how many folders
# $names - what they are called, each as `folder-quoted`, with commas between them
# $photos (Number) - how many photos are in them
folders-not-allowed = { $folders ->
    [one] { $photos ->
        [one] The browser asks again before this app may read the folder { $names }, where 1 photo is. Until then they are seen small, and what needs their files waits.
       *[other] The browser asks again before this app may read the folder { $names }, where { $photos } photos are. Until then they are seen small, and what needs their files waits.
    }
   *[other] { $photos ->
        [one] The browser asks again before this app may read the folders { $names }, where 1 photo is. Until then they are seen small, and what needs their files waits.
       *[other] The browser asks again before this app may read the folders { $names }, where { $photos } photos are. Until then they are seen small, and what needs their files waits.
    }
}
# A place in a folder that this browser has no handle of.
folder-unknown = This photo’s file is in a folder that this browser does not know. Add the folder again, and it is found.
# The file is gone.
left-gone = This photo’s file is no longer in the folder. Put it back, or add the folder where it is now. What was seen of the photo stays.
# The file has other bytes.
left-changed = This photo’s file was changed in its folder. What was seen of the photo stays; add the folder again, and what is there now comes in as well.
# The file is there and cannot be read.
left-unreadable = This photo’s file cannot be read now. It may be on a disk that is not there.
# Asks whether the bin is to be emptied, where files of the person's own are named in it.
empty-bin-sure-left = Delete them for good? Files that were left in their folders stay there.

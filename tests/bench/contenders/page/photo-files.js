// Photos as files: the samples, and what is made of them.

export const file = async (url) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new File([await response.blob()], url.split("/").pop(), { type: "image/jpeg" });
};

// A photo of 12 megapixels with a face, no two with the same bytes.
export async function large(url, width, height, number) {
  const image = await createImageBitmap(await file(url));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.drawImage(image, (number * 7) % 40, (number * 3) % 30, image.width - 60, image.height - 40, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  return new File([blob, `${number}`], `IMG_${String(number).padStart(4, "0")}.jpg`, { type: "image/jpeg" });
}

// 300 photos as a library has them: a third from a camera, a third from an older one, a third as messengers make them.
export const mixed = async (url, count) => {
  const sizes = [[4000, 3000], [2048, 1536], [1280, 960]];
  const files = [];
  for (let at = 0; at < count; at++) files.push(await large(url, ...sizes[at % 3], at));
  return files;
};

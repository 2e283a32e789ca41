// Attachments: pictures are made smaller here, on a canvas; other files go as they are.

/** Models look at no more of a picture than this. Unit: pixels. */
const LONGER_SIDE = 1_568;
const MAX_BYTES = 4 * 1024 * 1024;

/** A file as a part of a message. Rejects with what the user is told. */
export async function partOf(file) {
  const smaller = file.type.startsWith("image/") ? await smallerPicture(file) : file;
  if (smaller.size > MAX_BYTES) throw new Error(`"${file.name}" is too large: at most 4 MB.`);
  return { type: "file", mediaType: smaller.type, filename: file.name, url: await dataUrl(smaller) };
}

async function smallerPicture(file) {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(`"${file.name}" is not a picture that can be shown.`);
  });
  const scale = Math.min(1, LONGER_SIDE / Math.max(picture.width, picture.height));
  const isSmall = scale === 1 && file.size < MAX_BYTES / 8;
  if (isSmall && /^image\/(png|jpeg|webp|gif)$/.test(file.type)) return file;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}

function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

import { Image } from "@napi-rs/canvas";

/** Decodes a picture. @throws Error when the bytes are none, or break off. */
export async function loadImage(bytes: Buffer): Promise<Image> {
  const image = new Image();
  image.src = bytes;
  await image.decode();
  return image;
}

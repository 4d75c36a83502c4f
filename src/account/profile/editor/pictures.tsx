import { LIMITS } from "#contract/limits.ts";
import type { AccountText } from "../../account-text.tsx";

export const PICTURES = ["avatar", "cover"] as const;
export type PictureName = (typeof PICTURES)[number];

/** What saving does with a picture. `preview` is a data: address, which the page's policy lets it show. */
export type PictureChange =
  | { kind: "kept" }
  | { kind: "removed" }
  | { kind: "chosen"; file: File; preview: string };
export type PictureChanges = Record<PictureName, PictureChange>;

export const UNCHANGED: PictureChanges = { avatar: { kind: "kept" }, cover: { kind: "kept" } };

const TYPES = ["image/jpeg", "image/png", "image/webp", "image/avif"];
export const ACCEPT = TYPES.join(",");
const NAMES = /\.(jpe?g|png|webp|avif)$/i;
const MEGABYTE = 1024 * 1024;
export const MAX_MEGABYTES = LIMITS.profilePictureMaxBytes / MEGABYTE;

/** What is wrong with a file, as far as a browser can tell; the server reads the bytes. */
export function findPictureFault(file: File, t: AccountText): string | undefined {
  // A system that doesn't know a type gives none.
  const isKnown = file.type === "" ? NAMES.test(file.name) : TYPES.includes(file.type);
  if (!isKnown) return t("profile:picture.wrongType");
  if (file.size === 0) return t("profile:picture.empty");
  if (file.size <= LIMITS.profilePictureMaxBytes) return undefined;
  // Rounded up, so that a file just over the limit never reads as the limit.
  const size = Math.ceil((file.size / MEGABYTE) * 10) / 10;
  return t("profile:picture.tooLarge", { size, max: MAX_MEGABYTES });
}

export function readPreview(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** The pictures' part of the form: a file, or an empty text that removes. */
export function toPictureValues(changes: PictureChanges): Partial<Record<PictureName, string | File>> {
  const values: Partial<Record<PictureName, string | File>> = {};
  for (const name of PICTURES) {
    const change = changes[name];
    if (change.kind === "removed") values[name] = "";
    if (change.kind === "chosen") values[name] = change.file;
  }
  return values;
}

/** The address to show, or null where there is no picture. */
export function toPictureAddress(change: PictureChange, saved: string | null): string | null {
  switch (change.kind) {
    case "kept":
      return saved;
    case "removed":
      return null;
    case "chosen":
      return change.preview;
  }
}

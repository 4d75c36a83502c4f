import { type ChangeEvent, useId, useState } from "react";
import { LIMITS } from "#contract/limits.ts";
import { type AccountText, useAccountText } from "../../account-area.tsx";

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
const ACCEPT = TYPES.join(",");
const NAMES = /\.(jpe?g|png|webp|avif)$/i;
const MEGABYTE = 1024 * 1024;
export const MAX_MEGABYTES = LIMITS.profilePictureMaxBytes / MEGABYTE;

/** What is wrong with a file, as far as a browser can see; the server reads the bytes. */
function findPictureFault(file: File, t: AccountText): string | undefined {
  // A system that doesn't know a type gives none.
  const isKnown = file.type === "" ? NAMES.test(file.name) : TYPES.includes(file.type);
  if (!isKnown) return t("profile:picture.wrongType");
  if (file.size === 0) return t("profile:picture.empty");
  if (file.size <= LIMITS.profilePictureMaxBytes) return undefined;
  // Rounded up, so that a file just over the limit never reads as the limit.
  const size = Math.ceil((file.size / MEGABYTE) * 10) / 10;
  return t("profile:picture.tooLarge", { size, max: MAX_MEGABYTES });
}

function readPreview(file: File): Promise<string> {
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

export type PictureErrors = Partial<Record<PictureName, string | undefined>>;

/** What choosing a file does, or why it can't be taken: then what was chosen before stays. */
export async function choosePicture(
  file: File,
  t: AccountText,
): Promise<{ change: PictureChange } | { error: string }> {
  const error = findPictureFault(file, t);
  if (error) return { error };
  try {
    return { change: { kind: "chosen", file, preview: await readPreview(file) } };
  } catch (failure) {
    console.warn("The picture could not be read.", failure);
    return { error: t("profile:picture.unreadable") };
  }
}

interface AvatarProps {
  username: string;
  /** Address of the picture; null: the first two letters stand for it. */
  picture: string | null;
  alt: string;
  onError?: (() => void) | undefined;
}

/** Names are ASCII: the reader's language must not make İ of an i. */
function toInitials(username: string): string {
  return username.slice(0, 2).toUpperCase();
}

/** The picture of a person, or the first two letters of the username (specification A 2.10), also for one that can't be shown. */
export function Avatar({ username, picture, alt, onError }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (picture && picture !== broken) {
    const note = () => {
      setBroken(picture);
      onError?.();
    };
    return <img className="profile-avatar" src={picture} alt={alt} onError={note} />;
  }
  return (
    <span className="profile-avatar" aria-hidden="true">
      {toInitials(username)}
    </span>
  );
}

const TEXTS = {
  avatar: { change: "profile:picture.changeAvatar", remove: "profile:picture.removeAvatar" },
  cover: { change: "profile:picture.changeCover", remove: "profile:picture.removeCover" },
} as const;

interface PictureControlsProps {
  name: PictureName;
  error: string | undefined;
  hasPicture: boolean;
  isBusy: boolean;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

/** Chooses or removes a picture, which is shown at once and saved with the form. */
export function PictureControls({
  name,
  error,
  hasPicture,
  isBusy,
  onChoose,
  onRemove,
}: PictureControlsProps) {
  const t = useAccountText();
  const id = useId();
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    if (file) onChoose(file);
    // The same file can be chosen again after it was removed.
    currentTarget.value = "";
  };
  return (
    <div className="picture-controls">
      <label className="button-quiet">
        <input
          className="visually-hidden"
          type="file"
          accept={ACCEPT}
          disabled={isBusy}
          aria-invalid={error ? "true" : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          onChange={onChange}
        />
        {t(TEXTS[name].change)}
      </label>
      {hasPicture && (
        <button type="button" className="button-quiet" disabled={isBusy} onClick={onRemove}>
          {t(TEXTS[name].remove)}
        </button>
      )}
      <p className="visually-hidden" id={`${id}-hint`}>
        {t("profile:picture.hint", { max: MAX_MEGABYTES })}
      </p>
      <p className="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
}

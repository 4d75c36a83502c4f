import { takeSlot } from "#server/base/counters.ts";
import type { FieldFault } from "#server/base/errors.ts";
import type { ProfileDeps } from "./deps.ts";
import { type ProfileChange, toFormError } from "./parse-change.ts";
import { PICTURE_FIELDS, type PictureField } from "./read-form.ts";

/** Names in the storage of what was uploaded; null where the picture is to go. */
export type PictureKeys = Partial<Record<PictureField, string | null>>;

/**
 * Removes files that no account names any more. A failure goes to the log alone: what people asked for has happened, and the
 * daily sweep finds the file.
 */
export async function dropPictures(
  { portraits, accounts }: Pick<ProfileDeps, "portraits" | "accounts">,
  keys: readonly (string | null | undefined)[],
): Promise<void> {
  const named = keys.filter((key) => typeof key === "string");
  await portraits.delete(named).catch((error: unknown) => {
    accounts.log.warn({ err: error, files: named.length }, "pictures that nobody uses could not be removed");
  });
}

/**
 * Draws and stores what was uploaded. Until the account names it, it is the caller's to drop.
 * @throws AppError validation_failed or unsupported_file with the pictures' faults, too_many_requests, unavailable.
 */
export async function storePictures(
  deps: ProfileDeps,
  userId: number,
  pictures: ProfileChange["pictures"],
): Promise<PictureKeys> {
  const keys: PictureKeys = {};
  const faults: FieldFault[] = [];
  try {
    for (const field of PICTURE_FIELDS) {
      const picture = pictures[field];
      if (picture === undefined) continue;
      if (picture === null) {
        keys[field] = null;
        continue;
      }
      await takeSlot(deps.limits.uploads, String(userId));
      const stored = await deps.portraits.store(field, picture);
      if ("key" in stored) keys[field] = stored.key;
      else faults.push(stored.fault);
    }
    if (faults.length > 0) throw toFormError(faults);
    return keys;
  } catch (error) {
    await dropPictures(deps, Object.values(keys));
    throw error;
  }
}

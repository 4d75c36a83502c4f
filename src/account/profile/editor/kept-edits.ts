import * as z from "zod/mini";
import type { KeyStorage } from "#providers/safe-storage.ts";
import { type ProfileValues, TEXT_FIELDS } from "./profile-values.ts";

const EDITS_KEY = "profile-edits";

const keptEdits = z.object({
  user_id: z.number(),
  values: z.record(z.enum(TEXT_FIELDS), z.string()),
});

/** Keeps what a person typed, for this tab; a password never. */
export function keepEdits(storage: KeyStorage, userId: number, values: ProfileValues): void {
  storage.setItem(EDITS_KEY, JSON.stringify({ user_id: userId, values }));
}

export function forgetEdits(storage: KeyStorage): void {
  storage.removeItem(EDITS_KEY);
}

/** What the same person typed before a reload or the end of the session; undefined where nothing was kept. */
export function readKeptEdits(storage: KeyStorage, userId: number): ProfileValues | undefined {
  try {
    const kept = keptEdits.parse(JSON.parse(storage.getItem(EDITS_KEY) ?? "null"));
    return kept.user_id === userId ? kept.values : undefined;
  } catch {
    // Nothing, or something else, stands under this key.
    return undefined;
  }
}

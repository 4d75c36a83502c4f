import { createWindowCounter } from "#server/base/limits.ts";
import type { ProfileParts } from "./deps.ts";

const HOUR_MS = 60 * 60 * 1000;
/** By person: drawing a picture and packing an export cost a second each. */
const UPLOADS = { max: 20, windowMs: HOUR_MS };
const EXPORTS = { max: 10, windowMs: HOUR_MS };
/** Each sends a mail to whoever's address was typed. */
const ADDRESS_CHANGES = { max: 5, windowMs: HOUR_MS };

export function createProfileLimits(clock: () => number): ProfileParts["limits"] {
  return {
    uploads: createWindowCounter(UPLOADS, clock),
    exports: createWindowCounter(EXPORTS, clock),
    addressChanges: createWindowCounter(ADDRESS_CHANGES, clock),
  };
}

import { randomBytes, randomInt } from "node:crypto";

/** 144 bits: nobody guesses one. */
const PUBLIC_ID_BYTES = 18;
const SLUG_SHAPE = /^[a-z0-9-]+$/;
const SLUG_MAX_CHARS = 60;
/** Without vowels, so that no word comes of it. */
const SUFFIX_LETTERS = "23456789bcdfghjkmnpqrstvwxz";
const SUFFIX_CHARS = 5;

/** Anything else is no room's id or slug, and nothing that a database is asked for: NUL would be an error there. */
export const ROOM_ADDRESS = /^[\w-]{1,100}$/;

/** What `foyer_fold` takes away after NFKD. */
const MARKS = /[\u0300-\u036f]/g;

/** Never of the shape of a slug, so that an address names one room. */
export function createPublicId(): string {
  const id = randomBytes(PUBLIC_ID_BYTES).toString("base64url");
  return SLUG_SHAPE.test(id) ? createPublicId() : id;
}

/** The end of a room's address: its name in letters a to z, digits and hyphens; never digits alone. */
export function toSlug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(MARKS, "")
    .replaceAll("ı", "i")
    .toLowerCase()
    .replaceAll("ß", "ss");
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_MAX_CHARS)
    .replaceAll(/^-|-$/g, "");
  if (slug === "") return "room";
  return /^\d+$/.test(slug) ? `room-${slug}` : slug;
}

/** For a name that another room has too. Random: a number would tell how many there are. */
export function addSuffix(slug: string): string {
  const letters = Array.from(
    { length: SUFFIX_CHARS },
    () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)],
  );
  return `${slug}-${letters.join("")}`;
}

import { randomBytes, randomInt } from "node:crypto";
import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { findRoomFaults, getMaxSeats } from "#contract/voice/room-rules.ts";
import { VOICE_LIMITS } from "#contract/voice/rooms.ts";
import { AppError } from "../../base/errors.ts";
import { MAX_INT4 } from "../../db/sql.ts";
import { type RequireLevel, requireActor, requireOwnUserId, SIGNED_IN } from "../../http/bearer.ts";
import { noStore } from "../../http/caching.ts";

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

/** For a name that another room has too. Random: a number would show how many there are. */
export function addSuffix(slug: string): string {
  const letters = Array.from(
    { length: SUFFIX_CHARS },
    () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)],
  );
  return `${slug}-${letters.join("")}`;
}

/** A number of a person, as text or as it is. */
const personId = z.pipe(
  z.union([z.string().check(z.regex(/^\d{1,10}$/)), z.number()]),
  z.pipe(z.transform(Number), z.int().check(z.minimum(0), z.maximum(MAX_INT4))),
);

/** What no slug or public id can be names no room. */
const slug = z.pipe(
  z.string(),
  z.transform((text) => (ROOM_ADDRESS.test(text) ? text : "")),
);
export const roomParams = z.object({ slug });
export const participantParams = z.object({ slug, userId: personId });
export const personParams = z.object({ userId: personId });

/** Whom a body names. @throws AppError validation_failed. */
export function parsePersonId(given: string | number): number {
  const parsed = personId.safeParse(given);
  if (!parsed.success)
    throw new AppError("validation_failed", { fields: [{ field: "user_id", code: "invalid_value" }] });
  return parsed.data;
}

export const about = { tags: ["voice"], security: SIGNED_IN };

/** Before anything of the request is judged: it must be known whose it is. */
export function createGuard(requireLevel: RequireLevel) {
  return { onRequest: [noStore, requireLevel(ACCESS_LEVEL.user), requireOwnUserId] };
}

/** @throws AppError room_creation_denied. */
export async function requireMaker(request: FastifyRequest): Promise<void> {
  if (requireActor(request).level < ACCESS_LEVEL.moderator) throw new AppError("room_creation_denied");
}

/**
 * A hook that runs before the schema: the documented texts of specification B section 5, all faults at once. Whether a room that
 * is there may be as large as it is said to be knows its writer: it may have been so large before the site lost its engine.
 */
export function requireGoodRoom(hasMixer: boolean, { isNew }: { isNew: boolean }) {
  return async (request: FastifyRequest): Promise<void> => {
    const body: Record<string, unknown> = { ...(typeof request.body === "object" ? request.body : {}) };
    const given = isNew ? { ...body, name: body.name ?? "" } : body;
    const fields = findRoomFaults(given, isNew ? getMaxSeats(hasMixer) : VOICE_LIMITS.seatsMax);
    if (fields.length > 0) throw new AppError("validation_failed", { fields });
  };
}

import { randomBytes } from "node:crypto";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { toMoment } from "../store.ts";
import { type GivenValues, requireGivenLevel, requireReach, requireWriter } from "./write-rules.ts";

/** 192 bits: nobody guesses one, and no call has to be limited for it. */
const TOKEN_BYTES = 24;
const DEFAULT_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

interface InvitationDeps {
  publicUrl: string | undefined;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** What people write of an invitation. */
interface Invitation {
  note: string | null;
  access_level_id: number;
  uses_max: number;
  /** ISO moment. */
  expires_at: string;
  is_revoked: boolean;
}

/** The kinds have checked the values; an emptied one has its default. */
function toNext(before: Invitation, given: GivenValues): Invitation {
  const pick = <Name extends keyof Invitation>(name: Name, empty: Invitation[Name]): Invitation[Name] =>
    given.has(name) ? ((given.get(name) as Invitation[Name] | null) ?? empty) : before[name];
  return {
    note: pick("note", null),
    access_level_id: pick("access_level_id", before.access_level_id),
    uses_max: pick("uses_max", 1),
    expires_at: pick("expires_at", before.expires_at),
    is_revoked: pick("is_revoked", false),
  };
}

async function findInvitation(
  db: Queryable,
  id: number,
): Promise<(Invitation & { level: number }) | undefined> {
  const { rows } = await db.query<Invitation & { level: number }>(
    `SELECT i.note, i.access_level_id, i.uses_max, i.expires_at, i.is_revoked, l.level
     FROM account_invitation i JOIN access_level l ON l.id = i.access_level_id WHERE i.id = $1`,
    [id],
  );
  return rows[0];
}

/**
 * Writes invitations, whichever endpoint is used: nobody gives a level above their own, by a link as little as by hand. The link is
 * made once and never changes.
 */
export function createInvitationWriter({ publicUrl = "", clock }: InvitationDeps): RecordWriter {
  /** @throws AppError permission_denied, object_not_found */
  async function requireOwn(db: Queryable, id: number, actor: Actor) {
    const writer = await requireWriter(db, actor);
    const before = await findInvitation(db, id);
    if (!before) throw new AppError("object_not_found");
    requireReach(writer, before.level);
    return { writer, before };
  }

  return {
    async prepare() {},

    async create(db, values, actor) {
      const writer = await requireWriter(db, actor);
      const next = toNext(
        {
          note: null,
          access_level_id: 0,
          uses_max: 1,
          expires_at: toMoment(clock() + DEFAULT_LIFETIME_MS),
          is_revoked: false,
        },
        values,
      );
      await requireGivenLevel(db, writer, next.access_level_id);
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const { rows } = await db.query<{ id: number }>(
        `INSERT INTO account_invitation (note, access_level_id, uses_max, expires_at, is_revoked, token, link, created_by_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
        [
          next.note,
          next.access_level_id,
          next.uses_max,
          next.expires_at,
          next.is_revoked,
          token,
          `${publicUrl}/register?invitation=${token}`,
          writer.userId,
        ],
      );
      if (!rows[0]) throw new Error("The invitation that was just made has no number.");
      return rows[0];
    },

    async update(db, id, values, actor) {
      const { writer, before } = await requireOwn(db, id, actor);
      const next = toNext(before, values);
      if (next.access_level_id !== before.access_level_id)
        await requireGivenLevel(db, writer, next.access_level_id);
      await db.query(
        `UPDATE account_invitation SET note = $2, access_level_id = $3, uses_max = $4, expires_at = $5, is_revoked = $6,
           updated_at = clock_timestamp() WHERE id = $1`,
        [id, next.note, next.access_level_id, next.uses_max, next.expires_at, next.is_revoked],
      );
      return undefined;
    },

    async delete(db, id, actor) {
      await requireOwn(db, id, actor);
      await db.query("DELETE FROM account_invitation WHERE id = $1", [id]);
      return undefined;
    },

    committed() {},
  };
}

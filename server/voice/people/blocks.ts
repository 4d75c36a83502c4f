import type * as z from "zod/mini";
import type { blocksAnswer } from "#contract/voice-people.ts";
import { AppError } from "#server/base/errors.ts";
import type { SignedIn } from "../../base/actor.ts";
import type { VoiceParts } from "../parts.ts";
import { deleteBlock, insertBlock, listBlocks } from "./block-store.ts";
import { nameListed, requirePerson } from "./people.ts";

type BlockParts = Pick<VoiceParts, "pool" | "live">;

/** Whom the person has blocked, newest first. */
export async function listOwnBlocks(
  { pool }: BlockParts,
  person: SignedIn,
): Promise<z.output<typeof blocksAnswer>> {
  const blocks = await listBlocks(pool, person.userId);
  const ids = blocks.map(({ blocked_id }) => blocked_id);
  const toName = await nameListed(pool, ids, person.level);
  return { blocks: ids.map((id) => ({ user_id: String(id), display_name: toName(id) })) };
}

/** From then on neither hears the other. The log says nothing of it: it is the person's own affair. */
export async function blockPerson(
  { pool, live }: BlockParts,
  person: SignedIn,
  userId: number,
): Promise<void> {
  if (userId === person.userId)
    throw new AppError("validation_failed", { fields: [{ field: "user_id", code: "own_account" }] });
  await requirePerson(pool, userId);
  if (await insertBlock(pool, person.userId, userId)) await live.blocksChanged(person.userId);
}

/** Whoever was not blocked isn't now. */
export async function unblockPerson(
  { pool, live }: BlockParts,
  person: SignedIn,
  userId: number,
): Promise<void> {
  if (await deleteBlock(pool, person.userId, userId)) await live.blocksChanged(person.userId);
}

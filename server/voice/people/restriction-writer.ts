import { describePeople } from "#server/accounts/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { readModerator, requireModerator, requireReach } from "./may-moderate.ts";
import { deleteRestrictionById, findRestriction } from "./people-store.ts";

/** Nobody asks for these: the model's access lets nobody create or change a row. */
async function refuse(): Promise<never> {
  throw new AppError("permission_denied");
}

/** Lifts restrictions in the console, by the rules of the voice API. */
export function createRestrictionWriter(): RecordWriter {
  return {
    prepare: async () => undefined,
    create: refuse,
    update: refuse,
    async delete(db, id, actor) {
      const found = await findRestriction(db, id);
      if (!found) throw new AppError("object_not_found");
      const moderator = await readModerator(db, actor);
      requireModerator(moderator, { created_by_id: found.room_created_by_id });
      const target = (await describePeople(db, [found.user_id])).get(found.user_id);
      requireReach(moderator, { id: found.user_id, level: target?.level ?? 0 });
      await deleteRestrictionById(db, id);
      return { detail: found.kind === "ban" ? "voice_unban" : "voice_unmute" };
    },
    committed: () => undefined,
  };
}

import type { RecordWriter } from "#server/models/writer.ts";
import { lockAddresses, lockCodesOf } from "../code-store.ts";
import { lockSuperusers } from "../lock-superusers.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import type { AdminParts } from "./parts.ts";
import { updateUser } from "./update-user.ts";
import { findLocks } from "./user-store.ts";
import type { GivenValues } from "./user-values.ts";

function touchesAddress(values: GivenValues): boolean {
  return values.has("email") || values.get("is_email_verified") === true;
}

function mayDemote(values: GivenValues): boolean {
  return values.has("access_level_id") || values.get("is_active") === false;
}

/** Writes people's accounts, whichever door is used. */
export function createUserWriter(parts: AdminParts): RecordWriter {
  return {
    /** Addresses, codes, superusers, then the row: the order of every call of accounts. */
    async prepare(db, operation, ids, values) {
      const isAddressed = operation === "delete" || touchesAddress(values);
      const isDemotion = operation === "delete" || mayDemote(values);
      if (!isAddressed && !isDemotion) return;
      const { addresses, hasSuperuser } = await findLocks(db, ids);
      const email = values.get("email");
      if (isAddressed) {
        await lockAddresses(db, typeof email === "string" ? [...addresses, email.trim()] : addresses);
        await lockCodesOf(db, ids);
      }
      if (isDemotion && hasSuperuser) await lockSuperusers(db);
    },
    create: (db, values, actor) => createUser(parts, db, values, actor),
    update: (db, id, values, actor) => updateUser(parts, db, id, values, actor),
    delete: (db, id, actor) => deleteUser(parts, db, id, actor),
    committed: () => parts.accounts.sessionAccounts.drop(),
  };
}

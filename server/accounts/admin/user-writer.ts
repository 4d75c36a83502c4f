import type { RecordWriter } from "#server/models/record-writer.ts";
import { lockAddresses, lockCodesOf } from "../code-store.ts";
import { lockLevelsOfPeople, lockSuperusers } from "../lock-superusers.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import type { AdminParts } from "./parts.ts";
import { findLocks } from "./store.ts";
import { updateUser } from "./update-user.ts";
import { findNameFaults, type GivenValues } from "./user-values.ts";

/** A new level makes a claim the console's own, which settles whose the address is. */
function touchesAddress(values: GivenValues): boolean {
  return values.has("email") || values.get("is_email_verified") === true || values.has("access_level_id");
}

function mayDemote(values: GivenValues): boolean {
  return values.has("access_level_id") || values.get("is_active") === false;
}

/** An owner without a proven address is none. */
function mayUnprove(values: GivenValues): boolean {
  return values.has("email") || values.get("is_email_verified") === false;
}

/** Writes people's accounts, whichever door is used. */
export function createUserWriter(parts: AdminParts): RecordWriter {
  return {
    /** Levels, addresses, codes, then superusers and rows by number: the order of every call of accounts. */
    async prepare(db, operation, ids, values) {
      const isAddressed = operation === "delete" || touchesAddress(values);
      const mayEndOwner = operation === "delete" || mayDemote(values) || mayUnprove(values);
      if (!isAddressed && !mayEndOwner) return;
      if (mayDemote(values)) await lockLevelsOfPeople(db);
      const { addresses, hasSuperuser } = await findLocks(db, ids);
      const email = values.get("email");
      if (isAddressed) {
        await lockAddresses(db, typeof email === "string" ? [...addresses, email.trim()] : addresses);
        await lockCodesOf(db, ids);
      }
      if (mayEndOwner && hasSuperuser) await lockSuperusers(db, ids);
    },
    create: (db, values, actor) => createUser(parts, db, values, actor),
    update: (db, id, values, actor) => updateUser(parts, db, id, values, actor),
    delete: (db, id, actor) => deleteUser(parts, db, id, actor),
    findFaults: findNameFaults,
    committed: () => parts.accounts.sessionAccounts.drop(),
  };
}

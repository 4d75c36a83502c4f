import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import type { Actor } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toMailLanguage } from "../account.ts";
import { hasStaffAddress, isStaff, listProvenStaff, selectAddressesFrom } from "./store.ts";

/** Where mail about the site itself goes. `userId`: null for the owner's address, which needn't be an account's. */
export interface StaffMember {
  email: string;
  language: Language;
  userId: number | null;
}

/** Who the site's own people are, for subjects that treat them apart. */
export interface StaffChecks {
  /** The owner's address, or that of an account that may open the console. `address` is in lower case. */
  isStaffAddress(db: Queryable, address: string): Promise<boolean>;
  /** An active account that may open the console. */
  isStaff(db: Queryable, userId: number): Promise<boolean>;
  /**
   * Of addresses in lower case those whose mail the actor may not stop: people of their own level and above, but themselves. The
   * owner's address is for superusers. The server itself may stop any.
   */
  findProtectedAddresses(
    db: Queryable,
    addresses: readonly string[],
    actor: Pick<Actor, "userId" | "level">,
  ): Promise<ReadonlySet<string>>;
  /**
   * Active accounts that may open the console, or have at least `level`, and have proven their address; and the owner's address
   * where it is none of theirs.
   */
  listStaff(db: Queryable, level?: number): Promise<StaffMember[]>;
}

export function createStaffChecks(ownerEmail: string | undefined): StaffChecks {
  return {
    async isStaffAddress(db, address) {
      if (ownerEmail?.toLowerCase() === address) return true;
      return hasStaffAddress(db, address);
    },
    isStaff,
    async findProtectedAddresses(db, addresses, { userId, level }) {
      if (userId === null) return new Set();
      const found = new Set(await selectAddressesFrom(db, addresses, { userId, level }));
      const owner = ownerEmail?.toLowerCase();
      if (owner && level < ACCESS_LEVEL.superuser && addresses.includes(owner)) found.add(owner);
      return found;
    },
    async listStaff(db, level = ACCESS_LEVEL.admin) {
      const rows = await listProvenStaff(db, level);
      const staff = rows.map((row) => ({ email: row.email, language: toMailLanguage(row), userId: row.id }));
      const owner = ownerEmail?.toLowerCase();
      if (!ownerEmail || staff.some(({ email }) => email.toLowerCase() === owner)) return staff;
      // Nobody says which language the owner reads; the first of the highest level is likely to be the same person.
      return [{ email: ownerEmail, language: staff[0]?.language ?? "en", userId: null }, ...staff];
    },
  };
}

import type { Language } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toMailLanguage } from "../account.ts";
import { hasStaffAddress, isStaff, listProvenStaff } from "./store.ts";

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
  /** Active accounts that may open the console and have proven their address, and the owner's address where it is none of theirs. */
  listStaff(db: Queryable): Promise<StaffMember[]>;
}

export function createStaffChecks(ownerEmail: string | undefined): StaffChecks {
  return {
    async isStaffAddress(db, address) {
      if (ownerEmail?.toLowerCase() === address) return true;
      return hasStaffAddress(db, address);
    },
    isStaff,
    async listStaff(db) {
      const rows = await listProvenStaff(db);
      const staff = rows.map((row) => ({ email: row.email, language: toMailLanguage(row), userId: row.id }));
      const owner = ownerEmail?.toLowerCase();
      if (!ownerEmail || staff.some(({ email }) => email.toLowerCase() === owner)) return staff;
      // Nobody says which language the owner reads; the first of the highest level is likely to be the same person.
      return [{ email: ownerEmail, language: staff[0]?.language ?? "en", userId: null }, ...staff];
    },
  };
}

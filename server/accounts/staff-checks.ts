import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Queryable } from "#server/db/pool.ts";

/** Who the site's own people are, for subjects that treat them apart. */
export interface StaffChecks {
  /** The owner's address, or that of an account that may open the console. `address` is in lower case. */
  isStaffAddress(db: Queryable, address: string): Promise<boolean>;
  /** An active account that may open the console. */
  isStaff(db: Queryable, userId: number): Promise<boolean>;
}

const STAFF = `SELECT FROM account_user u JOIN access_level l ON l.id = u.access_level_id
  WHERE u.is_active AND l.level >= ${ACCESS_LEVEL.admin}`;

export function createStaffChecks(ownerEmail: string | undefined): StaffChecks {
  return {
    async isStaffAddress(db, address) {
      if (ownerEmail?.toLowerCase() === address) return true;
      const { rowCount } = await db.query(`${STAFF} AND lower(u.email) = $1 LIMIT 1`, [address]);
      return rowCount === 1;
    },
    async isStaff(db, userId) {
      const { rowCount } = await db.query(`${STAFF} AND u.id = $1`, [userId]);
      return rowCount === 1;
    },
  };
}

/** Access levels (specification A section 6): 0 guest, 1 to 9 user, 10 and above admin, 999 superuser. */
export const ACCESS_LEVEL = { guest: 0, user: 1, moderator: 5, admin: 10, superuser: 999 } as const;

/** Whether a level opens the administration console. */
export function hasAdminAccess(level: number): boolean {
  return level >= ACCESS_LEVEL.admin;
}

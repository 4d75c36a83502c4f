import { type AccountUser, accountUser } from "#contract/accounts/accounts.ts";

/** A signed-in person as the server answers; `profile` may differ in part. */
export function toAccountUser(
  more: Partial<Omit<AccountUser, "profile">> = {},
  profile: Partial<AccountUser["profile"]> = {},
): AccountUser {
  return accountUser.parse({
    id: 1,
    username: "isil",
    email: "isil@example.com",
    display_name: "Işıl",
    access_level: 10,
    access_level_name: "Admin",
    is_email_verified: true,
    ...more,
    profile: {
      first_name: "Işıl",
      last_name: "Y",
      can_access_admin: true,
      is_superuser: false,
      admin_theme: "auto",
      admin_language: "tr",
      ...profile,
    },
  });
}

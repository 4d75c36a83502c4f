import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";

/** Mails that a site in development writes to files. `level`: who sees its entry in the menu. */
export const mailboxResource = {
  name: "mailbox",
  list: "/admin/mailbox",
  meta: { labelKey: "nav.mailbox", icon: "mailbox", level: ACCESS_LEVEL.superuser },
} as const;

/** The address of one mail's view. */
export function toMailAddress(file: string): string {
  return `${mailboxResource.list}/${encodeURIComponent(file)}`;
}

import { isEmailShaped } from "#contract/accounts/account-rules.ts";
import { createSafeStorage } from "#providers/safe-storage.ts";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const ADDRESS_KEY = "password-reset-email";

/** The address that a code was sent to, while this tab lives: a reload goes on where it was. */
export const readAddress = () => tabStorage.getItem(ADDRESS_KEY) ?? "";
export const keepAddress = (email: string) => tabStorage.setItem(ADDRESS_KEY, email);
export const forgetAddress = () => tabStorage.removeItem(ADDRESS_KEY);

/** The address that the link of a mail brings behind `#`, where no server gets to see it; empty: it brings none. */
export function readLinkedAddress(hash: string): string {
  const email = new URLSearchParams(hash.slice(1)).get("email")?.trim() ?? "";
  return isEmailShaped(email) ? email : "";
}

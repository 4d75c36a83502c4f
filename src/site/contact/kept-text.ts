import { CONTACT_FIELDS, type ContactValues } from "#contract/site/contact.ts";
import { createSafeStorage } from "#providers/safe-storage.ts";

const TEXT_KEY = "contact-text";
const tabStorage = createSafeStorage(() => globalThis.sessionStorage);

/** Keeps what was typed while this tab lives: for a reload, a look at another page, or the other language. */
export function keepText(typed: ContactValues): void {
  tabStorage.setItem(TEXT_KEY, JSON.stringify(typed));
}

export function forgetText(): void {
  tabStorage.removeItem(TEXT_KEY);
}

/** What was kept; nothing of what is no text. */
export function readKeptText(): Partial<ContactValues> {
  try {
    const kept: unknown = JSON.parse(tabStorage.getItem(TEXT_KEY) ?? "null");
    const values: Record<string, unknown> = { ...(typeof kept === "object" ? kept : {}) };
    return Object.fromEntries(
      CONTACT_FIELDS.map((field) => [field, values[field]]).filter(([, value]) => typeof value === "string"),
    );
  } catch {
    // Something else stands under this key.
    return {};
  }
}

import { createSafeStorage } from "#providers/safe-storage.ts";

const storage = createSafeStorage(() => globalThis.sessionStorage);
const KEY = "password-reset-email";

/** The address that a code was sent to, while this tab lives: a reload goes on where it was. */
export const readAddress = () => storage.getItem(KEY) ?? "";
export const keepAddress = (email: string) => storage.setItem(KEY, email);
export const forgetAddress = () => storage.removeItem(KEY);

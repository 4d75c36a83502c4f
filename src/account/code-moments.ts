import * as z from "zod/mini";
import { createSafeStorage } from "#providers/safe-storage.ts";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const momentSchema = z.object({ email: z.string(), resendAtMs: z.number() });

export type CodePurpose = "verify" | "reset" | "change";
const toMomentKey = (purpose: CodePurpose) => `code-moment-${purpose}`;

/** From when on another code may be asked for; a reload doesn't shorten the wait. @returns milliseconds since 1970, 0: at once. */
export function readResendMoment(purpose: CodePurpose, email: string): number {
  try {
    const kept = momentSchema.parse(JSON.parse(tabStorage.getItem(toMomentKey(purpose)) ?? "null"));
    return kept.email === email.toLowerCase() ? kept.resendAtMs : 0;
  } catch {
    // No code was asked for in this tab.
    return 0;
  }
}

export function keepResendMoment(purpose: CodePurpose, email: string, resendAtMs: number): void {
  tabStorage.setItem(toMomentKey(purpose), JSON.stringify({ email: email.toLowerCase(), resendAtMs }));
}

import * as z from "zod/mini";
import { type AccountUser, accountUser } from "#contract/accounts/accounts.ts";
import { AUTH_STATE_KEY, type KeyStorage } from "../browser-storage.ts";

/** What a browser remembers of the signed-in person (specification A section 3). Never a token. */
export const authState = z.object({
  user: accountUser,
  profile: accountUser.shape.profile,
  permissions: z.array(z.string()),
  availableModels: z.array(z.string()),
  /** Milliseconds since 1970. */
  lastActivity: z.number(),
});
export type AuthState = z.infer<typeof authState>;

/** The state of a person who has just been confirmed; what was known of the same person stays. */
export function toAuthState(user: AccountUser, before: AuthState | null, nowMs: number): AuthState {
  const known = before?.user.id === user.id ? before : null;
  return {
    user,
    profile: user.profile,
    permissions: known?.permissions ?? [],
    availableModels: known?.availableModels ?? [],
    lastActivity: nowMs,
  };
}

/** The remembered state, or null: also where somebody or an older version left something else there. */
export function readAuthState(storage: KeyStorage): AuthState | null {
  try {
    return authState.parse(JSON.parse(storage.getItem(AUTH_STATE_KEY) ?? "null"));
  } catch {
    return null;
  }
}

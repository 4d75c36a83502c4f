import type { SessionState } from "./store.ts";

/** How long a spent refresh token still answers: a page load may have lost the answer that replaced it. */
const REFRESH_GRACE_MS = 30_000;
/**
 * What a genuine refresh token is good for:
 * - `rotate`: it is the session's token: spend it, answer its successor.
 * - `keep`: it is the session's token and younger than the grace period: answer it again. So a session has at most one
 *   rotation in any 30 s, and "the one before" covers every token that was good 30 s ago (quick reloads, several tabs).
 * - `repeat`: it is the one before, spent less than 30 s ago: answer the same successor as the first time.
 * - `reuse`: it was spent longer ago: somebody holds a copy, so the session ends for both.
 * - `refuse`: the session is over.
 */
export type RefreshDecision = "rotate" | "keep" | "repeat" | "reuse" | "refuse";

/** Decides by the locked row. `now` in milliseconds. */
export function decideRefresh(
  session: SessionState | undefined,
  presentedHash: string,
  now: number,
): RefreshDecision {
  if (!session?.is_active || session.ended_at !== null) return "refuse";
  if (Date.parse(session.expires_at) <= now) return "refuse";
  const isGrace = session.rotated_at !== null && now - Date.parse(session.rotated_at) < REFRESH_GRACE_MS;
  if (presentedHash === session.token_hash) return isGrace ? "keep" : "rotate";
  return isGrace && presentedHash === session.previous_token_hash ? "repeat" : "reuse";
}

import type { Actor, SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Floor } from "#server/floor.ts";
import type { AccountDeps } from "../deps.ts";
import { findConfirmedAt, findFactorShownAt } from "./store.ts";

/** How long a log-in, or a confirmation, is good for what asks for a recent one. */
export const RECENT_MS = 10 * 60_000;

/**
 * Before what somebody who finds a browser open must not do: the person has shown within ten minutes that it is them
 * (`POST /api/users/confirm/`). The access token says when in `auth_time`, in seconds; the session decides.
 * @throws AppError step_up_required.
 */
export async function requireRecent(
  { pool, clock }: { pool: Queryable; clock: AccountDeps["clock"] },
  person: SignedIn,
): Promise<void> {
  const isRecent = (at: number | undefined) => at !== undefined && Math.abs(clock() - at) < RECENT_MS;
  if (isRecent(person.confirmedAt)) return;
  // Perhaps just now, and the session was looked up before.
  if (!isRecent(await findConfirmedAt(pool, person.sessionId))) throw new AppError("step_up_required");
}

/**
 * Before a protected account's factors change: whoever has learnt the password must not put a factor of their own beside the person's,
 * nor take theirs away. Within the same ten minutes one of the factors was shown: at the log-in, or since.
 * @throws AppError step_up_required with `needs_factor`.
 */
export async function requireRecentFactor(
  { pool, clock }: { pool: Queryable; clock: AccountDeps["clock"] },
  person: SignedIn,
): Promise<void> {
  const at = await findFactorShownAt(pool, person.sessionId);
  if (at === undefined || Math.abs(clock() - at) >= RECENT_MS)
    throw new AppError("step_up_required", { extra: { needs_factor: true } });
}

const isSignedIn = (actor: Actor): actor is SignedIn => "sessionId" in actor;

/** The same for other subjects. The server itself and its command line are never asked; whoever has no session can't be let through. */
export function createRequireRecent({
  pool,
  clock,
}: Pick<AccountDeps, "pool" | "clock">): Floor["requireRecent"] {
  return async (actor, db = pool) => {
    if (actor.userId === null) return;
    if (!isSignedIn(actor)) throw new AppError("step_up_required");
    await requireRecent({ pool: db, clock }, actor);
  };
}

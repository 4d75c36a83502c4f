import type { Queryable } from "../../db/pool.ts";
import { type LeasedMessage, selectLeaseMoment } from "./lease-store.ts";

/** Where other processes send too, a mail isn't handed over by a lease that is older: the rest is for clocks and for what is on the wire. */
const BELIEF_MS = 8_000;

/** Another process may send the mail by now: nothing is written down of this attempt. */
class LeaseOverError extends Error {
  override name = "LeaseOverError";
}

/** By the clocks of this process. While a machine sleeps the steady one stands still, and that on the wall may. */
export interface OwnMoment {
  steadyMs: number;
  wallMs: number;
}

/** A mail in hand. */
export interface Hold {
  attempts: number;
  /** When the lease was given: by the own clocks before it was asked for, and by the database's, which goes on. */
  since: OwnMoment & { databaseMs: number };
  /** Aborted once it is lost, or may be. */
  ended: AbortController;
  work: Promise<void>;
}

/** Ends a hold that is old by any clock, of which another process may have the mail. `at`: of the database's clock, where it was asked. */
export function endIfOver({ since, ended }: Hold, { steadyMs, wallMs }: OwnMoment, at?: string): void {
  const databaseMs = at === undefined ? since.databaseMs : Date.parse(at);
  const ageMs = Math.max(steadyMs - since.steadyMs, wallMs - since.wallMs, databaseMs - since.databaseMs);
  if (ageMs > BELIEF_MS) ended.abort(new LeaseOverError("the lease of the mail is over"));
}

/** Before each hand-over: ends a hold of which another process has the mail, or may have it. */
export async function checkHold(
  db: Queryable,
  row: LeasedMessage,
  hold: Hold,
  toMoment: () => OwnMoment,
): Promise<void> {
  const at = await selectLeaseMoment(db, row);
  if (at === undefined) hold.ended.abort(new LeaseOverError("another process has the mail"));
  endIfOver(hold, toMoment(), at);
}

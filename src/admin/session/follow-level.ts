import type { QueryClient } from "@tanstack/react-query";
import type { Session } from "#providers/http/session.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { FACTOR_DUE } from "#providers/refine/permissions.ts";

/** A screen of refused calls asks once. */
const ASK_INTERVAL_MS = 10_000;
const FORBIDDEN = 403;

const isFactorDue = (error: unknown) => isDataError(error) && error.code === FACTOR_DUE;
const isForbidden = (error: unknown) => isDataError(error) && error.statusCode === FORBIDDEN;

interface FollowedLevel {
  queryClient: QueryClient;
  session: Pick<Session, "subscribe" | "getAuthState" | "restore">;
  /** Of the person when the console was drawn. */
  level: number;
  /** The person has another level now, or owes a second factor: what the console offers is no longer what they may do. */
  onChange: () => void;
  now?: () => number;
}

/**
 * Permissions are asked for once, at the start. Where the server then refuses what the console offered, the person's level may
 * have changed meanwhile: it is asked for again, and a new one means a new start. Gives the way to stop.
 */
export function followLevel({ queryClient, session, level, onChange, now = Date.now }: FollowedLevel) {
  let askedAt = Number.NEGATIVE_INFINITY;

  function compare(): void {
    const current = session.getAuthState()?.user.access_level;
    if (current !== undefined && current !== level) onChange();
  }

  function onError(error: unknown): void {
    if (isFactorDue(error)) {
      // The level is the same; the time to set a second factor up is over.
      onChange();
      return;
    }
    if (!isForbidden(error) || now() - askedAt < ASK_INTERVAL_MS) return;
    askedAt = now();
    // This notifies `compare`. A server that can't be asked is no news; the screen has shown its refusal.
    session.restore().catch((failure: unknown) => console.warn("The access level is not known.", failure));
  }

  const stops = [
    session.subscribe(compare),
    queryClient.getQueryCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "error") onError(event.action.error);
    }),
    queryClient.getMutationCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "error") onError(event.action.error);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

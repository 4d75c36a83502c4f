import type { OwnProfile } from "#contract/accounts/own-account.ts";
import type { Http } from "#providers/http/http.ts";
import { fetchProfile } from "./profile-call.ts";

let early: Promise<OwnProfile> | null = null;

/** Asks for the own profile while it is still being found out whose it is: one round trip less to wait for. */
export function askEarly(http: Http): void {
  early = fetchProfile(http);
  // Whoever takes it hears of it; who is led to the log-in page needs not.
  early.catch(() => undefined);
}

/** What was asked for before, if it is this person's; else, and from then on, a call of its own. */
export async function takeProfile(http: Http, username: string): Promise<OwnProfile> {
  const asked = early;
  early = null;
  const profile = await asked;
  return profile?.username === username ? profile : fetchProfile(http);
}

import type { Recording } from "./recording.ts";

const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const MOMENT = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const IP_ADDRESS = /\b127\.0\.0\.1\b|::1\b/g;
const FIRST_MS = Date.UTC(2026, 0, 1);

/** Gives each distinct value a stand-in, everywhere the same: what one answer said and a later request says back still match. */
function createStandIns(make: (count: number) => string): (found: string) => string {
  const known = new Map<string, string>();
  return (found) => {
    const standIn = known.get(found) ?? make(known.size + 1);
    known.set(found, standIn);
    return standIn;
  };
}

/**
 * Takes out of a recording what is secret or differs from run to run: tokens, passwords, moments, addresses of machines.
 * Moments keep no order but that of their first appearance.
 */
export function scrub(recording: Recording, secrets: Readonly<Record<string, string>>): Recording {
  const toToken = createStandIns((count) => `access-token-${count}`);
  const toRefresh = createStandIns((count) => `refresh-token-${count}`);
  const toMoment = createStandIns((count) => new Date(FIRST_MS + count * 1000).toISOString());
  let text = JSON.stringify(recording);
  for (const [secret, standIn] of Object.entries(secrets)) text = text.replaceAll(secret, standIn);
  text = text
    .replace(
      /("(?:refresh|refresh_token)":")([^"]+)/g,
      (_all, key: string, token: string) => key + toRefresh(token),
    )
    .replace(/("request_id":")[^"]+/g, "$1request")
    .replace(JWT, toToken)
    .replace(MOMENT, toMoment)
    .replace(IP_ADDRESS, "192.0.2.1");
  return JSON.parse(text);
}

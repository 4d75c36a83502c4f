import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { FastifyRequest } from "fastify";
import type { PasskeyAssertion, PasskeyRegistration } from "#contract/accounts/second-factor-requests.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toOrigin } from "#server/http/request.ts";
import type { AccountDeps } from "../deps.ts";
import { lockPasskey, notePasskeyUse, type PasskeyKey, type StoredPasskey } from "./store.ts";

/** The site as WebAuthn knows it. */
export interface RelyingParty {
  /** The host's name; passkeys belong to it. */
  id: string;
  origin: string;
}

/** Undefined where browsers have no passkeys: at an IP address, and without HTTPS but on the machine itself. */
export function toRelyingParty(
  request: Pick<FastifyRequest, "host" | "protocol">,
  publicUrl: string | undefined,
): RelyingParty | undefined {
  const { hostname, protocol, origin } = new URL(toOrigin(request, publicUrl));
  if (isIP(hostname) !== 0 || hostname.startsWith("[")) return undefined;
  const isSecure = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
  return isSecure ? { id: hostname, origin } : undefined;
}

/** A quarter of a second to load, so only for who has to do with a passkey. */
const load = () => import("@simplewebauthn/server");

/** EdDSA, ES256 and RS256 (IANA COSE): what authenticators have. The library would add one that Node calls an experiment. */
const ALGORITHMS = [-8, -7, -257];

/** How long a browser shows its question. */
const ASKED_MS = 5 * 60_000;

/** For `navigator.credentials.create`. Each key is one that also signs in alone: found without a name, behind a finger or PIN. */
export async function buildRegistrationOptions(
  site: RelyingParty,
  person: { userId: number; username: string; displayName: string },
  known: readonly StoredPasskey[],
) {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: "Foyer",
    rpID: site.id,
    userID: Buffer.from(String(person.userId)),
    userName: person.username,
    userDisplayName: person.displayName,
    timeout: ASKED_MS,
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** For `navigator.credentials.get`; without `known` the browser offers every passkey that it has for the site. */
export async function buildAssertionOptions(site: RelyingParty, known: readonly StoredPasskey[] = []) {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: site.id,
    timeout: ASKED_MS,
    userVerification: "required",
    allowCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
  });
}

/** The key of a registration that was asked for; undefined where the answer isn't one. */
export async function readRegistration(
  site: RelyingParty,
  challenge: string,
  given: PasskeyRegistration,
): Promise<(Omit<PasskeyKey, "id" | "user_id"> & { isSynced: boolean }) | undefined> {
  const { verifyRegistrationResponse } = await load();
  const verified = await verifyRegistrationResponse({
    response: given as RegistrationResponseJSON, // of the same shape; the library's type has narrower texts
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(toUnverified);
  if (!verified.verified || !verified.registrationInfo) return undefined;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: given.response.transports ?? [],
    isSynced: credentialBackedUp,
  };
}

/** The library says by throwing what of an answer doesn't fit. */
function toUnverified(error: unknown): {
  verified: false;
  registrationInfo?: never;
  authenticationInfo?: never;
} {
  if (error instanceof Error) return { verified: false };
  throw error;
}

/**
 * Whose passkey answered a challenge; undefined where the answer isn't one, or nobody's, or not `ownerId`'s (null: whoever it is). A count
 * that doesn't grow is that of a copy, and refused.
 */
export async function checkAssertion(
  { clock }: AccountDeps,
  db: Queryable,
  site: RelyingParty,
  challenge: string,
  given: PasskeyAssertion,
  ownerId: number | null,
): Promise<PasskeyKey | undefined> {
  const key = await lockPasskey(db, given.id, ownerId);
  if (!key) return undefined;
  const { verifyAuthenticationResponse } = await load();
  const verified = await verifyAuthenticationResponse({
    response: given as AuthenticationResponseJSON, // as above
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: key.credential_id,
      publicKey: Buffer.from(key.public_key, "base64url"),
      counter: key.counter,
      transports: key.transports,
    },
  }).catch(toUnverified);
  if (!verified.verified || !verified.authenticationInfo) return undefined;
  const { newCounter: counter, credentialBackedUp: isSynced } = verified.authenticationInfo;
  await notePasskeyUse(db, key.id, { counter, isSynced, now: clock() });
  return key;
}

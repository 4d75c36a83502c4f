import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { AccountDeps } from "../deps.ts";
import type { Visitor } from "../sessions/devices.ts";
import type { Credentials } from "../store.ts";
import { buildAssertionOptions, type RelyingParty } from "./passkeys.ts";
import { findFactors, isProtected } from "./store.ts";
import { toPasswordMark } from "./tickets.ts";

/**
 * After the right password: goes on where the account has nothing else before it.
 * @throws AppError second_factor_required, with what the browser needs to ask for it.
 */
export async function requireNoFactor(
  { tickets }: AccountDeps,
  db: Queryable,
  compared: Credentials,
  { site, area }: { site: RelyingParty | undefined; area: Visitor["area"] },
): Promise<void> {
  const factors = await findFactors(db, compared.id);
  if (!isProtected(factors)) return;
  const options =
    site && factors.passkeys.length > 0 ? await buildAssertionOptions(site, factors.passkeys) : null;
  const ticket = tickets.issue({
    purpose: "second_factor",
    userId: compared.id,
    passwordMark: toPasswordMark(compared.password_hash),
    challenge: options?.challenge ?? null,
    area,
  });
  throw new AppError("second_factor_required", {
    extra: {
      second_factor: {
        ticket,
        has_app: factors.app_since !== null,
        has_recovery_codes: factors.recovery_codes_left > 0,
        passkey_options: options,
      },
    },
  });
}

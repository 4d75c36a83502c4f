import type { FastifyRequest } from "fastify";
import {
  findCodeFaults,
  findEmailFaults,
  findNewPasswordFaults,
  findRegistrationFaults,
  trimRegistration,
} from "#contract/accounts/account-rules.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import { toNamedValues } from "#server/http/request.ts";

/** The body's texts, "" for what is missing; undefined when one is no text, which is for the schema to say. */
function readTexts<Field extends string>(
  body: unknown,
  fields: readonly Field[],
): Record<Field, string> | undefined {
  const given = toNamedValues(body);
  const texts = fields.map((field) => [field, given[field] ?? ""] as const);
  return texts.every(([, value]) => typeof value === "string")
    ? (Object.fromEntries(texts) as Record<Field, string>) // every value was just seen to be a text
    : undefined;
}

/** A hook that runs before the schema: the documented texts of specification A section 5, all faults at once. */
function requireNoFaults<Field extends string>(
  fields: readonly Field[],
  find: (values: Record<Field, string>) => readonly FieldFault[],
) {
  return async (request: FastifyRequest): Promise<void> => {
    const values = readTexts(request.body, fields);
    const faults = values ? find(values) : [];
    if (faults.length > 0) throw new AppError("validation_failed", { fields: faults });
  };
}

/** Blank fields of a log-in. */
export async function requireCredentials(request: FastifyRequest): Promise<void> {
  const body = toNamedValues(request.body);
  const isBlank = (value: unknown) => (typeof value === "string" ? value.trim() : (value ?? "")) === "";
  const fields = ["username", "password"]
    .filter((field) => isBlank(body[field]))
    .map((field) => ({ field, code: `${field}_required` }));
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
}

export const requireRegistration = requireNoFaults(
  ["username", "email", "password", "password_confirm"],
  (values) => findRegistrationFaults(trimRegistration(values)),
);

export const requireEmail = requireNoFaults(["email"], ({ email }) => findEmailFaults(email.trim()));

/** Whoever followed the link of a mail types no digits. */
const findShownFaults = ({ email, otp_code, proof }: Record<"email" | "otp_code" | "proof", string>) => [
  ...findEmailFaults(email.trim()),
  ...(proof === "" ? findCodeFaults(otp_code.trim()) : []),
];

export const requireCode = requireNoFaults(["email", "otp_code", "proof"], findShownFaults);

export const requireReset = requireNoFaults(
  ["email", "otp_code", "proof", "password", "password_confirm"],
  ({ password, password_confirm, ...shown }) => [
    ...findShownFaults(shown),
    ...findNewPasswordFaults(
      { password, repeated: password_confirm },
      { password: "password", repeated: "password_confirm" },
    ),
  ],
);

export const requirePasswordChange = requireNoFaults(
  ["current_password", "new_password", "new_password_confirm"],
  ({ current_password, new_password, new_password_confirm }) => [
    ...(current_password === "" ? [{ field: "current_password", code: "password_required" }] : []),
    ...findNewPasswordFaults(
      { password: new_password, repeated: new_password_confirm },
      { password: "new_password", repeated: "new_password_confirm" },
    ),
  ],
);

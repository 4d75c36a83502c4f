import { AppError } from "#server/base/errors.ts";

const FAULT_BY_CONSTRAINT: Record<string, { field: string; code: string }> = {
  account_user_username: { field: "username", code: "username_taken" },
  account_user_email: { field: "email", code: "email_taken" },
};

/** PostgreSQL's refusal of a taken username or proven address, as that field's fault; anything else as it is. */
export function toTakenError(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string }; // pg's errors carry these, others none
  const fault = code === "23505" ? FAULT_BY_CONSTRAINT[constraint ?? ""] : undefined;
  return fault ? new AppError("validation_failed", { fields: [fault], cause: error }) : error;
}

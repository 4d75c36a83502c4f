import { isNativeError } from "node:util/types";

/** A start that failed for a reason the owner can act on: `message` is printed to the terminal as it stands. */
export class DatabaseStartError extends Error {
  override name = "DatabaseStartError";
}

/** Wraps what was not foreseen (a full disk, a folder without permission) so that callers meet one error type. */
export function toStartError(error: unknown): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error;
  const text = isNativeError(error) ? error.message : String(error);
  const isClosed = ["EACCES", "EPERM"].includes(getErrorCode(error) ?? "");
  const advice = isClosed ? "\nStart Foyer as the user who owns this folder, or as root." : "";
  return new DatabaseStartError(`The embedded database could not start: ${text}${advice}`, { cause: error });
}

/** The system's error code (`ENOENT`, `EACCES`…) or PostgreSQL's SQLSTATE, where the error carries one. */
export function getErrorCode(error: unknown): string | undefined {
  // Not `instanceof Error`: under Jest errors of Node itself come from another realm.
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

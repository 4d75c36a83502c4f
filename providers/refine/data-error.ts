import type { HttpError } from "@refinedev/core";
import type { StaleWrite } from "#contract/content/objects.ts";
import type { FieldError } from "#contract/errors.ts";

/** A failed call as Refine knows it, with the documented code and field errors beside it. */
export interface DataError extends HttpError {
  code: string;
  fieldErrors: FieldError[];
  /** What a refused stale write says of the object as it is now. */
  stale?: StaleWrite;
}

export function isDataError(error: unknown): error is DataError {
  return typeof error === "object" && error !== null && "statusCode" in error && "fieldErrors" in error;
}

/** Answers that stay the same however often one asks. */
export function isFinal(error: unknown): boolean {
  return isDataError(error) && error.statusCode < 500;
}

/** The server says that this may not be read any more; what was read before has to go too. */
export function isRefusal(error: unknown): boolean {
  return isDataError(error) && [401, 403, 404].includes(error.statusCode);
}

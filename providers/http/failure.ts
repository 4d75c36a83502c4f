import * as z from "zod/mini";
import type { FieldError } from "#contract/errors.ts";

/** The documented message where an answer has none (specification A section 8). */
export const UNKNOWN_ERROR = "Unknown error occurred";

const BAD_REQUEST = 400;
const INVALID = "invalid";

const text = z.optional(z.catch(z.string(), ""));
const envelope = z.object({ detail: text, error: text, message: text, code: text });
/** A schema for it would be the largest one of the public pages. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of the envelope; whatever else stands in the body of a 400 is a field's name. */
const ENVELOPE = new Set([
  ...["detail", "error", "message", "code", "status", "errors"],
  ...["request_id", "success", "details"],
]);
/** What other back ends call faults that belong to no field. */
const NO_FIELD = new Set(["non_field_errors", "__all__", "detail"]);

const join = (path: string, name: string) =>
  NO_FIELD.has(name) ? path : [path, name].filter(Boolean).join(".");

/** `{ "label": { "tr": ["Too long"] } }`, at whatever depth, and lists of the documented `{ field, code, message }`. */
function readFaults(value: unknown, path = ""): FieldError[] {
  if (typeof value === "string") return value === "" ? [] : [{ field: path, code: INVALID, message: value }];
  if (Array.isArray(value)) {
    // Texts are faults of one field; objects are those of its rows, of which a right one is empty.
    return value.flatMap((item, at) =>
      readFaults(item, typeof item === "string" || isFault(item) ? path : join(path, String(at))),
    );
  }
  if (isFault(value))
    return [
      { field: String(value.field ?? path), code: String(value.code ?? INVALID), message: value.message },
    ];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, faults]) => readFaults(faults, join(path, name)));
}

function isFault(value: unknown): value is { message: string; field?: unknown; code?: unknown } {
  return (
    typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"
  );
}

function readErrors(status: number, body: unknown): FieldError[] {
  if (!isRecord(body)) return status === BAD_REQUEST ? readFaults(body) : [];
  const stated = readFaults(body.errors);
  if (stated.length > 0 || status !== BAD_REQUEST) return stated;
  // A field may be called "message": a list of texts is no envelope's.
  const isFieldsOwn = ([name, value]: [string, unknown]) => !ENVELOPE.has(name) || Array.isArray(value);
  return readFaults(Object.fromEntries(Object.entries(body).filter(isFieldsOwn)));
}

const toText = ({ field, message }: FieldError) => (field === "" ? message : `${field}: ${message}`);

export interface Failure {
  message: string;
  code: string;
  errors: FieldError[];
}

/**
 * Reads the documented error out of whatever a failed call answered: an envelope with words of its own (specification A section
 * 8), or a 400 that says in its body alone what is wrong with which field, as other back ends do.
 */
export function readFailure(status: number, body: unknown): Failure {
  const { detail, error, message, code } = envelope.safeParse(body).data ?? {};
  const errors = readErrors(status, body);
  return {
    message: detail || error || message || errors.map(toText).join(" ") || UNKNOWN_ERROR,
    code: code || error || "unknown",
    errors,
  };
}

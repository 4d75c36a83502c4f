import type { Exchange, Recording } from "./recording.ts";

/** What the specification's entities have (B section 3); the recording's rows have more. */
const MODEL_KEYS = new Set([
  "app_label",
  "model_name",
  "verbose_name",
  "count",
  "content_type_id",
  "has_timestamps",
  "fields",
]);
const FIELD_KEYS = new Set(["name", "verbose_name", "type", "help_text"]);

/** Foyer's own beside the documented names, wherever they stand. */
const EXTRAS = new Set([
  // of users
  "last_login",
  // of pages
  ...["count_is_estimate", "next_cursor"],
  // of rows, access levels and actions
  ...["repr", "translations", "detail", "object_id", "changes"],
  // of bulk answers, the dashboard, health
  ...["refusals", "job", "new_users", "new_actions", "activity"],
  ...["node_version", "database_version", "availability", "history", "outbox"],
  // of mail
  ...["hard_bounced", "settled", "delivered_is_accepted"],
]);

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const pick = (entry: Json, keys: ReadonlySet<string>): Json =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => keys.has(key)));

/** Leaves of an answer what the specification names. */
function toDocumented(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toDocumented);
  if (!isObject(value)) return value;
  if ("app_label" in value && "fields" in value && Array.isArray(value.fields)) {
    const fields = value.fields.filter(isObject).map((field) => pick(field, FIELD_KEYS));
    return { ...pick(value, MODEL_KEYS), fields };
  }
  // Documented of access levels, and not of users.
  const isExtra = (key: string) => EXTRAS.has(key) || (key === "is_active" && "username" in value);
  const kept = Object.entries(value).filter(([key]) => !isExtra(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, toDocumented(part)]));
}

const NOT_FOUND = { status: 404, headers: {}, body: { detail: "Not found." } };

function impoverish({ request, response }: Exchange): Exchange {
  // Both calls are Foyer's own.
  if (/^\/api\/admin\/(permissions|jobs|exports)\//.test(request.path))
    return { request, response: NOT_FOUND };
  const { body, status } = response;
  return {
    request,
    response: { status, headers: {}, ...(body !== undefined && { body: toDocumented(body) }) },
  };
}

/** The recording of a back end that offers the documented calls and nothing of Foyer's: no permissions call, no ETags, no extras. */
export function toPoorerBackEnd(recording: Recording): Recording {
  return recording.map(impoverish);
}

/** The same back end with other words for what is allowed. */
export function withAnswer(recording: Recording, path: string, response: Exchange["response"]): Recording {
  return recording.map((exchange) =>
    exchange.request.path.startsWith(path) ? { ...exchange, response } : exchange,
  );
}

import type * as z from "zod/mini";
import type { ChannelReason } from "#contract/socket.ts";

type Read = { isValid: true; payload: unknown } | { isValid: false; reason: ChannelReason };

/** What stands at a path, undefined where nothing does. */
function readAt(payload: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      // Anything with properties; what was sent is JSON, and has none of its own making.
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[name] : undefined,
    payload,
  );
}

function isMissing(payload: unknown, { path }: { path: readonly PropertyKey[] }): boolean {
  return path.length === 0 || readAt(payload, path) === undefined;
}

/**
 * Checks an event's payload.
 * @returns the payload, or the documented reason: a field that isn't there goes before one that is wrong.
 */
export function readPayload(
  schema: z.ZodMiniType,
  payload: unknown,
  invalid: ChannelReason = "missing_required_fields",
): Read {
  const result = schema.safeParse(payload);
  if (result.success) return { isValid: true, payload: result.data };
  const hasGap = result.error.issues.some((issue) => isMissing(payload, issue));
  return { isValid: false, reason: hasGap ? "missing_required_fields" : invalid };
}

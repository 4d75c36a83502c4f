import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type * as z from "zod";
import { ReportRefusedError } from "../refusals.ts";

const hash = (text: string) => createHash("sha256").update(text).digest();

/** Takes the same time wherever the two differ, and whatever their lengths are. */
export function isSameSecret(given: string, own: string): boolean {
  return timingSafeEqual(hash(given), hash(own));
}

/** HMAC-SHA256 of the parts, one behind the other, in lower-case hexadecimal digits. */
export function signHex(key: string, ...parts: (string | Buffer)[]): string {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}

/** Any JSON. @throws ReportRefusedError 400 */
export function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch {
    throw new ReportRefusedError(400, "noJson");
  }
}

/** The value without whatever the schema doesn't name. @throws ReportRefusedError 400 that names the first fault */
export function parseShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ReportRefusedError(400, "shape", {
    field: issue?.path.join(".") || "The body",
    fault: issue?.message ?? "wrong",
  });
}

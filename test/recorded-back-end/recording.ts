import * as z from "zod";

/** One request and its answer. Bodies are JSON values, or the text of what isn't JSON. */
const exchange = z.object({
  request: z.object({ method: z.string(), path: z.string(), body: z.optional(z.unknown()) }),
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.optional(z.unknown()),
  }),
});
export type Exchange = z.infer<typeof exchange>;

export const recording = z.array(exchange);
export type Recording = readonly Exchange[];

/** Headers of answers that the console reads. */
export const KEPT_HEADERS = ["ETag", "Retry-After", "X-Export-Id"];

export function toName({ method, path, body }: Exchange["request"]): string {
  return `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

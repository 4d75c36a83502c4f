import * as z from "zod";

/** A collector of OpenTelemetry. */
export interface OtlpConfig {
  /** Without `/v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
}

export const otlpEndpoint = z.url({
  protocol: /^https?$/,
  error: "must be the address of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318",
});

/** The name of a header (RFC 9110, 5.1), and a value as in W3C's baggage. */
const HEADER = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*((?:[\x21-\x24\x26-\x7e]|%[\da-f]{2})+)$/i;

/** `name=value` with commas between them; signs that mean something there as `%2C`. */
export const otlpHeaders = z.string().transform((text, context): Record<string, string> => {
  const parts = text.split(",").map((part) => part.trim());
  const pairs = parts.filter(Boolean).map((part) => HEADER.exec(part));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (!pair) throw new URIError("no header");
        return [pair[1], decodeURIComponent(pair[2] ?? "")];
      }),
    );
  } catch {
    const message = "must be name=value, with commas between them and signs such as , as %2C";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
});

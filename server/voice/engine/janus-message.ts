import * as z from "zod/mini";

/** What a plugin says. Its own errors come as a success of the request that carried them. */
const pluginData = z.looseObject({
  error_code: z.optional(z.number()),
  error: z.optional(z.string()),
});
export type PluginData = z.infer<typeof pluginData>;

/** A message of Janus' WebSocket API, as far as Foyer reads it (https://janus.conf.meetecho.com/docs/rest.html). */
const janusMessage = z.object({
  /** `success`, `error`, `ack`, `event`, or what has happened to a handle: `hangup`, `detached`, `webrtcup`… */
  janus: z.string(),
  /** As the request had it; what happens by itself has none. */
  transaction: z.optional(z.string()),
  /** The handle it is about. */
  sender: z.optional(z.number()),
  data: z.optional(z.object({ id: z.number() })),
  plugindata: z.optional(z.object({ data: pluginData })),
  jsep: z.optional(z.object({ type: z.string(), sdp: z.string() })),
  error: z.optional(z.object({ code: z.number(), reason: z.string() })),
});
export type JanusMessage = z.infer<typeof janusMessage>;

/** Undefined: nothing of the protocol. */
export function parseJanusMessage(text: string): JanusMessage | undefined {
  try {
    return janusMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Codes of Janus and of its AudioBridge. */
export const JANUS_CODES = {
  /** The secret is wrong or missing. */
  unauthorized: 403,
  noSuchPlugin: 460,
  noSuchRoom: 485,
} as const;

/** Janus refuses, doesn't answer in time, or is gone. */
export class JanusError extends Error {
  /** Janus' own; undefined where it has said nothing. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.name = "JanusError";
    this.code = code;
  }
}

/** @throws JanusError where Janus or the plugin refuses. */
export function requireSuccess(message: JanusMessage): JanusMessage {
  if (message.error) throw new JanusError(message.error.reason, message.error.code);
  const { error_code, error } = message.plugindata?.data ?? {};
  if (error_code !== undefined) throw new JanusError(error ?? "refused", error_code);
  return message;
}

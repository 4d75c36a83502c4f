/** Where the socket is: `/socket/websocket` and `/socket/longpoll`, Phoenix Channels protocol. */
export const SOCKET_PATH = "/socket";

/** What a client keeps to (specification B section 9). Milliseconds. */
export const SOCKET_CLIENT = {
  timeoutMs: 10_000,
  heartbeatMs: 30_000,
  /** Before a refused or crashed channel is joined again; the last one repeats. */
  rejoinAfterMs: [1000, 2000, 5000, 10_000],
  /** Before a lost connection is opened again; the last one repeats. */
  reconnectAfterMs: [10, 50, 100, 150, 200, 250, 500, 1000, 2000, 5000],
  /** A WebSocket that has not answered by then gives way to long polling. */
  longPollFallbackMs: 5000,
} as const;

/** What the server holds a connection to. */
export const SOCKET_LIMITS = {
  /** A larger message closes the connection with 1009. */
  maxFrameBytes: 65_536,
  /**
   * Without a message from the client for so long, it closes with 1002. Browsers wake a hidden page once a minute, so that a
   * heartbeat of 30 s comes after 60.
   */
  idleTimeoutMs: 90_000,
  /** One more is refused with "too many channels joined". */
  maxChannels: 100,
  /** A client that reads slower than it is written to is cut off above this. */
  maxBufferedBytes: 1_048_576,
  /** Messages at once; a newcomer to a full voice room needs 300 in two seconds. */
  messageBurst: 600,
  messagesPerS: 100,
  /** Handshakes of one address in a minute: an office that comes back after a restart, not a client that never rests. */
  handshakesPerMinute: 600,
  /** Connections of one person. */
  maxConnectionsPerPerson: 50,
} as const;

/** Why a join or an event is refused: `reason` in the answer (specification B section 8, and one more). */
export const CHANNEL_REASONS = [
  "invalid_candidate_string",
  "invalid_offer_format",
  "invalid_answer_format",
  "invalid_candidate_format",
  "unsupported_version",
  "missing_required_fields",
  "unknown_event_type",
  "room_not_found",
  "unauthorized",
  "failed_to_join_room",
  "not_participant",
  // Foyer's own: more lines in a room's text than one may write.
  "too_many_messages",
] as const;
export type ChannelReason = (typeof CHANNEL_REASONS)[number];

/** Reasons that trying again doesn't change: the client leaves the channel, or it would join again for ever. */
export const FINAL_REASONS: ReadonlySet<string> = new Set<ChannelReason | "unmatched topic">([
  "unmatched topic",
  "room_not_found",
  "unauthorized",
  "failed_to_join_room",
  "unsupported_version",
]);

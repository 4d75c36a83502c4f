/** Who a write is attributed to. The command line and the server itself have no user: "System". */
export interface Actor {
  userId: number | null;
  username: string | null;
  level: number;
  ipAddress: string | null;
  requestId: string | null;
  /** The bulk operation that the write is part of: its audit entries stand under the first of them. */
  batchId?: string;
}

export const SYSTEM_ACTOR: Actor = {
  userId: null,
  username: null,
  level: 999,
  ipAddress: null,
  requestId: null,
};
/** The signed-in person of a request. `sessionId` is the session that the access token names. */
export interface SignedIn extends Actor {
  userId: number;
  username: string;
  sessionId: string;
}

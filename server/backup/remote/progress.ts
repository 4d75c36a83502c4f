const MINUTE_MS = 60_000;

/** Of a transfer: a server may keep the connection and take nothing. One that is slow moves a piece in that time. */
export const STALL_LIMIT_MS = 5 * MINUTE_MS;
/** Of a question that carries no backup: a server that hangs holds no stop of the site. */
export const CALL_LIMIT_MS = MINUTE_MS / 2;

export interface ProgressWatch {
  /** Aborted, with an Error for the owner as its reason, once nothing has moved for the whole limit. */
  signal: AbortSignal;
  /** Something has moved: the limit begins anew. */
  moved(): void;
  close(): void;
}

/** What the owner is told. */
export function toStallFault(limitMs: number): Error {
  const time = limitMs < MINUTE_MS ? `${limitMs / 1000} seconds` : `${limitMs / MINUTE_MS} minutes`;
  return new Error(
    `Nothing moved for ${time}, though the connection is open. Is the disk there full, or the server too busy?`,
  );
}

/** Watches work that may take as long as it likes while it moves. */
export type WatchProgress = (limitMs: number) => ProgressWatch;

export const watchProgress: WatchProgress = (limitMs) => {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(toStallFault(limitMs)), limitMs).unref();
  return { signal: stalled.signal, moved: () => void timer.refresh(), close: () => clearTimeout(timer) };
};

import type { IceServer } from "#contract/voice-rooms.ts";

/** Relays are asked for new credentials this long before theirs expire. */
const AHEAD_MS = 60_000;
/** What a renewal brings is good for longer; a failed one is tried again as soon. */
const RENEWED_MS = 10 * 60_000;

/** Helpers of connections (STUN, TURN), with credentials that are good by now. */
export class IceServers {
  #servers: readonly IceServer[] = [];
  #expiresAt = Number.POSITIVE_INFINITY;
  readonly #fetch: () => Promise<readonly IceServer[]>;

  constructor(fetch: () => Promise<readonly IceServer[]>) {
    this.#fetch = fetch;
  }

  /** `expiresAt`: ISO moment; null where nothing expires. */
  take(servers: readonly IceServer[], expiresAt: string | null): void {
    this.#servers = servers;
    this.#expiresAt = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  }

  get hasRelay(): boolean {
    return this.#servers.some(({ urls }) => urls.some((url) => /^turns?:/.test(url)));
  }

  list(): RTCIceServer[] {
    return this.#servers.map(({ urls, username, credential }) => ({
      urls: [...urls],
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    }));
  }

  /** A relay refuses what has expired, so new credentials come before a connection is made anew. Does nothing until then. */
  async renew(): Promise<void> {
    if (Date.now() < this.#expiresAt - AHEAD_MS) return;
    this.#expiresAt = Date.now() + AHEAD_MS + RENEWED_MS;
    try {
      this.#servers = await this.#fetch();
    } catch (error) {
      this.#expiresAt = Date.now() + 2 * AHEAD_MS;
      console.warn("New relay credentials could not be fetched.", error);
    }
  }
}

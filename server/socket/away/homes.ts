import { LRUCache } from "lru-cache";

/** What the socket needs of the other processes of its site; `server/cluster` has it. */
export interface ProcessLink {
  readonly self: string;
  /** Whether this process is heard by the others. */
  readonly isIn: boolean;
  /** Addresses of all that are there, this one too. */
  list(): readonly string[];
  /** Which of those that aren't about to stop keeps what has this name: all that know the same processes say the same. An address. */
  findHome(name: string): string;
  /** Of one sender to one address in order. @returns false: it isn't there, and gets nothing */
  send(to: string, kind: string, body: unknown): boolean;
  sendToAll(kind: string, body: unknown): void;
  on(kind: string, handler: (body: unknown, from: string) => void): void;
  /** @returns what the other one's `answer` gave. Rejects where it is gone, or says nothing. */
  ask(to: string, kind: string, body: unknown, timeoutMs?: number): Promise<unknown>;
  answer(kind: string, answerer: (body: unknown) => Promise<unknown>): void;
  onChange(listener: () => void): void;
  onGone(listener: (address: string) => void): void;
  /** This process is about to stop. */
  retire(): void;
}

/** Which process keeps a topic: all that know the same processes say the same. */
export interface Homes {
  /** An address. */
  find(topic: string): string;
  isHere(topic: string): boolean;
  /** Topics may have other homes from now on. */
  onChange(listener: () => void): void;
}

const MAX_KEPT = 10_000;

/** Remembers the latest ones: a hash for each message would be dear. */
export function createHomes(link: ProcessLink): Homes {
  const listeners: (() => void)[] = [];
  const found = new LRUCache<string, string>({ max: MAX_KEPT });
  link.onChange(() => {
    found.clear();
    for (const listener of listeners) listener();
  });

  function find(topic: string): string {
    let home = found.get(topic);
    if (home === undefined) {
      home = link.findHome(topic);
      found.set(topic, home);
    }
    return home;
  }

  return {
    find,
    isHere: (topic) => find(topic) === link.self,
    onChange: (listener) => void listeners.push(listener),
  };
}

import { AsyncLocalStorage } from "node:async_hooks";
import { isIPv4, isIPv6 } from "node:net";
import type { Language } from "#contract/languages.ts";

interface RequestContext {
  id: string;
  /** The request came to another process, or is over: log lines of this work name it themselves. */
  isAway: boolean;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Does work for a request, whose number goes with its mails and with what other processes are asked. Undefined: for none that is known. */
export function runForRequest<Answer>(id: string | undefined, work: () => Answer, isAway = false): Answer {
  return id === undefined ? work() : current.run({ id, isAway }, work);
}

/** The number of the request that this is done for. */
export const getRequestId = (): string | undefined => current.getStore()?.id;

/** The same where the request's own log isn't at hand. */
export function getAwayRequestId(): string | undefined {
  const context = current.getStore();
  return context?.isAway ? context.id : undefined;
}

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
  /** When the person last showed that it is them, in milliseconds since 1970; undefined: ask the session. */
  confirmedAt?: number;
  /** They owe a second factor and let the time pass: `level` is a user's until they have one. */
  owesFactor?: true;
}

/** The reader: decides which fields and rows there are, and in which language they read. `userId` null: the server itself. */
export interface Reader {
  lang: Language;
  level: number;
  userId: number | null;
  /** A public page reads: it shows what declarations say of the site (`site`), and not what `access` opens to a level. */
  isVisitor?: true;
}

export function toVisitor(lang: Language): Reader & { isVisitor: true } {
  return { lang, level: 0, userId: null, isVisitor: true };
}

/** The caller, the language of the answer, and whether they still wait for it. */
export interface Caller {
  actor: Actor;
  lang: Language;
  /** Aborted when the client has gone: what still runs for it is cancelled. */
  signal?: AbortSignal;
}

export function toReader({ actor, lang }: Pick<Caller, "actor" | "lang">): Reader {
  return { lang, level: actor.level, userId: actor.userId };
}

const GROUPS = 8;
const GROUPS_OF_BLOCK = 4;

/** The eight groups of an IPv6 address, `::` filled in. */
function toGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  if (tail === undefined) return first;
  const last = tail === "" ? [] : tail.split(":");
  return [...first, ...Array<string>(Math.max(0, GROUPS - first.length - last.length)).fill("0"), ...last];
}

/**
 * What counts as one address for a limit: an IPv4 address, or the /64 of an IPv6 one, because a household is given at
 * least that much and can change the rest at will. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is that address.
 */
export function toAddressBlock(address: string | null): string {
  if (address === null) return "unknown";
  const plain = address.split("%")[0]?.toLowerCase() ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  if (isIPv4(plain) || !isIPv6(plain)) return plain;
  const groups = toGroups(plain)
    .slice(0, GROUPS_OF_BLOCK)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}

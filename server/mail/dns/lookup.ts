import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type en from "#locales/en/health.json";

export type DomainCheck = "spf" | "dkim" | "dmarc" | "ptr" | "tls" | "mx";

/** Names of texts in `locales/{en,tr}/health.json`: `spf_none`, `dkim_good` … */
export type DomainReason = Extract<keyof typeof en, `${DomainCheck}_${string}`>;

/** A record to publish: to be pasted as it stands. */
export interface DnsRecord {
  name: string;
  type: "TXT" | "MX";
  value: string;
}

/** What a check of the sending domain found. */
export interface DomainFinding {
  check: DomainCheck;
  state: "good" | "warning" | "unknown";
  /** What stands in DNS now, or the server says; null: nothing, or it isn't known. */
  found: string | null;
  publish?: DnsRecord;
  reason: DomainReason;
  /** What the reason's text speaks of. */
  vars?: Record<string, string | number>;
}

/** The questions that `Resolver` of `node:dns/promises` answers. */
export interface DomainResolver {
  resolveTxt(name: string): Promise<string[][]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  resolveMx(name: string): Promise<{ exchange: string; priority: number }[]>;
  reverse(address: string): Promise<string[]>;
}

/** Nobody answered in time, or a name server failed: nothing is known. */
class LookupFailedError extends Error {
  override name = "LookupFailedError";
}

/** Answers that say: there is no such name, or it has no record of this type. */
const NO_RECORD: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** Questions with a time limit each. No record is an empty list. */
export interface Lookup {
  /** TXT records that match, each put together from its parts. @throws LookupFailedError */
  txt(name: string, pattern: RegExp): Promise<string[]>;
  /** IPv4 and IPv6. @throws LookupFailedError */
  addresses(name: string): Promise<string[]>;
  /** Hosts, the preferred first; an empty name says that the domain takes no mail (RFC 7505). @throws LookupFailedError */
  mx(name: string): Promise<string[]>;
  /** Names of an address. @throws LookupFailedError */
  names(address: string): Promise<string[]>;
}

/** What is behind a question, within the time limit; an empty list where there is no record. @throws LookupFailedError */
async function ask<Answer>(question: Promise<Answer[]>, timeoutMs: number): Promise<Answer[]> {
  const answered = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: answered.signal }).then(
    () => Promise.reject(new LookupFailedError(`No answer within ${timeoutMs} ms`)),
    () => [], // the answer was there first
  );
  try {
    return await Promise.race([question, late]);
  } catch (error) {
    if (error instanceof LookupFailedError) throw error;
    if (NO_RECORD.has((error as NodeJS.ErrnoException).code)) return []; // Node's faults of look-ups have one
    throw new LookupFailedError("A name server failed", { cause: error });
  } finally {
    answered.abort();
  }
}

export function createLookup(resolver: DomainResolver, timeoutMs: number): Lookup {
  return {
    async txt(name, pattern) {
      const records = await ask(resolver.resolveTxt(name), timeoutMs);
      return records.map((parts) => parts.join("").trim()).filter((record) => pattern.test(record));
    },
    async addresses(name) {
      const families = [resolver.resolve4(name), resolver.resolve6(name)];
      return (await Promise.all(families.map((family) => ask(family, timeoutMs)))).flat();
    },
    async mx(name) {
      const records = await ask(resolver.resolveMx(name), timeoutMs);
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
    },
    names: (address) => ask(resolver.reverse(address), timeoutMs),
  };
}

const TIMEOUT_MS = 10_000;
/** No server has that much to say before it is asked anything. */
const MAX_ANSWER_LENGTH = 16_384;

/** Whether a mail server offers to encrypt. Nothing is sent through it. @throws Error when it can't be asked */
export async function offersStartTls(host: string, port: number, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  const socket = connect({ host, port, signal: AbortSignal.timeout(timeoutMs) });
  let isGreeted = false;
  let answer = "";
  // Leaving the loop closes the connection.
  for await (const chunk of socket.setEncoding("latin1")) {
    answer += chunk;
    if (answer.length > MAX_ANSWER_LENGTH) break;
    // The last line of an answer has a blank behind its number.
    const status = /^(\d)\d\d(?: .*)?\r?\n/m.exec(answer)?.[1];
    if (status === undefined) continue;
    if (status !== "2") break;
    if (isGreeted) return /^250[ -]STARTTLS\b/im.test(answer);
    isGreeted = true;
    answer = "";
    socket.write("EHLO [127.0.0.1]\r\n");
  }
  throw new Error("The mail server did not say what it offers.");
}

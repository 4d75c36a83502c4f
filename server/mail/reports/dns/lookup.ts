import { setTimeout as wait } from "node:timers/promises";

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

import type pg from "pg";
import { createSeededRandom } from "../socket/seeded-random.ts";
import {
  type Description,
  type Field,
  type FuzzRequest,
  type Known,
  listRoutes,
  type Sender,
  toRequest,
} from "./requests.ts";
import type { Schema } from "./values.ts";
import { type Answer, createRawClient } from "./wire.ts";

/** How a fuzz meets the site. */
export interface FuzzSite {
  port: number;
  /** Makes an account of a level and signs it in. @returns the header of its requests */
  signIn(level: number): Promise<string>;
}

/** An answer that no request may bring about. */
export interface Fault {
  /** Of the request: with the seed of the run it is made again. */
  index: number;
  sender: string;
  request: string;
  answer: string;
}

export interface RequestsResult {
  faults: Fault[];
  /** How often each status came; 0 stands for a connection that was closed without an answer. */
  statuses: Map<number, number>;
  /** Of each route, how often it answered what. */
  routes: Map<string, Map<number, number>>;
  /** Answers above 499 that are documented, by code. */
  documented: Map<string, number>;
}

/** Above 499 and no fault: the machine has no way to where new versions are told, or no room for more work now. */
const DOCUMENTED: ReadonlySet<string> = new Set(["version_unknown", "unavailable"]);
const LEVELS = { anonymous: undefined, user: 1, superuser: 999 } as const;
type Kind = keyof typeof LEVELS;
const KINDS: readonly [Kind, ...Kind[]] = ["anonymous", "user", "superuser"];
const PEOPLE_PER_KIND = 20;
/** A session is left before its confirmation is old, and before its person runs into limits of their own. */
const SESSION_REQUESTS = 150;
const SESSION_MS = 5 * 60_000;
const AT_ONCE = 40;
const SHOWN = 1_500;

const show = (bytes: Buffer) => JSON.stringify(bytes.toString("latin1", 0, SHOWN));

const NUMBERS = Array.from({ length: 60 }, (_, index) => String(index + 1));

/** What addresses may name so that something answers: half of what is asked for should be there. */
export async function toKnown(pool: pg.Pool): Promise<Known> {
  const select = async (sql: string) =>
    (await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  const names = await select("SELECT slug AS name FROM site_page");
  return {
    id: [...NUMBERS, "00000000-0000-4000-8000-000000000001"],
    userId: NUMBERS,
    slug: [...names, "a-room"],
    lang: ["en", "tr"],
    width: ["384"],
    key: await select("SELECT key AS name FROM stored_file ORDER BY id LIMIT 20"),
    username: await select("SELECT username AS name FROM account_user LIMIT 20"),
    provider: ["ses", "ses-sns", "dsn"],
    token: ["a".repeat(43)],
  };
}

/** Reads what the fuzz has to know of the site. */
export async function readField(site: FuzzSite, known: Known): Promise<Field> {
  const authorization = await site.signIn(LEVELS.superuser);
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${site.port}${path}`, { headers: { authorization } });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  const description = (await read("/api/openapi.json")) as Description;
  const listed = (await read("/api/admin/models/")) as {
    models: { content_type_id: number; app_label: string; model_name: string }[];
  };
  const schemas = description.components?.schemas ?? {};
  const models: Record<string, Schema> = {};
  for (const { content_type_id: id, app_label: app, model_name: name } of listed.models) {
    const schema = schemas[`${app}.${name}`];
    if (schema) models[id] = schema;
  }
  const [first, ...others] = listRoutes(description);
  if (!first || Object.keys(models).length === 0) throw new Error("OpenAPI describes nothing");
  return {
    routes: [first, ...others],
    known: { ...known, content_type_id: listed.models.map(({ content_type_id: id }) => String(id)) },
    models,
  };
}

/** People whose sessions are good, whatever the fuzz does to them: who was refused, or is old, is somebody new. */
function createPeople(site: FuzzSite) {
  interface Person {
    authorization: Promise<string>;
    sent: number;
    since: number;
  }
  const people = new Map<string, Person>();
  return {
    async find(kind: Kind, index: number): Promise<{ sender: Sender; forget: () => void }> {
      const level = LEVELS[kind];
      if (level === undefined) return { sender: { kind, authorization: undefined }, forget: () => undefined };
      const key = `${kind} ${index % PEOPLE_PER_KIND}`;
      let person = people.get(key);
      if (!person || person.sent >= SESSION_REQUESTS || Date.now() - person.since > SESSION_MS) {
        person = { authorization: site.signIn(level), sent: 0, since: Date.now() };
        people.set(key, person);
      }
      person.sent += 1;
      const found = person;
      return {
        sender: { kind, authorization: await found.authorization },
        forget: () => {
          if (people.get(key) === found) people.delete(key);
        },
      };
    },
  };
}

const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** The code of the documented error. */
function readCode({ body }: Answer): string | undefined {
  try {
    return (JSON.parse(body.toString()) as { code?: string }).code;
  } catch {
    return undefined;
  }
}

/**
 * Sends so many requests, each made from the seed and its number, and looks at every answer.
 */
export async function runRequests(
  site: FuzzSite,
  field: Field,
  options: { seed: number; from?: number; count: number; onFault?: (fault: Fault) => void },
): Promise<RequestsResult> {
  const { seed, from = 0, count, onFault } = options;
  const result: RequestsResult = {
    faults: [],
    statuses: new Map(),
    routes: new Map(),
    documented: new Map(),
  };
  const people = createPeople(site);
  let next = from;

  function report(index: number, kind: string, { bytes }: FuzzRequest, answer: string): void {
    const fault = { index, sender: kind, request: show(bytes), answer };
    result.faults.push(fault);
    onFault?.(fault);
  }

  function look(index: number, kind: string, request: FuzzRequest, answer: Answer | undefined): void {
    const status = answer?.status ?? 0;
    add(result.statuses, status);
    const statuses = result.routes.get(request.route) ?? new Map<number, number>();
    result.routes.set(request.route, statuses);
    add(statuses, status);
    if (!answer || status < 500) return;
    const code = readCode(answer);
    if (code !== undefined && DOCUMENTED.has(code)) add(result.documented, code);
    // What Node doesn't know of HTTP it says itself: 505 for a version, 501 for a method.
    else report(index, kind, request, `${answer.head.split("\r\n", 1)[0]} ${show(answer.body)}`);
  }

  async function work(): Promise<void> {
    const client = createRawClient(site.port);
    while (next < from + count) {
      const index = next++;
      const requestSeed = seed * 1_000_003 + index;
      const kind = createSeededRandom(requestSeed + 1).pick(KINDS);
      const { sender, forget } = await people.find(kind, index);
      const request = toRequest(requestSeed, field, sender);
      try {
        const answer = await client.send(request.bytes, request.method, request.isCut);
        look(index, kind, request, answer);
        if (answer?.status === 401 && request.isSignedIn) forget();
      } catch (error) {
        report(index, kind, request, String(error));
      }
    }
    client.close();
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return result;
}

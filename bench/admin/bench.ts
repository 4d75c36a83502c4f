import { fork } from "node:child_process";
import { join } from "node:path";
import type { Result } from "autocannon";
import type pg from "pg";
import type { Connection } from "#server/db/pool.ts";
import { countFailed, type Load, type LoadRequest, runLoad } from "../load/run-load.ts";
import { waitForMessage } from "../load/wait-for-message.ts";
import type { PlainLoad } from "./plain-process.ts";
import type { Ready } from "./site.ts";

const CONNECTIONS = 10;
const ALONE_TIMES = 30;

/** One line of the table. */
export interface Figure {
  name: string;
  bar: string;
  measured: string;
  /** Undefined: reported without a bar. */
  isMet?: boolean;
  /** The same by SQL alone. */
  plain?: string;
}

/** A running site over the seeded database, and how to ask it. */
export interface Bench extends Ready {
  pid: number;
  pool: pg.Pool;
  connection: Connection;
  rows: number;
  seconds: number;
  /** `/api/admin/models/{id}/objects/` */
  objects: string;
  /** How much slower plain SQL is here than where the bars were set; at most 1. Lists measure it first. */
  scale: number;
}

const authorize = (bench: Bench) => ({ authorization: `Bearer ${bench.token}` });

/** One call with the bench's token. @throws Error where the answer is no success. */
export async function call(bench: Bench, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(bench.url + path, {
    method,
    headers: { ...authorize(bench), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** An answer as JSON; the schema of the contract says what it is. */
export async function callJson<T>(
  bench: Bench,
  schema: { parse(value: unknown): T },
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  return schema.parse(await (await call(bench, method, path, body)).json());
}

/** Ten connections for the bench's seconds, after one second that warms up. */
export async function load(bench: Bench, requests: readonly LoadRequest[], headers?: Load["headers"]) {
  const all = { ...authorize(bench), ...headers };
  const run = (seconds: number) =>
    runLoad({ url: bench.url, connections: CONNECTIONS, seconds, headers: all, requests });
  await run(1);
  return run(bench.seconds);
}

export function toQuantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Median milliseconds of requests that come one after the other, body and all. */
export async function timeAlone(bench: Bench, paths: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let turn = -3; turn < ALONE_TIMES; turn++) {
    const begin = performance.now();
    await (await call(bench, "GET", paths[Math.abs(turn) % paths.length] ?? "")).text();
    if (turn >= 0) times.push(performance.now() - begin);
  }
  return toQuantile(times, 0.5);
}

/** Runs of the same by SQL alone, per second. */
export async function runPlain(bench: Bench, units: PlainLoad["units"]): Promise<number> {
  const child = fork(join(import.meta.dirname, "plain-process.ts"), { execArgv: [] });
  const seconds = Math.min(bench.seconds, 5);
  child.send({ connection: bench.connection, connections: CONNECTIONS, seconds, units } satisfies PlainLoad);
  const { perSecond } = await waitForMessage<{ perSecond: number }>(child);
  child.kill();
  return perSecond;
}

export const toMs = (value: number) => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
export const toRate = (value: number) => `${value < 100 ? value.toFixed(1) : Math.round(value)}/s`;

/** A load against its bar, which goes down where the machine is slower. */
export function rateFigure(name: string, bar: number, bench: Bench, result: Result, plain?: number): Figure {
  const scaled = bar * bench.scale;
  const failed = countFailed(result);
  return {
    name,
    bar: `≥ ${toRate(scaled)}`,
    measured: `${toRate(result.requests.average)}, p99 ${result.latency.p99} ms${failed ? `, ${failed} FAILED` : ""}`,
    isMet: failed === 0 && result.requests.average >= scaled,
    ...(plain !== undefined && { plain: toRate(plain) }),
  };
}

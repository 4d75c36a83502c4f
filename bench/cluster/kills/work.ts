import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { bulkAnswer, job as jobSchema } from "#contract/content/bulk.ts";
import { exportInfo } from "#contract/content/exports.ts";
import type { ClusterSite } from "../site.ts";
import type { KeptSession } from "./session.ts";

const LOOK_MS = 200;
const PAUSE_MS = 500;
/** So that some are cut. */
const EXPORTS_AT_ONCE = 2;

/** Asks until there is an answer: processes die meanwhile. */
async function ask(kept: KeptSession, path: string): Promise<unknown> {
  for (;;) {
    const answer = await kept.request("GET", path).catch(() => undefined);
    const body = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
    if (body !== undefined) return body;
    await sleep(LOOK_MS);
  }
}

/**
 * Bulk jobs one after the other over all rows of a model; the longest time that one stood still, and the most for each process that was killed
 * meanwhile: who has just taken a job over may be the next one.
 */
export function startJobs(kept: KeptSession, path: string, countKills: () => number) {
  const ids: string[] = [];
  const faults: string[] = [];
  let longestStillMs = 0;
  let longestOfKillMs = 0;
  let isEnding = false;

  async function follow(id: string): Promise<void> {
    let done = -1;
    let changedAt = performance.now();
    let killsBefore = countKills();
    for (;;) {
      const job = jobSchema.parse(await ask(kept, `/api/admin/jobs/${id}/`));
      const now = performance.now();
      const stillMs = now - changedAt;
      longestStillMs = Math.max(longestStillMs, stillMs);
      longestOfKillMs = Math.max(longestOfKillMs, stillMs / Math.max(1, countKills() - killsBefore));
      if (job.done_count !== done) [done, changedAt, killsBefore] = [job.done_count, now, countKills()];
      if (job.finished_at !== null) {
        if (job.status !== "done" || job.affected_count !== job.total_count)
          faults.push(`job ${id}: ${JSON.stringify(job)}`);
        return;
      }
      await sleep(LOOK_MS);
    }
  }

  async function run(): Promise<void> {
    for (let index = 0; !isEnding; index += 1) {
      const name = `Changed ${index}`;
      const body = { operation: "update", query: {}, data: { name: { en: name, tr: name } } };
      const answer = await kept.request("POST", `${path}bulk/`, body).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      // Unanswered, one may be under way all the same: its rows are then counted with the rest.
      const job = answer?.status === 202 && text ? bulkAnswer.parse(JSON.parse(text)).job : undefined;
      if (job) {
        ids.push(job.id);
        await follow(job.id);
      }
      await sleep(PAUSE_MS);
    }
  }

  const running = run();
  return {
    async finish({ pool }: ClusterSite, rowCount: number) {
      isEnding = true;
      await running;
      const jobs = await pool.query<{ id: string; status: string }>("SELECT id, status FROM content_job");
      const unfinished = jobs.rows.filter(({ status }) => status !== "done");
      const { rows } = await pool.query<{ batch_id: string; entries: number; objects: number }>(
        `SELECT batch_id, count(*)::int AS entries, count(DISTINCT object_id)::int AS objects
         FROM audit_entry WHERE detail = 'bulk' GROUP BY batch_id`,
      );
      for (const { batch_id, entries, objects } of rows)
        if (entries !== rowCount || objects !== rowCount)
          faults.push(`${batch_id}: ${entries} entries of ${objects} rows`);
      if (rows.length !== jobs.rows.length)
        faults.push(`${jobs.rows.length} jobs, entries of ${rows.length}`);
      faults.push(...unfinished.map(({ id, status }) => `job ${id} is ${status}`));
      return { count: ids.length, faults, longestStillMs, longestOfKillMs };
    },
  };
}

/** Exports one after the other: a file that ended as files end must be whole, and what is known of each must say so. */
export function startExports(kept: KeptSession, path: string) {
  const received: { id: string; sha256: string | undefined; rows: number }[] = [];
  let isEnding = false;

  async function run(): Promise<void> {
    while (!isEnding) {
      const answer = await kept.request("GET", `${path}export/?format=ndjson`).catch(() => undefined);
      const id = answer?.headers.get("x-export-id");
      const body = await answer?.bytes().catch(() => undefined);
      if (id) {
        const sha256 = body && createHash("sha256").update(body).digest("hex");
        received.push({ id, sha256, rows: body ? Buffer.from(body).toString().split("\n").length - 1 : 0 });
      }
      await sleep(LOOK_MS);
    }
  }

  const running = Promise.all(Array.from({ length: EXPORTS_AT_ONCE }, run));
  return {
    async finish(rowCount: number) {
      isEnding = true;
      await running;
      const faults: string[] = [];
      for (const { id, sha256, rows } of received) {
        const info = exportInfo.parse(await ask(kept, `/api/admin/exports/${id}/`));
        if (info.status === "running") faults.push(`export ${id} is still running`);
        const isWhole = info.status === "complete" && info.sha256 === sha256 && rows === rowCount;
        if (sha256 !== undefined && !isWhole)
          faults.push(`export ${id}: ${rows} rows were received whole, ${JSON.stringify(info)}`);
      }
      const broken = received.filter(({ sha256 }) => sha256 === undefined).length;
      return { count: received.length, broken, faults };
    },
  };
}

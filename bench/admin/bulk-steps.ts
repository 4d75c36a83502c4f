import { bulkAnswer, bulkPreview, job } from "#contract/content/bulk.ts";
import { type Bench, call, callJson, type Figure, toMs, toQuantile } from "./bench.ts";

const CALLS = 10;
const IDS_PER_CALL = 1_000;
const VISITORS = 3;
const VISIT_PAUSE_MS = 20;
const JOB_TIMEOUT_MS = 120_000;

async function countEntries(bench: Bench): Promise<number> {
  const { rows } = await bench.pool.query<{ count: string }>(
    "SELECT count(*) FROM audit_entry WHERE content_type_id = $1",
    [bench.contentTypeId],
  );
  return Number(rows[0]?.count);
}

/** Milliseconds of each of ten calls of 1,000 ids, one after the other, and whether each row got its entry. */
async function runCalls(bench: Bench, ids: readonly number[], body: object) {
  const before = await countEntries(bench);
  const times: number[] = [];
  for (let begin = 0; begin < ids.length; begin += IDS_PER_CALL) {
    const object_ids = ids.slice(begin, begin + IDS_PER_CALL);
    const start = performance.now();
    const answer = await callJson(bench, bulkAnswer, "POST", `${bench.objects}bulk/`, {
      ...body,
      object_ids,
    });
    times.push(performance.now() - start);
    if (answer.affected_count !== object_ids.length)
      throw new Error(
        `${answer.affected_count} of ${object_ids.length} rows were written: ${answer.message}`,
      );
  }
  return { medianMs: toQuantile(times, 0.5), hasEntries: (await countEntries(bench)) - before >= ids.length };
}

function bulkFigure(name: string, barMs: number, found: Awaited<ReturnType<typeof runCalls>>): Figure {
  return {
    name,
    bar: `≤ ${barMs} ms`,
    measured: `${toMs(found.medianMs)}${found.hasEntries ? "" : ", audit entries MISSING"}`,
    isMet: found.medianMs <= barMs && found.hasEntries,
  };
}

export async function measureBulk(bench: Bench): Promise<Figure[]> {
  const amount = Math.min(CALLS * IDS_PER_CALL, Math.floor(bench.rows / 4));
  const from = (first: number) => Array.from({ length: amount }, (_, index) => first + index);
  const updated = await runCalls(bench, from(1 + Math.floor(bench.rows / 2)), {
    operation: "update",
    data: { views: 123_456 },
  });
  const deleted = await runCalls(bench, from(1 + Math.floor((bench.rows * 3) / 4)), { operation: "delete" });
  return [
    bulkFigure("bulk update of 1,000 ids, an entry each", 130, updated),
    bulkFigure("bulk delete of 1,000 ids, an entry each", 40, deleted),
  ];
}

/** How long lists take for people who look at some now and then, until something is over. */
async function visit(bench: Bench, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const visitor = async () => {
    while (!isOver()) {
      const begin = performance.now();
      await (await call(bench, "GET", bench.objects)).text();
      times.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, VISIT_PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor));
  return times;
}

async function waitForJob(bench: Bench, id: string) {
  const end = performance.now() + JOB_TIMEOUT_MS;
  while (performance.now() < end) {
    const now = await callJson(bench, job, "GET", `/api/admin/jobs/${id}/`);
    if (now.finished_at) return now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the job does not end");
}

/** A tenth of all rows, chosen by a filter. */
export async function measureJob(bench: Bench): Promise<Figure[]> {
  const query = { filters: [{ field: "views", operator: "lt", value: "1000" }] };
  const body = { operation: "update", query, data: { body: "Rewritten by a bench." } };
  const preview = await callJson(bench, bulkPreview, "POST", `${bench.objects}bulk/preview/`, body);
  const quietEnd = performance.now() + bench.seconds * 1000;
  const quiet = await visit(bench, () => performance.now() > quietEnd);
  let isOver = false;
  const begin = performance.now();
  const answer = await callJson(bench, bulkAnswer, "POST", `${bench.objects}bulk/`, {
    ...body,
    snapshot: preview.snapshot,
    expected_count: preview.count,
  });
  const work = async () => {
    const end = answer.job ? await waitForJob(bench, answer.job.id) : undefined;
    isOver = true;
    return {
      affected: end?.affected_count ?? answer.affected_count,
      seconds: (performance.now() - begin) / 1000,
    };
  };
  const [{ affected, seconds }, busy] = await Promise.all([work(), visit(bench, () => isOver)]);
  const [quietMs, busyMs] = [toQuantile(quiet, 0.95), toQuantile(busy, 0.95)];
  return [
    {
      name: `bulk update of ${affected} by query`,
      bar: "≤ 30 s",
      measured: `${seconds.toFixed(1)} s`,
      isMet: seconds <= 30 && affected === preview.count,
    },
    {
      name: "others' lists meanwhile, p95",
      bar: "≤ 3 × without",
      measured: `${toMs(busyMs)}, ${(busyMs / quietMs).toFixed(1)} × ${toMs(quietMs)}`,
      isMet: busyMs <= 3 * quietMs,
    },
  ];
}

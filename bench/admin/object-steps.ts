import { readCpuUs } from "../load/process-usage.ts";
import { type Bench, type Figure, load, rateFigure, runPlain } from "./bench.ts";

const CPU_BAR_US = 600;
const JSON_BODY = { "content-type": "application/json" };
/** Rows that loads read and write: enough that two connections seldom meet. */
const TOUCHED = 2_000;

function pickIds(bench: Bench): number[] {
  const step = Math.max(1, Math.floor(bench.rows / TOUCHED));
  return Array.from({ length: Math.min(TOUCHED, bench.rows) }, (_, index) => 1 + index * step);
}

export async function measureOne(bench: Bench): Promise<Figure[]> {
  const ids = pickIds(bench);
  const plain = await runPlain(
    bench,
    ids.map((id) => [{ text: "SELECT * FROM bench_article WHERE id = $1", values: [id] }]),
  );
  const requests = ids.map((id) => ({ path: `${bench.objects}${id}/` }));
  await load(bench, requests);
  const before = readCpuUs(bench.pid);
  const result = await load(bench, requests);
  // The load's first second warms up and is no part of its result.
  const served = result.requests.total * (1 + 1 / bench.seconds);
  const cpuUs = (readCpuUs(bench.pid) - before) / served;
  return [
    rateFigure("one object", 2_000, bench, result, plain),
    {
      name: "one object, server CPU",
      bar: "≤ 0.6 ms",
      measured: `${(cpuUs / 1000).toFixed(2)} ms`,
      isMet: cpuUs <= CPU_BAR_US,
    },
  ];
}

const AUDIT_SQL = `INSERT INTO audit_entry (user_id, username, action_type, object_id, change_message)
  SELECT 1, 'bench', $1, id::text, 'Changed' FROM written`;

async function countEntries(bench: Bench): Promise<number> {
  const { rows } = await bench.pool.query<{ count: string }>(
    "SELECT count(*) FROM audit_entry WHERE content_type_id = $1",
    [bench.contentTypeId],
  );
  return Number(rows[0]?.count);
}

export async function measureWrites(bench: Bench): Promise<Figure[]> {
  const ids = pickIds(bench);
  const createPlain = await runPlain(bench, [
    [
      {
        text: `WITH written AS (INSERT INTO bench_article (title, body, status, views)
                 VALUES (md5(random()::text), 'plain', 'draft', 1) RETURNING id) ${AUDIT_SQL}`,
        values: ["CREATE"],
      },
    ],
  ]);
  const updatePlain = await runPlain(
    bench,
    ids.map((id) => [
      {
        text: `WITH written AS (UPDATE bench_article SET body = md5(random()::text), updated_at = now()
                 WHERE id = $2 RETURNING id) ${AUDIT_SQL}`,
        values: ["UPDATE", id],
      },
    ]),
  );
  const before = await countEntries(bench);
  const created = await load(
    bench,
    [
      {
        method: "POST",
        path: bench.objects,
        body: JSON.stringify({ title: "New {n}", body: "Made by a bench." }),
      },
    ],
    JSON_BODY,
  );
  const updated = await load(
    bench,
    ids.map((id) => ({
      method: "PATCH" as const,
      path: `${bench.objects}${id}/`,
      body: JSON.stringify({ body: "Changed {n}" }),
    })),
    JSON_BODY,
  );
  const entries = (await countEntries(bench)) - before;
  const answers = created.requests.total + updated.requests.total;
  return [
    rateFigure("create, audited", 1_000, bench, created, createPlain),
    rateFigure("update, audited", 1_000, bench, updated, updatePlain),
    {
      name: "audit entries of these writes",
      bar: "one each",
      measured: `${entries} for ${answers} and the warm-up`,
      isMet: entries >= answers,
    },
  ];
}

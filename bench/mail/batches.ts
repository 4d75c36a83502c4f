import { triageAnswer } from "#contract/mail/triage.ts";

import { type Figure, toMs } from "./figure.ts";
import type { MailSite } from "./open-site.ts";

const BAR_MS = 1_000;
const SIZE = 500;
const ROUNDS = 3;

const BATCHES = [
  { list: "bounces", verb: "batch_process", table: "mail_bounce", ids: "bounce_ids" },
  { list: "bounces", verb: "batch_unsubscribe", table: "mail_bounce", ids: "bounce_ids" },
  { list: "complaints", verb: "batch_process", table: "mail_complaint", ids: "complaint_ids" },
  { list: "complaints", verb: "batch_unsubscribe", table: "mail_complaint", ids: "complaint_ids" },
] as const;

type Batch = (typeof BATCHES)[number];

/** Rows that nobody has touched, of addresses that differ: the most work that a batch can be. */
async function pickIds({ database }: MailSite, { table }: Batch): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>(
    `SELECT min(id) AS id FROM ${table} WHERE NOT is_processed AND unsubscribed_by IS NULL
       ${table === "mail_bounce" ? "AND bounce_type = 'Permanent'" : ""}
     GROUP BY email_address ORDER BY 1 LIMIT ${SIZE}`,
  );
  return rows.map(({ id }) => id);
}

async function post({ app, headers }: MailSite, url: string, payload: object) {
  const begin = performance.now();
  const answer = await app.inject({ method: "POST", url, headers, payload });
  const ms = performance.now() - begin;
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  return { ms, answer: triageAnswer.parse(answer.json()) };
}

/** One batch on new rows each round; the last one of each is put back, which is told beside it. */
async function measureBatch(site: MailSite, batch: Batch): Promise<Figure> {
  const times: number[] = [];
  let undoMs = Number.NaN;
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = await pickIds(site, batch);
    const { ms, answer } = await post(site, `/api/mail/${batch.list}/${batch.verb}/`, { [batch.ids]: ids });
    const done = answer.results.filter(({ ok }) => ok).length;
    if (done !== SIZE) throw new Error(`${batch.verb}: ${done} of ${SIZE} rows`);
    times.push(ms);
    if (round === ROUNDS - 1 && answer.undo)
      undoMs = (await post(site, answer.undo.path, answer.undo.body)).ms;
  }
  const worst = Math.max(...times);
  return {
    name: `${batch.list}/${batch.verb}: ${SIZE} rows in one call`,
    bar: `≤ ${BAR_MS} ms`,
    measured: `worst of ${ROUNDS}: ${toMs(worst)} (undone in ${toMs(undoMs)})`,
    isMet: worst <= BAR_MS,
  };
}

export async function measureBatches(site: MailSite): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const batch of BATCHES) figures.push(await measureBatch(site, batch));
  return figures;
}

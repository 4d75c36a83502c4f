import type pg from "pg";

/** Creates what the torture writes to, unless it is there. */
export async function createTables(client: pg.Client): Promise<void> {
  await client.query(`
    create extension if not exists amcheck;
    create table if not exists entries (
      id int primary key, body text not null, hash text not null, touched int not null default 0);
    create index if not exists entries_by_body on entries (body);
    create table if not exists ledger (id int primary key, updates int not null);
    insert into ledger values (1, 0) on conflict do nothing;
  `);
}

/** What survived. */
export interface DataState {
  rows: number;
  maxId: number;
  updates: number;
  faults: string[];
}

/** Looks at every row and lets amcheck look at every page and index. */
export async function checkData(client: pg.Client): Promise<DataState> {
  const { rows } = await client.query<{ rows: number; max_id: number; bad: number; updates: number }>(`
    select count(*)::int as rows, coalesce(max(id), 0) as max_id,
      count(*) filter (where hash <> md5(body))::int as bad, (select updates from ledger) as updates
    from entries`);
  const [found] = rows;
  if (!found) throw new Error("an aggregate gave no row");
  const faults = found.bad > 0 ? [`${found.bad} rows whose hash does not fit`] : [];
  for (const index of ["entries_pkey", "entries_by_body", "ledger_pkey"]) {
    faults.push(...(await findFaults(client, "select bt_index_check($1::regclass, true)", index, false)));
  }
  for (const table of ["entries", "ledger"]) {
    faults.push(...(await findFaults(client, "select msg from verify_heapam($1::regclass)", table, true)));
  }
  return { rows: found.rows, maxId: found.max_id, updates: found.updates, faults };
}

/** bt_index_check throws at a fault, verify_heapam gives a row for each. */
async function findFaults(
  client: pg.Client,
  sql: string,
  relation: string,
  isRowFault: boolean,
): Promise<string[]> {
  try {
    const { rows } = await client.query<{ msg: string }>(sql, [relation]);
    return isRowFault ? rows.map(({ msg }) => `${relation}: ${msg}`) : [];
  } catch (error) {
    return [`${relation}: ${error}`];
  }
}

import { type Connection, createPool } from "#server/db/pool.ts";

/** The same rows by SQL alone, from as many connections as the load has; bench/admin/bench.ts forks this file. */
export interface PlainLoad {
  connection: Connection;
  connections: number;
  seconds: number;
  /** Taken in turn; the statements of one run together, as a list and its total do. */
  units: readonly (readonly { text: string; values: readonly unknown[] }[])[];
}

process.once("message", async (message) => {
  const { connection, connections, seconds, units } = message as PlainLoad;
  // As many as the product has: a list and its total are two statements at once.
  const pool = createPool(connection, { name: "bench", max: connections + 2, onError: console.error });
  let count = 0;
  const end = performance.now() + seconds * 1000;
  const work = async () => {
    while (performance.now() < end) {
      const unit = units[count % units.length] ?? [];
      count += 1;
      await Promise.all(unit.map(({ text, values }) => pool.query(text, [...values])));
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const perSecond = count / ((performance.now() - begin) / 1000);
  await pool.end();
  process.send?.({ perSecond });
});

import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import type { ClusterSite } from "../site.ts";
import type { KeptSession } from "./session.ts";

const PAUSE_MS = 100;
const created = z.object({ id: z.number() });

/** An object that was answered for. */
interface Written {
  id: number;
  /** What was acknowledged last, and what was sent since and not answered. */
  title: string;
  maybe: string[];
}

export interface WriterFigures {
  acknowledged: number;
  broken: number;
  /** Answers that are no success, though the process lived. */
  refused: string[];
  lost: string[];
}

/** Creates awards and renames each once; notes what was acknowledged. `path` leads to the model's objects. */
export function startWriter(kept: KeptSession, path: string, name: string) {
  const written: Written[] = [];
  const refused: string[] = [];
  let isEnding = false;
  let acknowledged = 0;
  let broken = 0;

  /** Undefined: it isn't known what became of it. */
  async function write(method: string, to: string, title: string): Promise<unknown> {
    try {
      const answer = await kept.request(method, to, { title: { en: title, tr: title } });
      const text = await answer.text();
      if (answer.ok) {
        acknowledged += 1;
        return JSON.parse(text);
      }
      refused.push(`${method} ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // fetch's own word for a connection that broke
      broken += 1;
    }
    return undefined;
  }

  async function run(): Promise<void> {
    for (let index = 0; !isEnding; index += 1) {
      const title = `${name} ${index}`;
      const answer = await write("POST", path, title);
      if (answer !== undefined) {
        const row: Written = { id: created.parse(answer).id, title, maybe: [] };
        written.push(row);
        const next = `${title} again`;
        row.maybe.push(next);
        if ((await write("PATCH", `${path}${row.id}/`, next)) !== undefined)
          Object.assign(row, { title: next, maybe: [] });
      }
      await sleep(PAUSE_MS);
    }
  }

  const running = run();
  return {
    /** Ends, and compares with the database. */
    async finish({ pool }: ClusterSite): Promise<WriterFigures> {
      isEnding = true;
      await running;
      const { rows } = await pool.query<{ id: number; title: string }>(
        "SELECT id, title->>'en' AS title FROM cv_award",
      );
      const titles = new Map(rows.map(({ id, title }) => [id, title]));
      const lost = written
        .filter(({ id, title, maybe }) => ![title, ...maybe].includes(titles.get(id) ?? ""))
        .map(({ id, title }) => `${id}: "${title}" is "${titles.get(id)}"`);
      return { acknowledged, broken, refused, lost };
    },
  };
}

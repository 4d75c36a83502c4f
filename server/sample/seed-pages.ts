import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LANGUAGES } from "#contract/languages.ts";
import { PAGE_SLUGS } from "#contract/site/pages.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { recordRows } from "./service.ts";
import { insertRow, requireModel } from "./store.ts";

const FOLDER = join(import.meta.dirname, "pages");
const CAME = { action: "CREATE", detail: "first_start", message: "Came with Foyer, to be adapted" } as const;

/** A default page from `<slug>.<lang>.md`: its first line is the title. */
async function readPage(slug: string, lang: string): Promise<{ title: string; body: string }> {
  const text = await readFile(join(FOLDER, `${slug}.${lang}.md`), "utf8");
  const [heading = "", ...lines] = text.split("\n");
  return { title: heading.replace(/^# /, ""), body: lines.join("\n").trim() };
}

async function readBothSides(slug: string) {
  const sides = await Promise.all(LANGUAGES.map(async (lang) => ({ lang, ...(await readPage(slug, lang)) })));
  const pick = (part: "title" | "body") => Object.fromEntries(sides.map((side) => [side.lang, side[part]]));
  return { slug, title: pick("title"), body: pick("body") };
}

async function insertMissing(
  db: Queryable,
  modelKey: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const model = requireModel(modelKey);
  const id = await insertRow(db, model, values, false);
  if (id !== undefined) await recordRows(db, SYSTEM_ACTOR, model, CAME, [{ id, ...values }]);
}

/** Puts in the pages of text and the settings that every site has; what is there already stays as it is. */
export async function seedPages(db: Queryable): Promise<void> {
  for (const slug of PAGE_SLUGS) await insertMissing(db, "site.page", await readBothSides(slug));
  await insertMissing(db, "site.settings", { shows_voice_chat: true });
}

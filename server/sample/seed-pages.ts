import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LANGUAGES, type Language, pickText } from "#contract/languages.ts";
import { FIXED_PAGES } from "#contract/site/pages.ts";
import { recordAudit, toChanges } from "#server/audit/service.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { recordRows } from "./service.ts";
import { insertRow, requireModel, selectContentTypeId, selectPrivacy, updateBody } from "./store.ts";

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
  for (const [index, slug] of FIXED_PAGES.entries()) {
    const links = { shown_in: "footer", position: index + 1 };
    await insertMissing(db, "site.page", { ...(await readBothSides(slug)), ...links });
  }
  await insertMissing(db, "site.settings", { shows_voice_chat: true });
}

/** Beginnings of the SHA-256 of privacy notices that came with earlier versions: such a text is nobody's words. */
export const FORMER_PRIVACY: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set([
    "4977834cb188c1d3",
    "d58160a73fd209ee",
    "a28f78fd5df9c3e0",
    "9e823c7cb0409044",
    "496e9e0b72ea823a",
    "6d63b1ee8e6f544b",
    "e84aca2a04a8e321",
    "db92184107c2b1b2",
    "33268961025461a5",
    "3530b4a5a8a4350c",
    "0b84ab1f16e4746c",
    "cc204df5eca23c67",
    "e282e3c3d5f97a45",
  ]),
  tr: new Set([
    "d56d7cf1aadf7adc",
    "4d875902e38a4377",
    "42d927462b9a19f3",
    "3a064dab23586d30",
    "e4a38dfd10df31c0",
    "ef977724f10f8fb8",
    "4d48fe81730e6e66",
    "a190478f3dc6e620",
    "312f7082b7a6eafa",
    "6a706af5df85d587",
    "95675fcf2e80ed20",
    "7e7e44df7b9dbb9a",
  ]),
};
const HASH_CHARS = 16;

const RENEWED = {
  action: "UPDATE",
  detail: "first_start",
  message:
    "The privacy notice takes its facts from the settings: nobody had changed the text that came with Foyer",
} as const;

/** Whether a text is one that came with an earlier version. */
function isFormer(former: ReadonlySet<string>, body: string | null): boolean {
  const hash = createHash("sha256")
    .update((body ?? "").trim())
    .digest("hex");
  return former.has(hash.slice(0, HASH_CHARS));
}

/** Puts today's privacy notice in place of an earlier one that nobody edited, each language by itself. What people wrote stays. */
export async function renewPrivacy(db: Queryable, former = FORMER_PRIVACY): Promise<void> {
  const page = await selectPrivacy(db);
  const renewed = LANGUAGES.filter((lang) => page && isFormer(former[lang], page.body[lang]));
  if (!page || renewed.length === 0) return;
  const today = (await readBothSides("privacy")).body;
  const body = { ...page.body, ...Object.fromEntries(renewed.map((lang) => [lang, today[lang]])) };
  await updateBody(db, page.id, body);
  const model = requireModel("site.page");
  await recordAudit(db, SYSTEM_ACTOR, {
    ...RENEWED,
    contentTypeId: await selectContentTypeId(db, model),
    objectId: page.id,
    objectRepr: pickText(page.title, "en"),
    changes: toChanges({ body: page.body }, { body }),
  });
  await notifyChange(db, model.key);
}

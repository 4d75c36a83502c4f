import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { parseCsv, readBook } from "#server/content/exports/test-read-files.ts";
import { openBench } from "../../bench/admin/open-bench.ts";
import { PERSON } from "../../bench/admin/person.ts";
import { openConsole, signIn } from "./sign-in.ts";
import { REPOSITORY } from "./site.ts";

/** With `FOYER_LONG_FORMS=1`: a job and files as long as owners have been promised. A job is what changes over 5,000. */
const [OF_JOB, OF_EXPORT] = process.env.FOYER_LONG_FORMS ? [25_000, 100_000] : [6_000, 8_000];
const ROWS = OF_EXPORT + 2_000;
const FORMULA = '=1+1 & "R&D", ışık';
const inEnglish = (count: number) => count.toLocaleString("en");
const OWNER = { ...PERSON, email: "" };

// A server and a database of their own, for both.
test.describe.configure({ mode: "default" });
let opened: Awaited<ReturnType<typeof openBench>>;
test.beforeAll(async () => {
  opened = await openBench({
    rows: ROWS,
    users: 100,
    seconds: 1,
    databaseUrl: undefined,
    nodeFlags: JSON.parse(readFileSync(join(REPOSITORY, "bin/lib/node-flags.json"), "utf8")),
    distDir: join(REPOSITORY, "dist"),
  });
  await opened.bench.pool.query("UPDATE bench_article SET title = $1 WHERE id % 1000 = 1", [FORMULA]);
});
test.afterAll(() => opened?.close());
test.use({ locale: "en" });

async function select<T extends object>(sql: string): Promise<T[]> {
  return (await opened.bench.pool.query<T>(sql)).rows;
}

async function count(where: string): Promise<number> {
  const [row] = await select<{ n: number }>(`SELECT count(*)::int AS n FROM bench_article WHERE ${where}`);
  return row?.n ?? -1;
}

async function openList(page: Page, filter: string): Promise<void> {
  const path = `/admin/models/${opened.bench.contentTypeId}?filter=${encodeURIComponent(filter)}`;
  await openConsole(page, opened.bench.url, path, OWNER);
  await expect(page.locator("tr[data-row-key]")).toHaveCount(20);
}

/** Keeps everybody else from writing an object. @returns what lets go of it. */
async function holdObject(id: number): Promise<() => Promise<void>> {
  const client = await opened.bench.pool.connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM bench_article WHERE id = $1 FOR UPDATE", [id]);
  return async () => {
    await client.query("ROLLBACK");
    client.release();
  };
}

test(`a bulk update of ${inEnglish(OF_JOB)} objects by query is previewed, cancelled in the middle, and resumed to the end`, async ({
  page,
}) => {
  await openList(page, `id:lte:${OF_JOB}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: /^Select all .* that match$/ }).click();
  await page.getByRole("group", { name: "Selection" }).getByRole("button", { name: "Update" }).click();
  await page.getByRole("checkbox", { name: "Body" }).check();
  await page.getByRole("textbox", { name: "Body" }).fill("Written by a job");
  const [preview] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith("/bulk/preview/")),
    page.getByRole("button", { name: "Preview the update" }).click(),
  ]);
  expect(preview.postData()?.length, "a query, and no list of ids").toBeLessThan(2_000);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`${inEnglish(OF_JOB)} objects would be updated`);
  expect(await count("body = 'Written by a job'"), "nothing is written by a preview").toBe(0);
  const letGo = await holdObject(OF_JOB / 2);
  await dialog.getByRole("button", { name: `Update ${inEnglish(OF_JOB)} objects` }).click();

  const job = page.getByRole("article").filter({ hasText: "Update: Article" });
  await expect(job.getByRole("button", { name: /^Cancel/ })).toBeVisible();
  await expect.poll(() => count("body = 'Written by a job'"), { intervals: [20] }).toBeGreaterThan(0);
  await job.getByRole("button", { name: /^Cancel/ }).click();
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await expect
    .poll(() => select<{ status: string }>("SELECT status FROM content_job"))
    .toEqual([{ status: "cancelling" }]);
  await letGo();
  await expect(job).toContainText("Cancelled");
  const done = await count("body = 'Written by a job'");
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(OF_JOB);

  await page.reload();
  await job.getByRole("button", { name: /^Resume/ }).click();
  await expect(job).toContainText("Done", { timeout: 240_000 });
  expect(await count("body = 'Written by a job'")).toBe(OF_JOB);
  expect(await count(`body = 'Written by a job' AND id > ${OF_JOB}`)).toBe(0);
  const entries = await select<{ n: number }>(
    "SELECT count(*)::int AS n FROM audit_entry WHERE detail = 'bulk' AND object_repr IS NOT NULL",
  );
  expect(entries[0]?.n).toBeGreaterThanOrEqual(OF_JOB);
});

/** Exports the list in a format by its menu. @returns the file's bytes. */
async function exportAs(page: Page, name: RegExp): Promise<Buffer> {
  await page.getByRole("button", { name: /^Export/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name }).click(),
  ]);
  return readFile(await download.path());
}

test(`an export of ${inEnglish(OF_EXPORT)} objects reads back as what the database holds: csv, json and xlsx`, async ({
  page,
}) => {
  // Where the browser may choose a file itself, a dialog of the system would open.
  await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
  await openList(page, `id:lte:${OF_EXPORT}`);
  const stored = await select<{ id: number; title: string; views: number; status: string }>(
    `SELECT id, title, views, status FROM bench_article WHERE id <= ${OF_EXPORT} ORDER BY id`,
  );
  expect(stored).toHaveLength(OF_EXPORT);
  const titles = new Map(stored.map(({ id, title }) => [id, title]));
  expect([...titles.values()]).toContain(FORMULA);

  /** Rows that differ from the database's; comparing them one by one with `expect` would take minutes. */
  const findWrong = (rows: readonly (readonly [unknown, unknown])[]) =>
    rows.filter(([id, title], place) => stored[place]?.id !== Number(id) || titles.get(Number(id)) !== title);

  const text = (await exportAs(page, /CSV/)).toString("utf8");
  const [head = [], ...lines] = parseCsv(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  const at = (name: string) => head.findIndex((cell) => cell?.toLowerCase() === name);
  const guarded = lines.map((line) => [line[at("id")], line[at("title")] ?? ""] as const);
  expect(guarded).toHaveLength(OF_EXPORT);
  expect(guarded.filter(([, title]) => title.startsWith("="))).toEqual([]);
  // The guard against formulas is one apostrophe: taking it off gives the text back.
  expect(findWrong(guarded.map(([id, title]) => [id, title.replace(/^'=/, "=")]))).toEqual([]);

  const objects = JSON.parse((await exportAs(page, /^JSON/)).toString("utf8")) as typeof stored;
  expect(objects).toHaveLength(OF_EXPORT);
  expect(findWrong(objects.map(({ id, title }) => [id, title]))).toEqual([]);

  const [sheet] = await readBook(await exportAs(page, /XLSX/));
  const [first = [], ...rows] = sheet?.rows ?? [];
  const column = (name: string) => first.findIndex(({ value }) => String(value).toLowerCase() === name);
  expect(rows).toHaveLength(OF_EXPORT);
  expect(findWrong(rows.map((row) => [row[column("id")]?.value, row[column("title")]?.value]))).toEqual([]);
});

test("two people edit one record: the second is notified, chooses for the field that both changed, and nothing is lost", async ({
  browser,
}) => {
  const { url, wideTypeId } = opened.bench;
  const [row] = await select<{ id: number }>("SELECT id FROM bench_wide");
  const path = `/admin/models/${wideTypeId}/objects/${row?.id}`;
  const open = async () => {
    const page = await (await browser.newContext({ locale: "en" })).newPage();
    await openConsole(page, url, path, OWNER);
    await expect(page.getByLabel("short 1", { exact: true })).toHaveValue("One");
    return page;
  };
  const [ada, ben] = [await open(), await open()];
  await ben.getByLabel("short 1", { exact: true }).fill("Ben's");
  await ben.getByLabel("count 2", { exact: true }).fill("22");
  await ada.getByLabel("short 1", { exact: true }).fill("Ada's");
  await ada.getByLabel("short 3", { exact: true }).fill("Ada's alone");
  await ada.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ada.getByText("Saved").first()).toBeVisible();

  const notice = ben.getByRole("status").filter({ hasText: "Changed by somebody else just now" });
  await expect(notice).toBeVisible();
  await expect(notice, "what only Ada changed needs no choice").toContainText("short 3");
  await expect(ben.getByLabel("short 1", { exact: true })).toHaveValue("Ben's");
  await ben.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ben.getByText("Choose one of the two.")).toBeVisible();
  const [before] = await select<{ short_1: string }>("SELECT short_1 FROM bench_wide");
  expect(before?.short_1, "nothing is written before the choice").toBe("Ada's");
  await ben
    .getByRole("group", { name: "short 1" })
    .getByRole("radio", { name: /^Yours/ })
    .check();
  await ben.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ben.getByText("Saved").first()).toBeVisible();
  const [after] = await select<object>("SELECT short_1, short_3, count_2 FROM bench_wide");
  expect(after).toEqual({ short_1: "Ben's", short_3: "Ada's alone", count_2: 22 });
});

test("ten minutes after the log-in a record and an export of people ask whether it is still the person, and go on", async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
  const { url } = opened.bench;
  const [model] = await select<{ id: number }>("SELECT id FROM content_type WHERE model_name = 'user'");
  const users = await select<{ id: number }>(
    "SELECT id FROM account_user WHERE username <> 'bench' ORDER BY id LIMIT 2",
  );
  const [user, other] = users.map(({ id }) => id);
  /** A page of people in a session that nobody has confirmed for long. */
  const openLate = async (rest: string) => {
    await signIn(page, url, OWNER);
    await select("UPDATE account_session SET confirmed_at = now() - interval '11 minutes'");
    await page.goto(`${url}/admin/models/${model?.id}${rest}`);
  };
  const question = page.getByRole("dialog", { name: "Is it still you?" });
  const confirm = async () => {
    await question.getByLabel("Password").fill(OWNER.password);
    await question.getByRole("button", { name: "Go on" }).click();
    await expect(question).toBeHidden();
  };
  const readUser = (id: number | undefined) =>
    select(`SELECT first_name, email FROM account_user WHERE id = ${id}`);

  await openLate(`/objects/${user}`);
  await page.getByLabel("First name").fill("Ada");
  await page.getByRole("textbox", { name: /^Email/ }).fill("ada@elsewhere.example");
  const before = await readUser(user);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  expect(await readUser(user), "nothing is written before the answer").toEqual(before);
  await expect(page.getByLabel("First name")).toHaveValue("Ada");
  await expect(page.getByRole("textbox", { name: /^Email/ })).toHaveValue("ada@elsewhere.example");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await confirm();
  await expect(page.getByText("Saved").first()).toBeVisible();
  expect(await readUser(user)).toMatchObject([{ first_name: "Ada", email: "ada@elsewhere.example" }]);

  await openLate(`?filter=${encodeURIComponent(`id:exact:${other}`)}`);
  await expect(page.locator("tr[data-row-key]")).toHaveCount(1);
  await page.getByRole("button", { name: /^Export/ }).click();
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const saved = page.waitForEvent("download");
  await expect(question).toBeVisible();
  await confirm();
  expect(await readFile(await (await saved).path(), "utf8")).toContain("@");
});

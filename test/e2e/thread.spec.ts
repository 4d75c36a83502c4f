import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { makeFreshClone, OWNER, REPOSITORY, Site } from "./site.ts";

/**
 * The walk through every layer by the README's commands, from a fresh clone to a site that survived a kill. Its times are said
 * here; bench/start.ts, which unpacks all packages too, and bench/live.ts have their bars.
 */

async function logIn(page: Page, site: Site): Promise<void> {
  await page.goto(`${site.url}/login?redirect=/admin/models`);
  await page.getByLabel("Username").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Models" })).toBeVisible();
}

/** Milliseconds until an address says a text. */
async function waitForText(url: string, text: string): Promise<number> {
  const begin = performance.now();
  // Node keeps connections that a server, after a while or killed, has closed: such a call is made again.
  await expect(async () => expect(await (await fetch(url)).text()).toContain(text)).toPass({
    intervals: [20],
  });
  return performance.now() - begin;
}

test("fresh clone → start → import → log in → edit → page → export → kill → start", async ({ page }) => {
  test.setTimeout(1_200_000);
  const site = new Site({ folder: makeFreshClone({ hasPackages: true }), byReadme: true });
  const report = (figure: string, ms: number) => {
    test.info().annotations.push({ type: "figure", description: `${figure}: ${Math.round(ms)} ms` });
    console.log(`${figure}: ${Math.round(ms)} ms`);
  };
  try {
    const begin = performance.now();
    await site.start(900_000);
    expect((await fetch(`${site.url}/cv`)).status).toBe(200);
    const fresh = performance.now() - begin;
    report("fresh clone to first page", fresh);
    expect(site.output).toMatch(
      /First start: default pages and settings, sample content of 40 items and 23 files/,
    );
    expect(site.output).toContain("The CV is sample content");
    await waitForText(`${site.url}/en/cv`, "Certified Keeper of Indexes");
    await waitForText(`${site.url}/tr/cv`, "Belgeli Dizin Bekçisi");

    site.createSuperuser(OWNER);
    const sample = join(REPOSITORY, "node_modules/@jsonresume/schema/sample.resume.json");
    const imported = site.command("import", sample);
    expect(imported).toMatch(/projects +1 new/);
    expect(imported).not.toContain("not shown");
    await waitForText(`${site.url}/en/cv`, "Richard Hendriks");
    const afterImport = await (await fetch(`${site.url}/tr/cv`)).text();
    expect(afterImport).not.toContain("Taslakoğlu");
    expect(site.command("sample", "remove")).toMatch(/Removed the sample content:\n {2}Files +23\n/);
    expect(site.command("import", join(REPOSITORY, "test/resumes/engineer.en.json"), "--yes")).toContain(
      "Backed up",
    );
    site.command("import", join(REPOSITORY, "test/resumes/engineer.tr.json"), "--lang", "tr");
    await waitForText(`${site.url}/en/cv`, "PostgreSQL Administration");
    await waitForText(`${site.url}/tr/cv`, "PostgreSQL Yönetimi");

    await logIn(page, site);
    await page.getByRole("link", { name: /Certificates/ }).click();
    await page.getByRole("link", { name: "PostgreSQL Administration" }).click();
    await page.getByLabel("Label (English)").fill("PostgreSQL & <Friends>");
    await page.getByLabel("Label (Turkish)").fill("PostgreSQL ve ışıltılı dostları");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const english = waitForText(`${site.url}/en/cv`, "PostgreSQL &amp; &lt;Friends&gt;");
    const turkish = waitForText(`${site.url}/tr/cv`, "PostgreSQL ve ışıltılı dostları");
    const shown = Math.max(await english, await turkish);
    report("edit to public page, both languages", shown);

    await page.goto(`${site.url}/admin/models`);
    await page.getByRole("link", { name: /Certificates/ }).click();
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "CSV", exact: true }).click(),
    ]);
    const csv = readFileSync(await download.path(), "utf8");
    expect(csv.split("\n")[0]).toBe(
      "id,label_en,label_tr,issuer_en,issuer_tr,issued_on,file,url,position,is_hidden,extra,created_at,updated_at",
    );
    expect(csv).toContain("PostgreSQL & <Friends>,PostgreSQL ve ışıltılı dostları");

    await site.kill();
    const again = await site.start();
    report("start over existing data", again);
    expect(site.output).not.toContain("First start");
    expect(site.output).not.toContain("sample content");
    await waitForText(`${site.url}/tr/cv`, "PostgreSQL ve ışıltılı dostları");
    // The same address as before: whoever was signed in still is.
    await page.goto(`${site.url}/admin/models`);
    await expect(page.getByRole("heading", { name: "Models" })).toBeVisible();

    await site.stop();
    expect(site.findProcesses()).toEqual([]);
  } finally {
    await site.remove();
  }
});

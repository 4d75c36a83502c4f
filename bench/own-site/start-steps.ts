import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startedPage } from "#contract/site/page-draft.ts";
import { sampleAnswer } from "#contract/site/site.ts";
import { OWNER, REPOSITORY } from "#test/e2e/site.ts";
import type { Caller } from "./caller.ts";
import type { OwnSite } from "./open-site.ts";
import { runLine } from "./programs.ts";

/** In the two files of `test/resumes`, and in no sample. */
const OWN_NAME = "Işıl Örnek";
const ADDRESS = "Atatürk Bulvarı 1, 06680 Ankara";
const RESUMES = join(REPOSITORY, "test/resumes");

/** From nothing to a site that shows the owner's content and nothing else. */
export async function followStart(site: OwnSite): Promise<void> {
  const { clone, folder, env, local } = site;

  await site.step("git clone", async (take) => {
    const { text, groups } = take("clone");
    // Named as a repository is at an address: the clone has its name.
    const origin = join(folder, "foyer.git");
    symlinkSync(REPOSITORY, origin);
    await runLine(text.replace(groups[0] ?? "", origin), { cwd: folder, env });
  });
  site.differences.push("The clone is of this repository on this disk.");

  await site.step(`PORT=${site.ports.site} in .env`, async (take) => {
    take("settingsFile");
    take("port");
    site.setSettings(`PORT=${site.ports.site}`);
  });

  const output = await site.step("npm start: packages, build, database, first page", async (take) => {
    const printed = await site.start(take("start").text);
    await local.get("/cv");
    return printed;
  });

  await site.step("the owner, by the link that it printed", async (take) => {
    take("ownerLink");
    const token = /\/setup#(\S+)/.exec(output)?.[1];
    if (!token) throw new Error(`no link for the owner:\n${output}`);
    await local.get("/setup");
    await local.send("POST", "/api/users/setup/", { ...OWNER, password_confirm: OWNER.password, token });
  });

  for (const [piece, language] of [
    ["importEnglish", "en"],
    ["importTurkish", "tr"],
  ] as const)
    await site.step(`import of the CV (${language})`, async (take) => {
      const { text, groups } = take(piece);
      copyFileSync(join(RESUMES, `engineer.${language}.json`), join(clone, groups[0] ?? ""));
      await runLine(text, { cwd: clone, env });
    });

  await site.step("sample content removed", async (take) => {
    await runLine(take("removeSample").text, { cwd: clone, env });
    await checkNothingOfSample(local, await local.logIn(OWNER));
  });

  await site.step("an own page: Impressum, filled in, in the footer", async (take) => {
    take("pageStart");
    take("pageLink");
    await makeImpressum(site);
  });
}

/** Texts of the sample are found by its own names nowhere, and the console counts none of it. */
export async function checkNothingOfSample(caller: Caller, token: string): Promise<void> {
  const { models } = sampleAnswer.parse(JSON.parse(await caller.get("/api/admin/sample/", token)));
  if (models.length > 0) throw new Error(`sample content is left: ${JSON.stringify(models)}`);
  for (const lang of ["en", "tr"]) {
    const page = await caller.get(`/${lang}/cv`);
    if (!page.includes(OWN_NAME)) throw new Error(`/${lang}/cv isn't ${OWN_NAME}'s`);
    if (/<meta name="robots" content="[^"]*noindex/.test(page))
      throw new Error(`/${lang}/cv is kept from search engines`);
  }
}

/** As the console does: a start, its text with every blank filled, then shown. */
async function makeImpressum({ local }: OwnSite): Promise<void> {
  const token = await local.logIn(OWNER);
  const made = startedPage.parse(
    await local.send("POST", "/api/admin/pages/starts/", { start: "impressum" }, token),
  );
  const object = `/api/admin/models/${made.content_type_id}/objects/${made.id}/`;
  const hidden = await local.ask(`/${made.slug}`);
  if (hidden.status !== 404) throw new Error(`a hidden page answers ${hidden.status}`);
  const text = `## ${OWN_NAME}\n\n${ADDRESS}`;
  await local.send("PATCH", object, { body: { en: text, tr: text }, is_hidden: false }, token);
  await checkImpressum(local);
}

/** The page is there in both languages, and the footer of others leads to it. */
export async function checkImpressum(caller: Caller): Promise<void> {
  for (const lang of ["en", "tr"]) {
    if (!(await caller.get(`/${lang}/impressum`)).includes(ADDRESS))
      throw new Error(`no text at /${lang}/impressum`);
    const footer = /<footer.*<\/footer>/s.exec(await caller.get(`/${lang}/cv`))?.[0] ?? "";
    if (!footer.includes(`href="/${lang}/impressum"`))
      throw new Error(`no link in the footer of /${lang}/cv:\n${footer}`);
  }
}

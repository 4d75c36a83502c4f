import { expect, test } from "@playwright/test";
import callEn from "#locales/en/call.json" with { type: "json" };
import { findTones, readPeers, setTalking, toWatchScript } from "#test/voice/watch-peers.ts";
import { RawPage } from "./raw-browser.ts";
import { readSession } from "./sign-in.ts";
import { LIN, OWNER, Site } from "./site.ts";
import {
  closeContexts,
  createRoom,
  enterSite,
  expectToHear,
  face,
  join,
  MINA,
  type Talker,
  takeShownName,
  WITH_MICROPHONE,
} from "./voice-people.ts";

/** What browsers do with a page that nobody has touched, or nobody sees. Playwright's own pages are always both. */
test.use(WITH_MICROPHONE);
test.describe.configure({ mode: "default" });
let site: Site;
test.beforeAll(async () => {
  site = await Site.startPrepared();
  site.createSuperuser(MINA);
});
test.afterAll(() => site?.remove());

const OWN_TONE = 400;
const LINS_TONE = 700;
const MINAS_TONE = 1000;
let raw: RawPage | undefined;
test.afterEach(async () => {
  await closeContexts();
  await raw?.close();
  raw = undefined;
});

/** OWNER, in a browser without Playwright, at a room that LIN has made and is in. */
async function openRaw(slug: string): Promise<RawPage> {
  const page = await RawPage.open(toWatchScript(OWN_TONE));
  raw = page;
  const answer = await fetch(`${site.url}/api/users/login/`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: OWNER.username, password: OWNER.password }),
  });
  const { kept, token } = readSession(await answer.json());
  await takeShownName(site.url, token, OWNER);
  await page.goto(`${site.url}/robots.txt`);
  await expect.poll(() => page.evaluate(() => location.pathname, undefined)).toBe("/robots.txt");
  await page.evaluate((entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value);
  }, kept);
  await page.goto(`${site.url}/en/room/${slug}`);
  return page;
}

const expectText = (page: RawPage, text: string) =>
  expect.poll(() => page.readText(), { message: `"${text}" is shown` }).toContain(text);

const expectSpeaking = (talker: Talker, isSpeaking: boolean) =>
  expect(face(talker.page, OWNER.username).getByText(callEn.room.speaking, { exact: true })).toBeVisible({
    visible: isSpeaking,
  });

test("without a gesture Chromium lets no sound out: a bar says so, others see it, and a click lets it out", async ({
  browser,
}) => {
  const lin = await enterSite(browser, site, LIN);
  const { slug } = await createRoom(lin, "No gesture");
  await join(lin, slug);
  const page = await openRaw(slug);
  // A call that a script of the page begins, as one that is taken up again by itself would.
  await expect.poll(() => page.clickByScript(callEn.room.listen)).toBe(true);
  await expectText(page, callEn.notice.blocked);
  expect(await page.evaluate(() => navigator.userActivation.hasBeenActive, undefined)).toBe(false);
  await expect(lin.page.getByText("0 of 1 hear you")).toBeVisible();
  expect(await findTones(page, [LINS_TONE])).toEqual([]);
  await expect.poll(() => page.click(callEn.notice.clickToHear)).toBe(true);
  await expect.poll(() => findTones(page, [LINS_TONE])).toEqual([LINS_TONE]);
  await expect.poll(() => page.readText()).not.toContain(callEn.notice.blocked);
  await expect(lin.page.getByText("1 of 1 hear you")).toBeVisible();
});

test("a hidden tab goes on: it is heard, says when it speaks, and lets a newcomer in", async ({
  browser,
}) => {
  const lin = await enterSite(browser, site, LIN);
  const { slug } = await createRoom(lin, "Hidden");
  await join(lin, slug);
  const page = await openRaw(slug);
  await expect.poll(() => page.click(callEn.room.join)).toBe(true);
  await expectToHear(lin, [OWNER.username]);
  await page.setHidden(true);
  await expect.poll(() => page.evaluate(() => document.visibilityState, undefined)).toBe("hidden");

  await expectSpeaking(lin, true);
  await setTalking(page, false);
  await expectSpeaking(lin, false);
  await setTalking(page, true);
  await expectSpeaking(lin, true);
  await expectToHear(lin, [OWNER.username]);

  const mina = await enterSite(browser, site, MINA);
  await join(mina, slug);
  await expectToHear(mina, [OWNER.username, LIN.username]);
  await expect.poll(() => findTones(page, [LINS_TONE, MINAS_TONE])).toEqual([LINS_TONE, MINAS_TONE]);
  await expect(mina.page.getByText("2 of 2 hear you")).toBeVisible();
  expect(await page.evaluate(() => document.visibilityState, undefined)).toBe("hidden");

  // What happened meanwhile is there when it is shown again.
  await page.setHidden(false);
  await expectText(page, "3 online");
  await mina.page.getByRole("button", { name: callEn.room.leave, exact: true }).click();
  await expectText(page, "2 online");
  expect((await readPeers(page)).count).toBe(1);
});

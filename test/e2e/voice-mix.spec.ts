import { expect, test } from "@playwright/test";
import callEn from "#locales/en/call.json" with { type: "json" };
import { hasJanus, startJanus, type TestJanus } from "#test/voice/janus.ts";
import { readPeers } from "#test/voice/watch-peers.ts";
import { findBarriers } from "./barriers.ts";
import { LIN, OWNER, Site } from "./site.ts";
import {
  closeContexts,
  createRoom,
  enterSite,
  expectAllHeard,
  expectToHear,
  face,
  join,
  MINA,
  passTime,
  type Talker,
  WITH_MICROPHONE,
} from "./voice-people.ts";

/** Rooms that Debian's Janus mixes; `npm test` installs it where it may. */
test.skip(!hasJanus, "Janus is not installed");
test.use(WITH_MICROPHONE);
test.describe.configure({ mode: "default" });
let site: Site;
let janus: TestJanus;
test.beforeAll(async () => {
  janus = await startJanus();
  site = await Site.startPrepared();
  await site.stop();
  site.settings = { JANUS_URL: janus.url, JANUS_SECRET: janus.secret };
  await site.start();
  site.createSuperuser(MINA);
});
test.afterAll(async () => {
  await site?.remove();
  await janus?.close();
});
test.afterEach(closeContexts);

test("three hear each other over one connection each, in one room after the other; a moderator's mute holds", async ({
  browser,
}) => {
  const talkers = await Promise.all([OWNER, LIN, MINA].map((person) => enterSite(browser, site, person)));
  const [mine, lin, mina] = talkers as [Talker, Talker, Talker];
  const first = await createRoom(mine, "Mixed one", { max_participants: 20 });
  for (const talker of talkers) await join(talker, first.slug);
  await expectAllHeard(talkers);
  for (const { page } of talkers) {
    await expect(page.getByText(callEn.connection.mix)).toBeVisible();
    expect((await readPeers(page)).count).toBe(1);
  }
  expect(await findBarriers(mine.page)).toEqual([]);

  await face(mine.page, LIN.username).locator(".action-menu summary").click();
  await face(mine.page, LIN.username)
    .getByRole("button", { name: callEn.person.muteForAll, exact: true })
    .click();
  await expect(lin.page.getByText(callEn.notice.silenced)).toBeVisible();
  await expectToHear(mina, [OWNER.username]);
  const before = await readPeers(lin.page);
  await passTime(mine, lin, "silenced");
  expect((await readPeers(lin.page)).packetsSent).toBe(before.packetsSent);

  for (const { page } of talkers)
    await page.getByRole("button", { name: callEn.room.leave, exact: true }).click();
  const second = await createRoom(mine, "Mixed two", { max_participants: 50 });
  for (const talker of talkers) await join(talker, second.slug);
  await expectAllHeard(talkers);
});

test("who is in a mixed room hears again when Janus was started anew", async ({ browser }) => {
  const talkers = await Promise.all([OWNER, LIN].map((person) => enterSite(browser, site, person)));
  const { slug } = await createRoom(talkers[0] as Talker, "Mixed anew", { max_participants: 20 });
  for (const talker of talkers) await join(talker, slug);
  await expectAllHeard(talkers);
  await janus.restart();
  await expectAllHeard(talkers);

  // Nobody is let into a room that can't be heard.
  await janus.kill();
  const mina = await enterSite(browser, site, MINA);
  await mina.page.goto(`${site.url}/en/room/${slug}`);
  await mina.page.getByRole("button", { name: callEn.room.join, exact: true }).click();
  await expect(mina.page.getByText(callEn.fault.engine)).toBeVisible();
});

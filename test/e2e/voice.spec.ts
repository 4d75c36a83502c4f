import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "@playwright/test";
import callEn from "#locales/en/call.json" with { type: "json" };
import voiceEn from "#locales/en/voice.json" with { type: "json" };
import callTr from "#locales/tr/call.json" with { type: "json" };
import voiceTr from "#locales/tr/voice.json" with { type: "json" };
import { readPeers } from "#test/voice/watch-peers.ts";
import { findBarriers } from "./barriers.ts";
import { findFreePort, LIN, OWNER, Site } from "./site.ts";
import {
  closeContexts,
  createRoom,
  enterSite,
  expectAllHeard,
  expectToHear,
  face,
  join,
  MINA,
  NILS,
  passTime,
  type Talker,
  WITH_MICROPHONE,
} from "./voice-people.ts";

const TEXTS = { en: { voice: voiceEn, call: callEn }, tr: { voice: voiceTr, call: callTr } };
/** Debian's relay; `npm test` installs it where it may. */
const TURNSERVER = "/usr/bin/turnserver";

test.use(WITH_MICROPHONE);

// Rooms of one test are the next one's too, and the site is stopped in between.
test.describe.configure({ mode: "default" });
let site: Site;

/** The number that the API calls somebody by. */
async function readId({ page, token }: Talker): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await (await page.request.get(`${site.url}/api/users/me/`, { headers })).json()).id;
}

test.beforeAll(async () => {
  site = await Site.startPrepared();
  for (const person of [MINA, NILS]) site.createSuperuser(person);
});
test.afterAll(() => site?.remove());
test.afterEach(closeContexts);

for (const lang of ["en", "tr"] as const) {
  test(`somebody makes a room, talks, writes and leaves, by ${lang === "en" ? "mouse" : "thumb"} in ${lang}`, async ({
    browser,
  }) => {
    const { voice, call } = TEXTS[lang];
    const mine = await enterSite(browser, site, OWNER, { phone: lang === "tr" });
    const { page } = mine;
    await page.goto(`${site.url}/${lang}/rooms`);
    await expect(page.getByRole("heading", { level: 1, name: voice.rooms.title })).toBeVisible();
    await expect(page.locator(".rooms-count, .rooms-notice").first()).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("button", { name: voice.rooms.create, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: voice.create.title });
    const name = dialog.getByLabel(`${voice.create.name} *`);
    const submit = dialog.getByRole("button", { name: voice.create.submit, exact: true });
    await expect(submit).toBeDisabled();
    await name.fill("ab");
    await name.blur();
    await expect(dialog.getByText(voice.create.nameShort)).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);
    await name.fill(lang === "en" ? "Evening talk" : "Akşam sohbeti");
    await dialog.getByLabel(voice.create.public).check();
    await submit.click();

    await expect(page).toHaveURL(new RegExp(`/${lang}/room/(evening-talk|aksam-sohbeti)$`));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      lang === "en" ? "Evening talk" : "Akşam sohbeti",
    );
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: call.room.join, exact: true }).click();
    await expect(page.getByRole("toolbar", { name: call.room.bar })).toBeVisible();
    await expect(page.getByText(call.room.connected, { exact: true })).toBeVisible();
    await expect(face(page, call.room.you)).toBeVisible();

    await page.getByRole("button", { name: call.room.mute, exact: true }).click();
    await expect(face(page, call.room.you).getByText(call.room.muted, { exact: true })).toBeVisible();
    await page.getByLabel(call.text.label).fill("See https://example.org/a, please");
    await page.getByRole("button", { name: call.text.send, exact: true }).click();
    await expect(page.locator(".text-line a")).toHaveAttribute("href", "https://example.org/a");
    await page.getByRole("button", { name: call.room.settings, exact: true }).click();
    await expect(page.getByLabel(call.settings.sensitivity)).toHaveValue("25");
    expect(await findBarriers(page)).toEqual([]);
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(await isWide()).toBe(false);

    // A link that would end the call asks first.
    await page.getByRole("link", { name: call.room.back, exact: true }).click();
    const question = page.getByRole("dialog", { name: call.leave.title });
    await question.getByRole("button", { name: call.leave.stay, exact: true }).click();
    // So does Back.
    await page.goBack();
    await expect(question.getByText(call.leave.backText)).toBeVisible();
    await question.getByRole("button", { name: call.leave.stay, exact: true }).click();
    await expect(question).toBeHidden();
    await expect(page.getByRole("toolbar", { name: call.room.bar })).toBeVisible();
    await page.getByRole("button", { name: call.room.leave, exact: true }).click();
    await expect(page.getByText(call.over.left)).toBeVisible();
    // Nothing of the question is left in the browser's history: one step back is the list.
    await expect.poll(() => page.evaluate(() => history.state?.isCallGuard)).toBe(undefined);
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`/${lang}/rooms$`));
    expect(mine.complaints).toEqual([]);
  });
}

test("two hear each other, and who mutes sends no packet", async ({ browser }) => {
  const [mine, theirs] = [await enterSite(browser, site, OWNER), await enterSite(browser, site, LIN)];
  const { slug } = await createRoom(mine, "Two");
  await join(mine, slug);
  await join(theirs, slug);
  await expectAllHeard([mine, theirs]);
  for (const { page } of [mine, theirs]) await expect(page.getByText("1 of 1 hear you")).toBeVisible();
  const code = await mine.page.locator(".safety-code").textContent();
  await expect(theirs.page.locator(".safety-code")).toHaveText(code ?? "");

  await mine.page.getByRole("button", { name: callEn.room.mute, exact: true }).click();
  await expect(face(theirs.page, OWNER.username).getByText(callEn.room.muted, { exact: true })).toBeVisible();
  const before = await readPeers(mine.page);
  await passTime(mine, theirs, "muted");
  expect((await readPeers(mine.page)).packetsSent).toBe(before.packetsSent);
  await mine.page.getByRole("button", { name: callEn.room.unmute, exact: true }).click();
  await expect.poll(async () => (await readPeers(mine.page)).packetsSent).toBeGreaterThan(before.packetsSent);
  expect([...mine.complaints, ...theirs.complaints]).toEqual([]);
});

test("four hear each other; a moderator's mute and ban hold with everybody", async ({ browser }) => {
  const people = [OWNER, LIN, MINA, NILS];
  const talkers = await Promise.all(people.map((person) => enterSite(browser, site, person)));
  const [mine, lin, mina, nils] = talkers as [Talker, Talker, Talker, Talker];
  const { slug } = await createRoom(mine, "Four");
  await Promise.all(talkers.map((talker) => join(talker, slug)));
  await expectAllHeard(talkers);

  const choose = async (name: string, item: string) => {
    await face(mine.page, name).locator(".action-menu summary").click();
    await face(mine.page, name).getByRole("button", { name: item, exact: true }).click();
  };
  await choose(LIN.username, callEn.person.muteForAll);
  await expect(lin.page.getByText(callEn.notice.silenced)).toBeVisible();
  for (const { page } of [mine, mina, nils])
    await expect(face(page, LIN.username).getByText(callEn.room.silenced)).toBeVisible();
  for (const talker of [mina, nils]) {
    const others = [OWNER, MINA, NILS].map(({ username }) => username).filter((name) => name !== talker.name);
    await expectToHear(talker, others);
  }
  const before = await readPeers(lin.page);
  await passTime(mine, lin, "silenced");
  expect((await readPeers(lin.page)).packetsSent).toBe(before.packetsSent);

  await choose(LIN.username, callEn.person.ban);
  await mine.page.getByRole("dialog").getByRole("button", { name: callEn.person.ban, exact: true }).click();
  await expect(lin.page.getByText(callEn.over.banned)).toBeVisible();
  for (const { page } of [mine, mina, nils]) {
    await expect(face(page, LIN.username)).toBeHidden();
    await expect.poll(async () => (await readPeers(page)).count).toBe(2);
  }
  expect((await readPeers(lin.page)).count).toBe(0);
  await lin.page.reload();
  await lin.page.getByRole("button", { name: callEn.room.join, exact: true }).click();
  await expect(lin.page.getByText(callEn.fault.banned)).toBeVisible();
});

test("the newest tab has the call, and the old one says where it is", async ({ browser }) => {
  const [mine, theirs] = [await enterSite(browser, site, OWNER), await enterSite(browser, site, LIN)];
  const { slug } = await createRoom(mine, "Tabs");
  await join(mine, slug);
  await join(theirs, slug);
  await expectAllHeard([mine, theirs]);
  const tab = { ...mine, page: await mine.context.newPage() };
  await join(tab, slug);
  await expect(mine.page.getByText(callEn.over.replaced)).toBeVisible();
  await expectAllHeard([tab, theirs]);
  await mine.page.getByRole("button", { name: callEn.over.continueHere, exact: true }).click();
  await expect(tab.page.getByText(callEn.over.replaced)).toBeVisible();
  await expectAllHeard([mine, theirs]);
});

test("before the endpoint one sees who comes, also of a private room, and that it was closed or deleted", async ({
  browser,
}) => {
  const [mine, theirs] = [await enterSite(browser, site, OWNER), await enterSite(browser, site, LIN)];
  const { slug } = await createRoom(mine, "Endpoint", { is_public: false });
  await theirs.page.goto(`${site.url}/en/room/${slug}`);
  await expect(theirs.page.getByText("0 of 10 seats taken")).toBeVisible();
  await join(mine, slug);
  await expect(theirs.page.getByText("1 of 10 seats taken")).toBeVisible();
  const change = (method: "put" | "delete", data?: object) =>
    mine.page.request[method](`${site.url}/voice/rooms/${slug}`, {
      headers: { Authorization: `Bearer ${mine.token}` },
      ...(data && { data }),
    });
  await change("put", { is_active: false });
  await expect(theirs.page.getByText(callEn.room.closedText)).toBeVisible();
  await change("delete");
  await expect(theirs.page.getByText(voiceEn.rooms.missingText)).toBeVisible();
});

test("who leaves while the server is away is shown that others don't know it yet", async ({ browser }) => {
  const mine = await enterSite(browser, site, OWNER);
  const { slug } = await createRoom(mine, "Untold");
  await join(mine, slug);
  await site.kill();
  await expect(mine.page.getByText(callEn.notice.reconnecting)).toBeVisible();
  await mine.page.getByRole("button", { name: callEn.room.leave, exact: true }).click();
  await expect(mine.page.getByText(callEn.over.leaveFailed)).toBeVisible();
  await site.start();
});

test("a restart of the server interrupts nobody's sound, and a tab that is closed leaves at once", async ({
  browser,
}) => {
  const [mine, theirs] = [await enterSite(browser, site, OWNER), await enterSite(browser, site, LIN)];
  const { slug } = await createRoom(mine, "Restart");
  await join(mine, slug);
  await join(theirs, slug);
  await expectAllHeard([mine, theirs]);
  await site.kill();
  await expect(mine.page.getByText(callEn.notice.reconnecting)).toBeVisible();
  const before = await readPeers(mine.page);
  await expect
    .poll(async () => (await readPeers(mine.page)).packetsReceived)
    .toBeGreaterThan(before.packetsReceived + 50);
  await site.start();
  for (const { page } of [mine, theirs]) {
    await expect(page.getByText(callEn.connection.active, { exact: true }).last()).toBeVisible();
    await expect(page.getByText("2 online")).toBeVisible();
  }
  // The very connections of before: none was made anew.
  expect((await readPeers(mine.page)).packetsReceived).toBeGreaterThan(before.packetsReceived);
  await expect(mine.page.getByText("1 of 1 hear you")).toBeVisible();

  await theirs.page.close({ runBeforeUnload: true });
  await expect(face(mine.page, LIN.username)).toBeHidden();
});

test("who has no microphone, or doesn't give it, is shown why, and may listen", async ({ browser }) => {
  const [mine, theirs] = [await enterSite(browser, site, OWNER), await enterSite(browser, site, LIN)];
  const { slug } = await createRoom(mine, "Listener");
  await mine.context.addInitScript(() => {
    // The first question stays open.
    navigator.mediaDevices.getUserMedia = () => {
      const isFirst = sessionStorage.getItem("asked") === null;
      sessionStorage.setItem("asked", "yes");
      if (isFirst) return new Promise(() => undefined);
      return Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
    };
  });
  await mine.page.goto(`${site.url}/en/room/${slug}`);
  await mine.page.getByRole("button", { name: callEn.room.join, exact: true }).click();
  await expect(mine.page.getByRole("status").getByText(callEn.check.asking)).toBeVisible();
  await mine.page.getByRole("button", { name: callEn.person.cancel, exact: true }).click();
  await expect(mine.page.getByRole("button", { name: callEn.room.join, exact: true })).toBeEnabled();
  await mine.page.reload();
  await mine.page.getByRole("button", { name: callEn.room.join, exact: true }).click();
  await expect(mine.page.getByText(callEn.fault.microphoneRefused).first()).toBeVisible();
  await mine.page.getByRole("button", { name: callEn.room.listen, exact: true }).click();
  await expect(mine.page.getByRole("toolbar", { name: callEn.room.bar })).toBeVisible();
  await join(theirs, slug);
  await expectToHear(mine, [LIN.username]);
  await expect(face(theirs.page, OWNER.username).getByText(callEn.room.noMicrophone)).toBeVisible();
  expect((await readPeers(mine.page)).packetsSent).toBe(0);
});

test("addresses are hidden in a public room where the site has a relay", async ({ browser }) => {
  test.skip(!existsSync(TURNSERVER), "coturn is not installed");
  await site.stop();
  site.settings = { TURN: "local", TURN_PORT: String(await findFreePort()) };
  await site.start();
  const talkers = await Promise.all([OWNER, LIN, MINA].map((person) => enterSite(browser, site, person)));
  const [mine] = talkers as [Talker, Talker, Talker];
  const { slug } = await createRoom(mine, "Relay");
  await Promise.all(talkers.map((talker) => join(talker, slug)));
  await expectAllHeard(talkers);
  for (const { page } of talkers) {
    expect((await readPeers(page)).paths).toEqual(["relay", "relay"]);
    await expect(page.getByText(callEn.connection.hidden)).toBeVisible();
  }
});

test("a path that is cut is shown to both, and sound is back with it", async ({ browser }) => {
  test.skip(!existsSync(TURNSERVER), "coturn is not installed");
  const talkers = await Promise.all([OWNER, LIN].map((person) => enterSite(browser, site, person)));
  const [mine, theirs] = talkers as [Talker, Talker];
  const { slug } = await createRoom(mine, "Tunnel");
  await Promise.all(talkers.map((talker) => join(talker, slug)));
  await expectAllHeard(talkers);
  const relays = execFileSync("pgrep", ["-f", `turnserver.*${site.dataDir}`], { encoding: "utf8" });
  const signal = (name: NodeJS.Signals) => {
    for (const pid of relays.trim().split("\n")) process.kill(Number(pid), name);
  };
  signal("SIGSTOP");
  try {
    for (const { page } of talkers) await expect(page.getByText(callEn.link.lost)).toBeVisible();
  } finally {
    signal("SIGCONT");
  }
  await expectAllHeard(talkers);
  for (const { page } of talkers) await expect(page.locator(".trouble")).toHaveCount(0);
  await expect(theirs.page.getByText("1 of 1 hear you")).toBeVisible();
});

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing in the states that fewer people meet, on a phone in ${theme}`, async ({
    browser,
  }) => {
    const [mine, theirs] = [await enterSite(browser, site, OWNER), await enterSite(browser, site, LIN)];
    const { page } = mine;
    await page.setViewportSize({ width: 320, height: 740 });
    await page.emulateMedia({ colorScheme: theme });
    const check = async (state: string) => {
      expect(await findBarriers(page), state).toEqual([]);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(isWide, `${state} scrolls sideways`).toBe(false);
    };
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const dialog = page.getByRole("dialog");

    const closed = await createRoom(mine, `Closed ${theme}`);
    await page.request.put(`${site.url}/voice/rooms/${closed.slug}`, {
      headers: { Authorization: `Bearer ${mine.token}` },
      data: { is_active: false },
    });
    await page.goto(`${site.url}/en/rooms`);
    await page.getByText(voiceEn.rooms.list, { exact: true }).click();
    await expect(page.getByText(`Closed ${theme}`).first()).toBeVisible();
    await page.locator(".action-menu summary").first().click();
    await check("the list as rows, a closed room, a room's menu");
    await page.goto(`${site.url}/en/room/nowhere-at-all`);
    await expect(page.getByText(voiceEn.rooms.missingText)).toBeVisible();
    await check("no such room");

    const { slug } = await createRoom(mine, `States ${theme}`);
    await join(theirs, slug);
    await join(mine, slug);
    await expectToHear(mine, [LIN.username]);
    await expect(page.locator(".safety-code")).toBeVisible();
    const menu = face(page, LIN.username).locator(".action-menu");
    await menu.locator("summary").click();
    await check("a person's menu");
    const items = await menu.locator(".menu-items").boundingBox();
    expect(items && items.x >= 0 && items.x + items.width <= 320).toBe(true);
    // A press on a word in the menu closes nothing, and ends no call.
    await menu.getByText(callEn.person.volume, { exact: true }).click();
    await expect(menu.getByRole("slider")).toBeVisible();
    await menu.getByRole("button", { name: callEn.person.report, exact: true }).click();
    await dialog.getByLabel(callEn.person.reportReason).fill("Loud");
    await check("a report");
    await dialog.getByRole("button", { name: callEn.person.cancel, exact: true }).click();
    await menu.locator("summary").click();
    await menu.getByRole("button", { name: callEn.person.ban, exact: true }).click();
    await check("the question before somebody is barred");
    await dialog.getByRole("button", { name: voiceEn.rooms.cancel, exact: true }).click();
    await press(callEn.room.settings);
    await press(callEn.person.blocks);
    await expect(dialog.getByText(callEn.person.noBlocks)).toBeVisible();
    await check("whom one has blocked");
    await dialog.getByRole("button", { name: callEn.settings.close, exact: true }).click();
    await page.getByLabel(callEn.settings.pushToTalk).check();
    await expect(page.getByRole("button", { name: callEn.room.pushToTalk })).toBeVisible();
    await check("push to talk");
    await page.getByLabel(callEn.settings.pushToTalk).uncheck();
    await page.getByRole("link", { name: callEn.room.back, exact: true }).click();
    await check("the question before a link leads away");
    await dialog.getByRole("button", { name: callEn.leave.stay, exact: true }).click();

    await theirs.page.request.delete(`${site.url}/voice/rooms/${slug}/participants/${await readId(mine)}`, {
      headers: { Authorization: `Bearer ${theirs.token}` },
    });
    await expect(page.getByText(callEn.over.removed)).toBeVisible();
    await check("removed by a moderator");
    await press(callEn.room.listen);
    await expect(page.getByRole("toolbar", { name: callEn.room.bar })).toBeVisible();
    await check("listening only");
    const tab = { ...mine, page: await mine.context.newPage() };
    await join(tab, slug);
    await expect(page.getByText(callEn.over.replaced)).toBeVisible();
    await check("gone on in another tab");
  });
}

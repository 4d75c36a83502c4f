import { setTimeout as pause } from "node:timers/promises";
import { REFRESH_TOKEN_KEY } from "#providers/browser-storage.ts";
import { signIn } from "../../test/e2e/sign-in.ts";
import { addMembers, becomeOwner, call, PASSWORD } from "../cluster/people.ts";
import { openClusterSite, type SiteProcess } from "../cluster/site.ts";
import { findFreePort } from "../outbox/server-process.ts";
import {
  approach,
  createRoom,
  enter,
  findDeafPairs,
  leave,
  measureJoin,
  median,
  openBrowser,
  openTalker,
  readGap,
  type Talker,
  watchGaps,
} from "./talkers.ts";

type Report = (what: string, value: string, bar: string, isGood: boolean) => void;

/** The first and the third are on the first process, the others on the second. The first is the host. */
const NAMES = ["owner", "berk", "cleo", "dora"];
const JOINS = { rounds: 4, talking: 3 };
/** The longest pause of a client that comes back is 5 s. */
const BACK_MS = 6_000;
const AWAY_MS = 5_000;
/** Two cores start a process meanwhile. A link that is made anew counts as silent for good. */
const GAP_MS = 500;
const SHOWN_MS = 1_000;

const toPerson = (username: string) => ({ username, email: `${username}@example.org`, password: PASSWORD });
const face = ({ page }: Talker, name: string) => page.locator(".face", { hasText: name });

/** Joins of the last one in two rooms: which process keeps a room is chance. */
const measureJoins = async (talkers: readonly Talker[]) =>
  median([...(await measureJoin(talkers, JOINS)), ...(await measureJoin(talkers, JOINS))]);

async function time(steps: readonly Promise<unknown>[]): Promise<number> {
  const begin = performance.now();
  await Promise.all(steps);
  return performance.now() - begin;
}

async function say(from: Talker, to: readonly Talker[], text: string): Promise<void> {
  await from.page.getByLabel("Line to everybody").fill(text);
  await from.page.getByRole("button", { name: "Send", exact: true }).click({ timeout: 1_500 });
  await Promise.all(to.map(({ page }) => page.getByText(text, { exact: true }).waitFor({ timeout: 1_500 })));
}

/** Until each is shown the same people, everybody's line reaches everybody, and everybody hears everybody. @returns milliseconds */
async function untilWhole(talkers: readonly Talker[]): Promise<number> {
  const begin = performance.now();
  const names = talkers.map(({ name }) => name).sort();
  for (const { page, name } of talkers) {
    await page.locator(".fact", { hasText: "Signalling" }).locator("dd", { hasText: "Active" }).waitFor();
    await page.locator(".badge", { hasText: `${talkers.length} online` }).waitFor();
    const shown = await page.locator(".face-name").allTextContents();
    if (shown.sort().join() !== names.join()) throw new Error(`${name} is shown ${shown}, not ${names}`);
  }
  for (let isWhole = false; !isWhole; ) {
    const at = performance.now();
    if (at - begin > 60_000) throw new Error("lines don't reach everybody");
    const sent = talkers.map((talker) => say(talker, talkers, `${talker.name} at ${at}`));
    isWhole = (await Promise.allSettled(sent)).every(({ status }) => status === "fulfilled");
  }
  const whole = performance.now() - begin;
  const deaf = await findDeafPairs(talkers, 5_000);
  if (deaf.length > 0) throw new Error(`don't hear: ${deaf.join(", ")}`);
  return whole;
}

/** What each one does is shown to the three others. @returns milliseconds */
async function measureMutes(talkers: readonly Talker[]): Promise<number> {
  const times: number[] = [];
  for (const talker of talkers) {
    const others = talkers.filter((other) => other !== talker);
    for (const [name, state] of [
      ["Mute", "visible"],
      ["Unmute", "hidden"],
    ] as const) {
      await talker.page.getByRole("button", { name, exact: true }).click();
      const tags = others.map((other) => face(other, talker.name).locator(".tag-muted"));
      times.push(await time(tags.map((tag) => tag.waitFor({ state }))));
    }
  }
  return Math.max(...times);
}

/** The host mutes and removes people at the other process; somebody leaves. @returns milliseconds until all are shown it */
async function measureHost(talkers: readonly Talker[]): Promise<number[]> {
  const [host, berk, cleo, dora] = talkers as [Talker, Talker, Talker, Talker];
  const choose = async (name: string, item: string) => {
    await face(host, name).locator(".action-menu summary").click();
    await face(host, name).getByRole("button", { name: item, exact: true }).click();
  };
  const gone = (from: readonly Talker[], { name }: Talker) =>
    from.map((talker) => face(talker, name).waitFor({ state: "detached" }));
  await choose(berk.name, "Mute for all");
  const muted = await time([
    berk.page.getByText("A moderator has muted you.").waitFor(),
    ...[host, cleo, dora].map((one) => face(one, berk.name).getByText("Muted by a moderator").waitFor()),
  ]);
  // What is on its way is still played.
  await pause(SHOWN_MS);
  if (!(await findDeafPairs([cleo, berk], 0)).includes(`${cleo.name} ← ${berk.name}`))
    throw new Error("who is muted by the host is heard");
  await choose(dora.name, "Remove from room");
  await host.page.getByRole("dialog").getByRole("button", { name: "Remove from room", exact: true }).click();
  const told = dora.page.getByText("A moderator has removed you").waitFor();
  const removed = await time([told, ...gone([host, berk, cleo], dora)]);
  await leave(cleo);
  return [muted, removed, await time(gone([host, berk], cleo))];
}

/** Four in a room of a site of two processes, over one PostgreSQL and one Redis. */
export async function measureProcesses(report: Report): Promise<void> {
  const within = (what: string, ms: number, barMs: number) =>
    report(what, `${Math.round(ms)} ms`, `≤ ${Math.round(barMs)} ms`, ms <= barMs);
  const site = await openClusterSite();
  const browser = await openBrowser();
  try {
    const ports = [await findFreePort(), await findFreePort()];
    const start = (index: number) => site.add({ port: ports[index] ?? 0 });
    const processes = [await start(0)];
    const first = processes[0] as SiteProcess;
    const members = [await becomeOwner(first), ...(await addMembers(site, NAMES.slice(1), 1, () => first))];
    const talkers: Talker[] = [];
    for (const [index, { headers }] of members.entries()) {
      const person = toPerson(NAMES[index] ?? "");
      const body = { show_profile: false, shown_name: person.username };
      await call(first, "PUT", "/voice/users/privacy-settings", { headers, body });
      talkers.push(await openTalker(browser, first, person, index));
    }
    const alone = await measureJoins(talkers);
    processes.push(await start(1));
    for (const talker of talkers.filter((_, index) => index % 2 === 1)) {
      talker.url = processes[1]?.url ?? "";
      talker.token = await signIn(talker.page, talker.url, toPerson(talker.name));
    }
    const what = `Join → first sound, 4 at two processes (at one: ${Math.round(alone)} ms)`;
    within(what, await measureJoins(talkers), alone * 1.5);

    const slug = await createRoom(talkers[0] as Talker);
    for (const talker of talkers) await approach(talker, slug);
    for (const talker of talkers) await enter(talker);
    await untilWhole(talkers);
    within("mute, unmute → shown to all others", await measureMutes(talkers), SHOWN_MS);
    const measure = async (what: string, disturb: () => Promise<void>) => {
      await Promise.all(talkers.map(watchGaps));
      await disturb();
      const back = await untilWhole(talkers);
      const gaps = await Promise.all(talkers.map(readGap));
      within(`${what}: longest time without a packet`, Math.max(...gaps), GAP_MS);
      within("  back → everybody's lines and voices reach everybody", back, BACK_MS);
    };
    // Which of the two keeps the room is chance: each is killed twice.
    for (const index of [1, 0, 1, 0])
      await measure(`process ${index + 1} of 2 killed and started`, async () => {
        await processes[index]?.stop("SIGKILL");
        processes[index] = await start(index);
      });
    await measure(`Redis away for ${AWAY_MS / 1000} s`, async () => {
      await site.redis.kill();
      await pause(AWAY_MS);
      await site.redis.start();
    });
    const [muted = 0, removed = 0, left = 0] = await measureHost(talkers);
    within("mute by the host → shown to all", muted, SHOWN_MS);
    within("removal by the host → shown to all", removed, SHOWN_MS);
    within("somebody leaves → shown to all", left, SHOWN_MS);
    let signedOut = 0;
    for (const { page } of talkers)
      if (!(await page.evaluate((key) => localStorage.getItem(key), REFRESH_TOKEN_KEY))) signedOut += 1;
    report("people who were signed out", `${signedOut} of ${NAMES.length}`, "0", signedOut === 0);
  } finally {
    await browser.close();
    await site.close();
  }
}

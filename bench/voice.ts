import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { hasJanus, startJanus } from "#test/voice/janus.ts";
import { readPeers } from "#test/voice/watch-peers.ts";
import { findFreePort, type Site } from "../test/e2e/site.ts";
import { measureProcesses } from "./voice/measure-processes.ts";
import { measureRooms } from "./voice/measure-rooms.ts";
import {
  approach,
  createRoom,
  enter,
  enterListening,
  findDeafPairs,
  findDeafPairsByTurns,
  leave,
  letTalk,
  measureJoin,
  median,
  openBrowser,
  openMicrophone,
  openTalkers,
  PEOPLE,
  readFirstSounds,
  readGap,
  startSite,
  type Talker,
  watchGaps,
} from "./voice/talkers.ts";

/**
 * `npm run bench:voice [name …]`: voice rooms with real sound in real Chromium, all on this machine. Every figure is read at
 * the receivers: tones of each person at the loudspeaker, packets by getStats. Names: join, links, churn, packets, loss,
 * restart, processes, janus, rooms; all of them without a name.
 */
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
let isMissed = false;

function report(what: string, value: string, bar: string, isGood: boolean): void {
  if (!isGood) isMissed = true;
  console.log(`${isGood ? "  " : "✗ "}${what.padEnd(66)} ${value.padStart(22)}   bar ${bar}`);
}

/** `talking`: of the others. Seven voices that never pause are more than two cores can mix for eight people. */
const JOIN_BARS = new Map([
  [2, { max: 250, reference: 83, talking: 1 }],
  [4, { max: 400, reference: 109, talking: 3 }],
  [8, { max: 800, reference: 160, talking: 2 }],
]);

async function benchJoin(): Promise<void> {
  const site = await startSite();
  const browser = await openBrowser();
  try {
    const everybody = await openTalkers(browser, site, 8);
    for (const [count, { max, reference, talking }] of JOIN_BARS) {
      const times = await measureJoin(everybody.slice(0, count), { rounds: 7, talking });
      const value = `${Math.round(median(times))} ms (to ${Math.round(Math.max(...times))})`;
      report(
        `Join → first sound, ${count} people, ${talking} talking (spike ${reference} ms)`,
        value,
        `≤ ${max} ms`,
        median(times) <= max,
      );
    }
  } finally {
    await browser.close();
    await site.remove();
  }
}

async function benchRelayJoin(): Promise<void> {
  if (!existsSync("/usr/bin/turnserver")) return console.log("  relay: skipped, coturn is not installed");
  const site = await startSite({ TURN: "local", TURN_PORT: String(await findFreePort()) });
  const browser = await openBrowser();
  try {
    const talkers = await openTalkers(browser, site, 4);
    const times: number[] = [];
    const slug = await createRoom(talkers[0] as Talker, { is_public: true });
    for (const talker of talkers) await approach(talker, slug);
    for (const talker of talkers.slice(0, -1)) await enter(talker);
    const last = talkers.at(-1) as Talker;
    for (let round = 0; round < 7; round += 1) {
      await openMicrophone(last);
      await pause(500);
      await enter(last);
      times.push(...(await readFirstSounds(last, 3)));
      const { paths } = await readPeers(last.page);
      if (paths.some((path) => path !== "relay")) throw new Error(`not by the relay: ${paths}`);
      await leave(last);
    }
    const value = `${Math.round(median(times))} ms (to ${Math.round(Math.max(...times))})`;
    report("the same through coturn alone, 4 people", value, "≤ 700 ms", median(times) <= 700);
    await benchLoss(site, talkers);
  } finally {
    await browser.close();
    await site.remove();
  }
}

/** The relay stands still, as a network that is gone; then goes on. */
async function benchLoss(site: Site, talkers: readonly Talker[]): Promise<void> {
  const pair = talkers.slice(0, 2) as [Talker, Talker];
  for (const talker of talkers.slice(1, -1)) await leave(talker);
  await enter(pair[1]);
  if ((await findDeafPairs(pair, 10_000)).length > 0) throw new Error("the two don't hear each other");
  const pid = execFileSync("pgrep", ["-f", `turnserver.*${site.dataDir}`], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map(Number);
  const signal = (name: NodeJS.Signals) => {
    for (const id of pid) process.kill(id, name);
  };
  const begin = performance.now();
  signal("SIGSTOP");
  await pair[0].page.locator(".trouble").first().waitFor();
  const noticed = (performance.now() - begin) / 1000;
  await pause(4000);
  const back = performance.now();
  signal("SIGCONT");
  await findDeafPairs(pair, 15_000);
  const restored = (performance.now() - back) / 1000;
  report("path lost → noticed, of somebody who speaks", `${noticed.toFixed(1)} s`, "≤ 3 s", noticed <= 3);
  report("path back → sound at both", `${restored.toFixed(1)} s`, "≤ 1 s", restored <= 1);
}

/** Of the server's process, by the kernel's clock of 10 ms. */
function readCpuMs({ pid }: { pid?: number | undefined }): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function benchLinks(): Promise<void> {
  const site = await startSite();
  const browser = await openBrowser();
  try {
    const everybody = await openTalkers(browser, site, 10);
    for (const count of [2, 4, 8, 10]) {
      const talkers = everybody.slice(0, count);
      const slug = await createRoom(talkers[0] as Talker);
      for (const talker of talkers) await approach(talker, slug);
      await letTalk(talkers, 1);
      const before = readCpuMs(site);
      for (const talker of talkers) await enter(talker);
      const deaf = await findDeafPairsByTurns(talkers, 5000);
      const all = count * (count - 1);
      report(
        `links that carry the right voice, ${count} people`,
        `${all - deaf.length} of ${all}`,
        "all",
        deaf.length === 0,
      );
      if (count === 8)
        console.log(`  server CPU of 8 people who join: ${readCpuMs(site) - before} ms (clock of 10 ms)`);
      for (const talker of talkers) await leave(talker);
    }
  } finally {
    await browser.close();
    await site.remove();
  }
}

async function benchRooms(): Promise<void> {
  const site = await startSite();
  try {
    const figures = await measureRooms(site, PEOPLE, () => readCpuMs(site));
    const { latencies, sentPerS, receivedPerS, cpuShare } = figures;
    const worst = latencies.sort((one, other) => one - other)[Math.floor(latencies.length * 0.99)] ?? 0;
    console.log(
      `  100 rooms of 8 who speak in turns, signalling: ${(cpuShare * 100).toFixed(1)} % of a core; ` +
        `${Math.round(sentPerS)} messages in, ${Math.round(receivedPerS)} out each second; ` +
        `heard after ${median(latencies).toFixed(1)} ms, 99 % within ${worst.toFixed(1)} ms`,
    );
  } finally {
    await site.remove();
  }
}

/** Somebody's sound comes back from Janus, mixed with the others'. */
async function benchJanus(): Promise<void> {
  if (!hasJanus) return console.log("  janus: skipped, Janus is not installed");
  const janus = await startJanus();
  const site = await startSite({ JANUS_URL: janus.url, JANUS_SECRET: janus.secret });
  const browser = await openBrowser();
  try {
    const everybody = await openTalkers(browser, site, 20);
    for (const [count, talkerCount] of [
      [8, 8],
      // Twenty microphones are more than two cores can serve beside twenty loudspeakers.
      [20, 2],
    ] as const) {
      const [talkers, listeners] = [everybody.slice(0, talkerCount), everybody.slice(talkerCount, count)];
      const slug = await createRoom(everybody[0] as Talker, { max_participants: 20 });
      for (const talker of talkers) await approach(talker, slug);
      await letTalk(talkers, 1);
      for (const talker of talkers) await enter(talker);
      for (const listener of listeners) await enterListening(listener, slug);
      const deaf = await findDeafPairsByTurns(talkers, 8000, listeners);
      const all = talkerCount * (count - 1);
      report(
        `mixed by Janus: who hears whom, ${count} people, ${talkerCount} microphones`,
        `${all - deaf.length} of ${all}`,
        "all",
        deaf.length === 0,
      );
      for (const talking of new Set([1, talkerCount])) {
        await letTalk(talkers, talking);
        await pause(1000);
        const before = readCpuMs(janus);
        await pause(10_000);
        const share = (readCpuMs(janus) - before) / 10_000 / count;
        report(
          `Janus' CPU for each of ${count} people, ${talking} talking`,
          `${(share * 100).toFixed(1)} % of a core`,
          "≤ 3 %",
          share <= 0.03,
        );
      }
      for (const talker of [...talkers, ...listeners]) await leave(talker);
    }
  } finally {
    await browser.close();
    await site.remove();
    await janus.close();
  }
}

/** Six people come and go, sixty times; whoever is there hears everybody who is. */
async function benchChurn(): Promise<void> {
  const site = await startSite();
  const browser = await openBrowser();
  try {
    const talkers = await openTalkers(browser, site, 6);
    const slug = await createRoom(talkers[0] as Talker);
    for (const talker of talkers) await approach(talker, slug);
    const inside = new Set<Talker>();
    let deaf = 0;
    let joins = 0;
    while (joins < 60) {
      // Two at the same moment: that is where offers cross.
      const outside = talkers.filter((talker) => !inside.has(talker)).slice(0, 2);
      await Promise.all(outside.map((talker) => enter(talker)));
      for (const talker of outside) inside.add(talker);
      joins += outside.length;
      if (inside.size === talkers.length || Math.random() < 0.4) {
        deaf += (await findDeafPairs([...inside], 10_000)).length;
        const going = [...inside].sort(() => Math.random() - 0.5).slice(0, 3);
        await Promise.all(going.map((talker) => leave(talker)));
        for (const talker of going) inside.delete(talker);
      }
    }
    report(`pairs without sound after 10 s, ${joins} joins`, String(deaf), "0", deaf === 0);
  } finally {
    await browser.close();
    await site.remove();
  }
}

async function benchPackets(): Promise<void> {
  const site = await startSite();
  const browser = await openBrowser();
  try {
    const [mine, theirs] = (await openTalkers(browser, site, 2)) as [Talker, Talker];
    const slug = await createRoom(mine);
    for (const talker of [mine, theirs]) {
      await approach(talker, slug);
      await enter(talker);
    }
    await findDeafPairs([mine, theirs], 10_000);
    const count = async (seconds: number) => {
      const before = (await readPeers(mine.page)).packetsSent;
      await pause(seconds * 1000);
      return ((await readPeers(mine.page)).packetsSent - before) / seconds;
    };
    const speaking = await count(5);
    await mine.page.getByRole("button", { name: "Mute", exact: true }).click();
    await pause(300);
    const muted = await count(5);
    report(`packets a second, muted (speaking ${speaking.toFixed(0)})`, muted.toFixed(1), "0", muted === 0);
    await mine.page.getByRole("button", { name: "Unmute", exact: true }).click();
    await mine.page.getByRole("button", { name: "Settings", exact: true }).click();
    // The gain at 0 is silence at the gate.
    await mine.page.getByLabel("Microphone volume").fill("0");
    await pause(1500);
    const silent = await count(5);
    report("packets a second, silent", silent.toFixed(1), "≤ 6", silent <= 6);
  } finally {
    await browser.close();
    await site.remove();
  }
}

async function benchRestart(): Promise<void> {
  const site = await startSite();
  const browser = await openBrowser();
  try {
    const talkers = await openTalkers(browser, site, 3);
    const slug = await createRoom(talkers[0] as Talker);
    for (const talker of talkers) {
      await approach(talker, slug);
      await enter(talker);
    }
    if ((await findDeafPairs(talkers, 10_000)).length > 0) throw new Error("they don't hear each other");
    const first = talkers[0] as Talker;
    await watchGaps(first);
    await pause(500);
    await site.kill();
    await pause(3000);
    await site.start();
    const back = performance.now();
    for (const { page } of talkers) {
      await page.locator(".badge", { hasText: "3 online" }).waitFor();
      await page.locator(".fact", { hasText: "Signalling" }).locator("dd", { hasText: "Active" }).waitFor();
    }
    const roster = (performance.now() - back) / 1000;
    const gap = await readGap(first);
    const deaf = await findDeafPairs(talkers, 3000);
    report(
      "server killed and started: longest time without a packet",
      `${Math.round(gap)} ms`,
      "uninterrupted (≤ 250)",
      gap <= 250,
    );
    report(
      "roster right after it is back",
      `${roster.toFixed(1)} s`,
      "≤ 6 s",
      roster <= 6 && deaf.length === 0,
    );
  } finally {
    await browser.close();
    await site.remove();
  }
}

if (isWanted("join")) await benchJoin();
if (isWanted("loss")) await benchRelayJoin();
if (isWanted("links")) await benchLinks();
if (isWanted("packets")) await benchPackets();
if (isWanted("restart")) await benchRestart();
if (isWanted("processes")) await measureProcesses(report);
if (isWanted("churn")) await benchChurn();
if (isWanted("janus")) await benchJanus();
if (isWanted("rooms")) await benchRooms();
process.exitCode = isMissed ? 1 : 0;

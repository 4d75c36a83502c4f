import { setTimeout as pause } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findTones, setTalking, watchPeers } from "#test/voice/watch-peers.ts";
import { signIn } from "../../test/e2e/sign-in.ts";
import { OWNER, type Person, Site } from "../../test/e2e/site.ts";

/** Somebody in a room, with a browser context and a voice of their own. */
export interface Talker {
  name: string;
  /** Of the process of the site that their browser talks to. */
  url: string;
  tone: number;
  page: Page;
  context: BrowserContext;
  token: string;
}

interface Timed {
  clickedAt: number | undefined;
  firstSounds: number[];
}

/** Runs in the page: when Join was clicked, and when each remote stream was first heard on its way to the loudspeaker. */
function timeJoins(): void {
  const timed: Timed = { clickedAt: undefined, firstSounds: [] };
  (window as unknown as { foyerTimed: Timed }).foyerTimed = timed;
  const samples = new Float32Array(256);
  let silent: AnalyserNode[] = [];
  const listen = (clickedAt: number) => {
    if (timed.clickedAt !== clickedAt) return;
    silent = silent.filter((analyser) => {
      analyser.getFloatTimeDomainData(samples);
      if (!samples.some((sample) => Math.abs(sample) > 0.001)) return true;
      timed.firstSounds.push(performance.now() - clickedAt);
      return false;
    });
    // Who joined long ago must not be slowed down by being measured.
    if (performance.now() - clickedAt < 10_000) setTimeout(() => listen(clickedAt), 5);
  };
  window.addEventListener(
    "click",
    ({ target }) => {
      if (!(target instanceof Element) || !target.closest(".join-buttons")) return;
      timed.clickedAt = performance.now();
      timed.firstSounds = [];
      silent = [];
      listen(timed.clickedAt);
    },
    { capture: true },
  );
  const create = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function (this: AudioContext, stream: MediaStream) {
    const source = create.call(this, stream);
    // One's own microphone is plugged in before the click.
    if (timed.clickedAt === undefined || performance.now() - timed.clickedAt > 10_000) return source;
    const analyser = new AnalyserNode(this, { fftSize: 256 });
    source.connect(analyser);
    silent.push(analyser);
    return source;
  };
}

const toTone = (index: number) => 400 + 220 * index;

/** The owner, and nineteen others who may do everything. */
export const PEOPLE: readonly Person[] = Array.from({ length: 20 }, (_, index) =>
  index === 0
    ? OWNER
    : { username: `talker${index}`, email: `talker${index}@example.org`, password: OWNER.password },
);

export async function startSite(settings: Record<string, string> = {}): Promise<Site> {
  const site = new Site();
  site.settings = settings;
  await site.start();
  for (const person of PEOPLE) site.createSuperuser(person);
  return site;
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.FOYER_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
    ],
  });
}

/** The `index`-th voice. */
export async function openTalker(
  browser: Browser,
  { url }: Pick<Site, "url">,
  person: Person,
  index: number,
): Promise<Talker> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  await watchPeers(context, toTone(index));
  await context.addInitScript(timeJoins);
  const page = await context.newPage();
  const token = await signIn(page, url, person);
  return { name: person.username, url, tone: toTone(index), page, context, token };
}

export function openTalkers(browser: Browser, site: Site, count: number): Promise<Talker[]> {
  return Promise.all(PEOPLE.slice(0, count).map((person, index) => openTalker(browser, site, person, index)));
}

export async function createRoom({ url, page, token }: Talker, more: object = {}): Promise<string> {
  const answer = await page.request.post(`${url}/voice/rooms`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { name: `Bench ${Math.random().toString(36).slice(2)}`, max_participants: 12, ...more },
  });
  return (await answer.json()).room_slug;
}

/** Before the join: the sound check has the microphone, and the socket stands. */
export async function approach(talker: Talker, slug: string): Promise<void> {
  await talker.page.goto(`${talker.url}/en/room/${slug}`);
  await openMicrophone(talker);
}

/** Before the click on Join: what is plugged in after it is taken for somebody else's sound. */
export async function openMicrophone({ page }: Talker): Promise<void> {
  await page.evaluate(() => {
    const { foyerTimed } = window as unknown as { foyerTimed: Timed };
    foyerTimed.clickedAt = undefined;
  });
  await page.locator(".join-buttons").waitFor();
  const turnOn = page.getByRole("button", { name: "Turn on microphone" });
  const level = page.locator(".level-bar");
  // Where the browser gave leave before it turns itself on, and the button goes under the click.
  await Promise.race([turnOn.click().catch(() => level.waitFor()), level.waitFor()]);
  await level.waitFor();
}

export async function enter({ page }: Talker): Promise<void> {
  await page.getByRole("button", { name: /^(Join Channel|Continue here)$/ }).click();
  await page.locator(".call-bar").waitFor();
}

/** Without a microphone. */
export async function enterListening({ url, page }: Talker, slug: string): Promise<void> {
  await page.goto(`${url}/en/room/${slug}`);
  await page.getByRole("button", { name: "Listen only" }).click();
  await page.locator(".call-bar").waitFor();
}

export async function leave({ page }: Talker): Promise<void> {
  await page.getByRole("button", { name: "Leave Channel" }).click();
  await page.locator(".join-buttons").waitFor();
}

/** Milliseconds from the click to each remote sound, once `count` are there. */
export async function readFirstSounds({ page }: Talker, count: number): Promise<number[]> {
  const handle = await page.waitForFunction(
    (wanted) => {
      const { firstSounds } = (window as unknown as { foyerTimed: Timed }).foyerTimed;
      return firstSounds.length >= wanted ? firstSounds : undefined;
    },
    count,
    { timeout: 15_000 },
  );
  return (await handle.jsonValue()) ?? [];
}

/** Pairs of which one does not hear the other's own tone within the limit; empty is right. */
export async function findDeafPairs(talkers: readonly Talker[], limitMs: number): Promise<string[]> {
  const end = performance.now() + limitMs;
  let deaf: string[] = [];
  do {
    const found = await Promise.all(
      talkers.map(async (talker) => {
        const others = talkers.filter((other) => other !== talker);
        const heard = await findTones(
          talker.page,
          others.map(({ tone }) => tone),
        );
        return others
          .filter(({ tone }) => !heard.includes(tone))
          .map(({ name }) => `${talker.name} ← ${name}`);
      }),
    );
    deaf = found.flat();
  } while (deaf.length > 0 && performance.now() < end);
  return deaf;
}

/** Everybody talks in turn, so that a machine of two cores can do it: pairs of which one does not hear the other. */
export async function findDeafPairsByTurns(
  talkers: readonly Talker[],
  limitMs: number,
  listeners: readonly Talker[] = [],
): Promise<string[]> {
  const deaf: string[] = [];
  for (const { page } of talkers) await setTalking(page, false);
  for (const talker of talkers) {
    await setTalking(talker.page, true);
    const end = performance.now() + limitMs;
    let waiting = [...talkers, ...listeners].filter((other) => other !== talker);
    while (waiting.length > 0 && performance.now() < end) {
      const heard = await Promise.all(waiting.map(({ page }) => findTones(page, [talker.tone])));
      waiting = waiting.filter((_, index) => heard[index]?.length === 0);
    }
    deaf.push(...waiting.map(({ name }) => `${name} ← ${talker.name}`));
    await setTalking(talker.page, false);
  }
  return deaf;
}

/** The first `count` talk all the time, the others listen with their microphones on. */
export async function letTalk(talkers: readonly Talker[], count: number): Promise<void> {
  await Promise.all(talkers.map(({ page }, index) => setTalking(page, index < count)));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The last one of n joins again and again: from the click to the first sound of each other one who talks. */
export async function measureJoin(
  talkers: readonly Talker[],
  { rounds, talking }: { rounds: number; talking: number },
): Promise<number[]> {
  const [first, last] = [talkers[0] as Talker, talkers.at(-1) as Talker];
  const slug = await createRoom(first);
  for (const talker of talkers) await approach(talker, slug);
  await letTalk(talkers, talking);
  for (const talker of talkers.slice(0, -1)) await enter(talker);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await openMicrophone(last);
    // Somebody checks their sound for longer.
    await pause(1500);
    await enter(last);
    times.push(...(await readFirstSounds(last, talking)));
    await leave(last);
  }
  for (const talker of talkers.slice(0, -1)) await leave(talker);
  return times;
}

interface Gaps {
  longest: number;
  timer: ReturnType<typeof setInterval>;
}

/** Runs in the page: the longest time without a packet from any one of those who are heard now, from here on. */
function countGaps(): void {
  const page = window as unknown as { foyerWatched: { peers: Set<RTCPeerConnection> }; foyerGaps?: Gaps };
  clearInterval(page.foyerGaps?.timer);
  const heard = [...page.foyerWatched.peers]
    .filter(({ connectionState }) => connectionState === "connected")
    .map((peer) => ({ peer, count: 0, at: performance.now() }));
  const look = async (one: (typeof heard)[number]) => {
    let count = 0;
    for (const row of (await one.peer.getStats()).values())
      if (row.type === "inbound-rtp") count += row.packetsReceived;
    const now = performance.now();
    gaps.longest = Math.max(gaps.longest, now - one.at);
    if (count !== one.count) Object.assign(one, { count, at: now });
  };
  const gaps: Gaps = { longest: 0, timer: setInterval(() => void heard.map(look), 50) };
  page.foyerGaps = gaps;
}

export async function watchGaps({ page }: Talker): Promise<void> {
  await page.evaluate(countGaps);
}

/** Milliseconds since `watchGaps`. */
export function readGap({ page }: Talker): Promise<number> {
  return page.evaluate(() => (window as unknown as { foyerGaps: Gaps }).foyerGaps.longest);
}

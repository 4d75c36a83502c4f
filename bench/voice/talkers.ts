import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findTones, watchPeers } from "#test/voice/watch-peers.ts";
import { signIn } from "../../test/e2e/sign-in.ts";
import { OWNER, type Person, Site } from "../../test/e2e/site.ts";

/** Somebody in a room, with a browser context and a voice of their own. */
export interface Talker {
  name: string;
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
  window.addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof Element && target.closest(".join-buttons")) {
        timed.clickedAt = performance.now();
        timed.firstSounds = [];
      }
    },
    { capture: true },
  );
  const create = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function (this: AudioContext, stream: MediaStream) {
    const source = create.call(this, stream);
    // One's own microphone is plugged in before the click.
    if (timed.clickedAt === undefined) return source;
    const analyser = new AnalyserNode(this, { fftSize: 256 });
    source.connect(analyser);
    const samples = new Float32Array(256);
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      if (!samples.some((sample) => Math.abs(sample) > 0.001)) return;
      clearInterval(timer);
      timed.firstSounds.push(performance.now() - (timed.clickedAt ?? 0));
    }, 5);
    return source;
  };
}

const toTone = (index: number) => 400 + 300 * index;

const PEOPLE: readonly Person[] = Array.from({ length: 10 }, (_, index) =>
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

export async function openTalkers(browser: Browser, site: Site, count: number): Promise<Talker[]> {
  return Promise.all(
    PEOPLE.slice(0, count).map(async (person, index) => {
      const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
      await watchPeers(context, toTone(index));
      await context.addInitScript(timeJoins);
      const page = await context.newPage();
      const token = await signIn(page, site.url, person);
      return { name: person.username, tone: toTone(index), page, context, token };
    }),
  );
}

export async function createRoom(site: Site, { page, token }: Talker, more: object = {}): Promise<string> {
  const answer = await page.request.post(`${site.url}/voice/rooms`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { name: `Bench ${Math.random().toString(36).slice(2)}`, max_participants: 12, ...more },
  });
  return (await answer.json()).room_slug;
}

/** At the door: the sound check has the microphone, and the socket stands. */
export async function approach(talker: Talker, site: Site, slug: string): Promise<void> {
  await talker.page.goto(`${site.url}/en/room/${slug}`);
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
  await Promise.race([turnOn.waitFor(), page.locator(".level-bar").waitFor()]);
  if (await turnOn.isVisible()) await turnOn.click();
  await page.locator(".level-bar").waitFor();
}

export async function enter({ page }: Talker): Promise<void> {
  await page.getByRole("button", { name: /^(Join Channel|Continue here)$/ }).click();
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

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

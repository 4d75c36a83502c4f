import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import callEn from "#locales/en/call.json" with { type: "json" };
import callTr from "#locales/tr/call.json" with { type: "json" };
import { findTones, watchPeers } from "#test/voice/watch-peers.ts";
import { listen } from "./complaints.ts";
import playwrightConfig from "./playwright.config.ts";
import { signIn } from "./sign-in.ts";
import { LIN, OWNER, type Person, type Site } from "./site.ts";

export const MINA: Person = { username: "mina", email: "mina@example.org", password: OWNER.password };
export const NILS: Person = { username: "nils", email: "nils@example.org", password: OWNER.password };
/** What each of them says, in Hz: by it they are known wherever they are heard. */
const TONES = new Map([
  [OWNER.username, 400],
  [LIN.username, 700],
  [MINA.username, 1000],
  [NILS.username, 1300],
]);

const { launchOptions } = playwrightConfig.use ?? {};
/** A browser with a microphone, for `test.use`. */
export const WITH_MICROPHONE = {
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
    ],
  },
};

export interface Talker {
  name: string;
  /** Of the site. */
  url: string;
  page: Page;
  context: BrowserContext;
  token: string;
  complaints: string[];
}

const open: BrowserContext[] = [];
/** Behind each test. */
export async function closeContexts(): Promise<void> {
  for (const context of open.splice(0)) await context.close();
}

/** Others call somebody by their number until they choose a name for them; here it is the username, which tests know. */
export async function takeShownName(url: string, token: string, { username }: Person): Promise<void> {
  const answer = await fetch(`${url}/voice/users/privacy-settings`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ show_profile: false, shown_name: username }),
  });
  expect(answer.status).toBe(200);
}

/** Somebody in a browser of their own, signed in. */
export async function enterSite(
  browser: Browser,
  { url }: Site,
  person: Person,
  options: { phone?: boolean } = {},
): Promise<Talker> {
  const viewport = options.phone ? { width: 320, height: 640 } : { width: 1200, height: 800 };
  const context = await browser.newContext({ viewport });
  open.push(context);
  await watchPeers(context, TONES.get(person.username));
  const page = await context.newPage();
  const complaints = listen(page);
  const token = await signIn(page, url, person);
  await takeShownName(url, token, person);
  return { name: person.username, url, page, context, token, complaints };
}

export async function createRoom(
  { url, page, token }: Talker,
  name: string,
  more: object = {},
): Promise<{ slug: string; id: string }> {
  const answer = await page.request.post(`${url}/voice/rooms`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { name, is_public: true, ...more },
  });
  expect(answer.status()).toBe(201);
  return answer.json();
}

/** Through the room's own screen. */
export async function join({ url, page }: Talker, slug: string, lang: "en" | "tr" = "en"): Promise<void> {
  const { room } = lang === "en" ? callEn : callTr;
  await page.goto(`${url}/${lang}/room/${slug}`);
  await page.getByRole("button", { name: room.join, exact: true }).click();
  await expect(page.getByRole("toolbar", { name: room.bar })).toBeVisible();
}

export const face = (page: Page, name: string) => page.locator(".face", { hasText: name });

const toTones = (names: readonly string[]) =>
  names.map((name) => TONES.get(name) ?? 0).sort((one, other) => one - other);

/** Somebody's loudspeaker gives the voices of these people, and of nobody else. */
export async function expectToHear({ page }: Talker, names: readonly string[]): Promise<void> {
  await expect.poll(() => findTones(page, [...TONES.values()])).toEqual(toTones(names));
}

export async function expectAllHeard(talkers: readonly Talker[]): Promise<void> {
  for (const talker of talkers) {
    const others = talkers.filter(({ name }) => name !== talker.name).map(({ name }) => name);
    await expectToHear(talker, others);
  }
}

/** Lines at least a second apart (the server's rule) that the other one reads: so much has passed for both. */
export async function passTime(from: Talker, to: Talker, label: string): Promise<void> {
  for (const n of [1, 2, 3]) {
    const text = `${label} ${n}`;
    await expect(async () => {
      await from.page.getByLabel(callEn.text.label).fill(text);
      await from.page.getByRole("button", { name: callEn.text.send, exact: true }).click();
      await expect(from.page.locator(".text-line", { hasText: text })).toBeVisible({ timeout: 3000 });
    }).toPass();
    await expect(to.page.locator(".text-line", { hasText: text })).toBeVisible();
  }
}

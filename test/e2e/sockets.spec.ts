import { join } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { LIST_LIFETIME_MS } from "#src/admin/cache/freshness.ts";
import { findBarriers } from "./barriers.ts";
import { listen } from "./complaints.ts";
import { openConsole } from "./sign-in.ts";
import { LIN, OWNER, REPOSITORY, Site } from "./site.ts";

const TOPIC = "admin:cv.certificate";

// The site is stopped and started in between, and LIN's level changes.
test.describe.configure({ mode: "default" });
let site: Site;
test.beforeAll(async () => {
  site = await Site.startPrepared();
  site.command("import", join(REPOSITORY, "test/resumes/engineer.en.json"), "--yes");
});
test.afterAll(() => site?.remove());

/** Frames that a page gets and sends, as `topic event`; where its WebSockets lead, and how many have ended. */
function watchFrames(page: Page) {
  const frames = { received: [] as string[], sent: [] as string[], urls: [] as string[], ended: 0 };
  const note = (list: string[], payload: string | Buffer) => {
    const [, , topic, event] = JSON.parse(payload.toString());
    list.push(`${topic} ${event}`);
  };
  page.on("websocket", (socket) => {
    frames.urls.push(socket.url());
    socket.on("framereceived", ({ payload }) => note(frames.received, payload));
    socket.on("framesent", ({ payload }) => note(frames.sent, payload));
    socket.on("close", () => {
      frames.ended += 1;
    });
  });
  return frames;
}

async function logIn(page: Page, person = OWNER): Promise<void> {
  await openConsole(page, site.url, "/admin/models", person);
  await expect(page.getByRole("heading", { name: "Models" })).toBeVisible();
}

async function openCertificates(page: Page): Promise<void> {
  await page.getByRole("link", { name: /Certificates/ }).click();
  await expect(page.locator("[data-row-key]").first()).toBeVisible();
}

/** Somebody of their own, at the list of certificates, with a connection that carries events. */
async function openListAs(context: BrowserContext, person = OWNER) {
  const page = await context.newPage();
  const complaints = listen(page);
  const frames = watchFrames(page);
  await logIn(page, person);
  await openCertificates(page);
  await expect.poll(() => frames.received).toContain(`${TOPIC} phx_reply`);
  return { page, frames, complaints };
}

/** What no screen is needed for: calls with the owner's token. */
async function createOwnerApi() {
  const post = (path: string, body: object) =>
    fetch(site.url + path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const { tokens } = await (await post("/api/users/login/", OWNER)).json();
  const call = async (path: string, method = "GET", body?: object) => {
    const response = await fetch(`${site.url}/api/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${tokens.access_token}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    return response.json();
  };
  const { models } = await call("/models/");
  const find = (name: string) => models.find((model: { model_name: string }) => model.model_name === name);
  const toPath = (name: string) => `/models/${find(name).content_type_id}/objects/`;
  return {
    /** Gives the first certificate another name. */
    async rename(label: string): Promise<void> {
      const { objects } = await call(`${toPath("certificate")}?page_size=1`);
      await call(`${toPath("certificate")}${objects[0].id}/`, "PATCH", { label: { en: label, tr: label } });
    },
    async setLevel(username: string, level: number): Promise<void> {
      const { objects: levels } = await call(toPath("access_level"));
      const { objects: people } = await call(`${toPath("user")}?search=${username}`);
      const { id } = levels.find((row: { level: number }) => row.level === level);
      await call(`${toPath("user")}${people[0].id}/`, "PATCH", { access_level_id: id });
    },
  };
}

test("an edit in one browser comes into another one's list by itself, and nothing jumps", async ({
  browser,
}) => {
  const [mine, theirs] = [await browser.newContext(), await browser.newContext()];
  const reader = await openListAs(mine);
  const writer = await openListAs(theirs, LIN);
  expect(reader.frames.urls.at(-1)).toMatch(/^ws:\/\/[^?]+\/socket\/websocket\?vsn=2\.0\.0$/);

  await reader.page.getByRole("link", { name: "First Aid" }).focus();
  await writer.page.getByRole("link", { name: "PostgreSQL Administration" }).click();
  await writer.page.getByLabel("Label (English)").fill("PostgreSQL, Live");
  await writer.page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(reader.page.getByRole("link", { name: "PostgreSQL, Live" })).toBeVisible();
  await expect(reader.page.getByRole("link", { name: "First Aid" })).toBeFocused();
  expect(reader.frames.received).toContain(`${TOPIC} changed`);

  // The writer's form is still open, and lists in both browsers know of what is deleted.
  await writer.page.getByRole("button", { name: "Close" }).first().click();
  await writer.page.getByRole("button", { name: /^Delete First Aid/ }).click();
  await writer.page
    .getByRole("dialog")
    .getByRole("button", { name: /Delete/ })
    .click();
  await expect(reader.page.getByRole("link", { name: "First Aid" })).toBeHidden();
  await expect(reader.page.getByRole("table").locator(":focus")).toHaveCount(1);
  for (const { complaints } of [reader, writer]) {
    expect(complaints).toEqual([]);
  }
  await Promise.all([mine.close(), theirs.close()]);
});

test("another tab of the same person follows, and a list that was left leaves its topic with its lifetime", async ({
  context,
}) => {
  const { page, frames } = await openListAs(context);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole("link", { name: "PostgreSQL" }).first().click();
  await other.getByLabel("Label (English)").fill("PostgreSQL, Twice");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("link", { name: "PostgreSQL, Twice" })).toBeVisible();
  await page.clock.install();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  expect(frames.sent).not.toContain(`${TOPIC} phx_leave`);
  await page.clock.fastForward(LIST_LIFETIME_MS);
  await expect.poll(() => frames.sent).toContain(`${TOPIC} phx_leave`);
});

test("somebody without the right to see a model can't join its topic and receives nothing of it", async ({
  browser,
}) => {
  const api = await createOwnerApi();
  const [mine, theirs] = [await browser.newContext(), await browser.newContext()];
  const reader = await openListAs(mine);
  const { page, frames } = await openListAs(theirs, LIN);
  await api.rename("Seen by both");
  for (const { received } of [frames, reader.frames]) {
    await expect.poll(() => received).toContain(`${TOPIC} changed`);
  }

  // The right goes while the list is open, and the rows with it.
  await api.setLevel(LIN.username, 1);
  await expect.poll(() => frames.received).toContain(`${TOPIC} phx_close`);
  // The next refused call shows the console that its person is no staff any more.
  await expect(page).toHaveURL((url) => !url.pathname.startsWith("/admin"));
  await page.waitForLoadState("load");

  const line = await page.evaluateHandle(
    async ([person, topic]) => {
      const answer = await fetch("/api/users/login/", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(person),
      });
      const { tokens } = await answer.json();
      const token = btoa(tokens.access_token).replaceAll("=", "");
      const socket = new WebSocket("/socket/websocket?vsn=2.0.0", [
        "phoenix",
        `base64url.bearer.phx.${token}`,
      ]);
      const messages: unknown[][] = [];
      const ask = (frame: unknown[]) =>
        new Promise<void>((resolve) => {
          socket.onmessage = ({ data }) => {
            const message = JSON.parse(data);
            messages.push(message);
            if (message[1] === frame[1]) resolve();
          };
          socket.send(JSON.stringify(frame));
        });
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      await ask(["1", "1", topic, "phx_join", {}]);
      return { ask, messages };
    },
    [LIN, TOPIC] as const,
  );
  const countEvents = (list: string[]) => list.filter((frame) => frame === `${TOPIC} changed`).length;
  const [before, readBefore] = [countEvents(frames.received), countEvents(reader.frames.received)];
  await api.rename("Seen by one");
  await expect.poll(() => countEvents(reader.frames.received)).toBeGreaterThan(readBefore);
  // Whatever was sent before this answer has arrived before it.
  const received = await line.evaluate(async ({ ask, messages }) => {
    await ask([null, "2", "phoenix", "heartbeat", {}]);
    return messages;
  });
  expect(received).toEqual([
    ["1", "1", TOPIC, "phx_reply", { status: "error", response: { reason: "unauthorized" } }],
    [null, "2", "phoenix", "phx_reply", { status: "ok", response: {} }],
  ]);
  expect(countEvents(frames.received)).toBe(before);
  await Promise.all([mine.close(), theirs.close()]);
});

test("where WebSockets are blocked, events come by long polling, and nothing is said of it", async ({
  context,
}) => {
  await context.clock.install();
  const page = await context.newPage();
  const polls: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/socket/longpoll")) polls.push(response.status());
  });
  await page.routeWebSocket(/\/socket\/websocket/, (socket) => socket.close());
  await logIn(page);
  await openCertificates(page);
  await expect.poll(() => polls.length).toBeGreaterThan(1);
  const api = await createOwnerApi();
  await expect(async () => {
    const label = `Polled ${polls.length}`;
    await api.rename(label);
    await expect(page.getByRole("link", { name: label })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  // A connection that is lost is shown after two seconds.
  await page.clock.fastForward(3_000);
  await expect(page.getByText("Connection lost")).toBeHidden();
  expect(new Set(polls)).toEqual(new Set([200]));
});

for (const { scheme, width } of [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 360 },
] as const) {
  test(`a restart of the server is shown after two seconds, and made up for (${scheme}, ${width} px)`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      colorScheme: scheme,
      viewport: { width, height: 800 },
      reducedMotion: "reduce",
    });
    const { page, frames } = await openListAs(context);
    const api = await createOwnerApi();
    const connections = frames.urls.length;
    await site.stop();
    const notice = page.getByText("Connection lost. Trying again…");
    await expect(notice).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    // Of the table, or on a phone of the cards.
    await expect(page.locator("[data-row-key]").first()).toBeVisible();

    await site.start();
    const label = `Renamed at ${width}`;
    await Promise.all([expect(notice).toBeHidden(), api.rename(label)]);
    await expect(page.getByRole("link", { name: label })).toBeVisible();
    expect(frames.urls.length).toBeGreaterThan(connections);
    await context.close();
  });
}

/** Ends a page's session without a word to its browser. */
async function endOnServer(page: Page): Promise<void> {
  const refresh = await page.evaluate(() => localStorage.getItem("refresh_token"));
  const answer = await fetch(`${site.url}/api/users/logout/`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ refresh }),
  });
  expect(answer.ok).toBe(true);
}

type Frames = ReturnType<typeof watchFrames>;

/** The connection has ended, and no other is tried, however long one waits by the page's clock. */
async function expectEnded(page: Page, frames: Frames): Promise<void> {
  await expect.poll(() => frames.ended).toBe(frames.urls.length);
  const connections = frames.urls.length;
  await page.clock.fastForward(60_000);
  await page.evaluate(() => undefined);
  expect(frames.urls).toHaveLength(connections);
}

/** A page with unsaved text stays where it is when its session ends. */
async function typeHalfAThought(page: Page) {
  await page.getByRole("row").getByRole("link").first().click();
  const input = page.getByLabel("Label (English)");
  await input.fill("Half a thought");
  return async () => {
    await expect(page.getByRole("button", { name: "Log in and go on" })).toBeVisible();
    await expect(input).toHaveValue("Half a thought");
  };
}

test("signing out in another tab ends the connection, and what is typed stays", async ({ context }) => {
  await context.clock.install();
  const { page, frames } = await openListAs(context);
  const expectKept = await typeHalfAThought(page);
  const other = await context.newPage();
  await other.goto(`${site.url}/admin/models`);
  await other.getByRole("button", { name: "Log out" }).click();
  await expectKept();
  await expectEnded(page, frames);
});

test("a session that ends on the server alone ends the connection, and what is typed stays", async ({
  context,
}) => {
  await context.clock.install();
  const { page, frames } = await openListAs(context);
  const expectKept = await typeHalfAThought(page);
  await endOnServer(page);
  await expectKept();
  await expectEnded(page, frames);
});

test("where nothing is typed, a session that ends on the server leads to log in at once", async ({
  context,
}) => {
  await context.clock.install();
  const { page, frames } = await openListAs(context);
  await endOnServer(page);
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await expectEnded(page, frames);
});

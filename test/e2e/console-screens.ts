import type { Page } from "playwright-core";
import { modelsAnswer } from "#contract/content/models.ts";
import { mailboxResource, PLAIN_SCREENS } from "#resources/screens.ts";
import { OWNER } from "./site.ts";

/** A screen of the console, for what looks at all of them: axe, widths, pictures. */
export interface ConsoleScreen {
  /** Of the picture's file. */
  name: string;
  path: string;
  /** What is clicked or pressed before it is looked at; the page may be in either language. */
  open?: (page: Page) => Promise<void>;
}

const PEOPLE = [
  ["grace", "Grace", "Hopper", 10],
  ["alan", "Alan", "Turing", 1],
  ["katherine", "Katherine", "Johnson", 1],
  ["ayse", "Ayşe", "Işık", 1],
  ["mehmet", "Mehmet", "Çağlar", 1],
] as const;

/** Calls of the owner to a running site's API. @throws Error where an answer is no success. */
async function openApi(url: string) {
  const send = async (method: string, path: string, body?: unknown, token?: string): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const { username, password } = OWNER;
  // The answer's other parts are of no use here.
  const { tokens } = (await send("POST", "/api/users/login/", { username, password })) as {
    tokens: { access_token: string };
  };
  return (method: string, path: string, body?: unknown) => send(method, path, body, tokens.access_token);
}

/** Some people, some writes, so that no screen is empty. Once for a site. */
export async function fillConsole(url: string): Promise<void> {
  const call = await openApi(url);
  for (const [username, first_name, last_name, access_level] of PEOPLE) {
    const email = `${username}@example.org`;
    const person = { username, email, first_name, last_name, access_level };
    await call("POST", "/api/users/", person);
  }
  const { models } = modelsAnswer.parse(await call("GET", "/api/admin/models/"));
  const links = models.find(({ model_name }) => model_name === "link")?.content_type_id;
  const link = { network: "Mastodon", username: "ada", url: "https://example.org/@ada" };
  await call("POST", `/api/admin/models/${links}/objects/`, link);
}

const FILTER_SHEET = /^(Filter and sort|Filtrele ve sırala)/;
const GROUP = encodeURIComponent(
  JSON.stringify([["label:contains:a", "issuer:contains:b"], ["label:contains:c"]]),
);

/** What has no address of its own: a click or a key opens it. */
const OPENERS = {
  async selection(page: Page) {
    await page.locator(".choose-cell input").nth(1).check();
  },
  /** On a phone in the sheet with the filters. */
  async columns(page: Page) {
    const sheet = page.getByRole("button", { name: FILTER_SHEET });
    if (await sheet.isVisible()) {
      await sheet.click();
      await page.locator(".sheet summary").click();
    } else await page.getByRole("button", { name: /^(Columns|Sütunlar)$/ }).click();
    await page.locator(".column-chooser").waitFor();
  },
  /** A group of filters while it is changed. */
  async filter(page: Page) {
    const sheet = page.getByRole("button", { name: FILTER_SHEET });
    if (await sheet.isVisible()) await sheet.click();
    await page.locator(".filter-bar .filter-chip button").first().click();
    await page.locator(".filter-form").waitFor();
  },
  /** On a phone alone: what can be done with the list, and with one card. */
  async more(page: Page) {
    const more = page.getByRole("button", { name: /^(More|Daha fazla)$/ });
    if (await more.isVisible()) await more.click();
  },
  async card(page: Page) {
    const actions = page.getByRole("button", { name: /^(Actions|İşlemler): / }).first();
    if (await actions.isVisible()) await actions.click();
  },
  async preview(page: Page) {
    await page
      .getByRole("button", { name: /^(Preview|Önizle)$/ })
      .first()
      .click();
    await page.locator(".markdown-preview").first().waitFor();
  },
  async update(page: Page) {
    await page.locator(".ant-radio-button-wrapper").first().click();
    await page.locator(".bulk-ticks input").first().check();
  },
  /** Replacing the first file of the list, on a phone by its card's menu. */
  async replacing(page: Page) {
    const actions = page.getByRole("button", { name: /^(Actions|İşlemler): / }).first();
    await page.locator("[data-row-key] a").first().waitFor();
    if (await actions.isVisible()) await actions.click();
    await page
      .getByRole("button", { name: /^Replace “|dosyasını değiştir…$/ })
      .first()
      .click();
    await page.locator(".file-swap").waitFor();
  },
  async palette(page: Page) {
    await page.locator("h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("dialog[open]").waitFor();
  },
  async shortcuts(page: Page) {
    await page.locator("[data-row-key] a").first().waitFor();
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
  },
};

/** Every screen, those without records by their resources, with the numbers that models and rows have on this site. */
export async function listConsoleScreens(url: string): Promise<ConsoleScreen[]> {
  const call = await openApi(url);
  const { models } = modelsAnswer.parse(await call("GET", "/api/admin/models/"));
  const idOf = (name: string) => models.find(({ model_name }) => model_name === name)?.content_type_id ?? 0;
  const firstOf = async (id: number) => {
    // The list's other parts are of no use here.
    const { objects } = (await call("GET", `/api/admin/models/${id}/objects/?page_size=1`)) as {
      objects: { id: number }[];
    };
    return objects[0]?.id ?? 0;
  };
  const certificates = idOf("certificate");
  const certificate = await firstOf(certificates);
  const pages = idOf("page");
  const person = await firstOf(idOf("user"));
  const entry = await firstOf(idOf("entry"));
  const screens: ConsoleScreen[] = [
    { name: "users", path: "/admin/users" },
    { name: "user", path: `/admin/users/${person}` },
    { name: "user-new", path: "/admin/users/new" },
    { name: "access-levels", path: "/admin/access-levels" },
    { name: "list", path: `/admin/models/${certificates}` },
    { name: "list-selected", path: `/admin/models/${certificates}`, open: OPENERS.selection },
    { name: "list-columns", path: `/admin/models/${certificates}`, open: OPENERS.columns },
    {
      name: "list-filter",
      path: `/admin/models/${certificates}?any=${GROUP}&sort=-label&sort=issuer`,
      open: OPENERS.filter,
    },
    { name: "list-more", path: `/admin/models/${certificates}`, open: OPENERS.more },
    { name: "users-card", path: "/admin/users", open: OPENERS.card },
    { name: "order", path: `/admin/models/${certificates}?order=1` },
    { name: "record", path: `/admin/models/${certificates}/objects/${certificate}` },
    {
      name: "record-history",
      path: `/admin/models/${certificates}/objects/${certificate}?tab=history`,
    },
    {
      name: "record-preview",
      path: `/admin/models/${pages}/objects/${await firstOf(pages)}`,
      open: OPENERS.preview,
    },
    { name: "record-new", path: `/admin/models/${idOf("experience")}/objects/new` },
    { name: "invitation-new", path: `/admin/models/${idOf("invitation")}/objects/new` },
    { name: "files", path: `/admin/models/${idOf("stored_file")}` },
    { name: "file-replace", path: `/admin/models/${idOf("stored_file")}`, open: OPENERS.replacing },
    { name: "singleton", path: `/admin/models/${idOf("profile")}` },
    { name: "bulk", path: `/admin/models/${certificates}/bulk` },
    { name: "bulk-update", path: `/admin/models/${certificates}/bulk`, open: OPENERS.update },
    { name: "jobs", path: "/admin/jobs" },
    { name: "email-bounces", path: "/admin/email-bounces" },
    { name: "email-complaints", path: "/admin/email-complaints" },
    { name: "email-timeline", path: "/admin/email-timeline?email=grace%40example.org" },
    { name: "actions", path: "/admin/actions" },
    { name: "action", path: `/admin/actions/${entry}` },
    { name: "palette", path: "/admin/settings", open: OPENERS.palette },
    { name: "shortcuts", path: `/admin/models/${certificates}`, open: OPENERS.shortcuts },
    { name: "not-found", path: "/admin/nowhere" },
  ];
  // The mailbox is of a site in development alone: there is no such screen here.
  const plain = PLAIN_SCREENS.filter((screen) => screen !== mailboxResource);
  return [...plain.map(({ name, list }) => ({ name, path: list })), ...screens];
}

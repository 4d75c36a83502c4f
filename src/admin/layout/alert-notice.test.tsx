import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { AlertsAnswer } from "#contract/alerts.ts";
import type { Permissions } from "#providers/refine/permissions.ts";
import { renderAdmin } from "../test-admin.tsx";

const ALERT = {
  id: 7,
  kind: "token_reuse",
  title: "A session may have been stolen",
  text: "A token of ada was used a second time.",
  at: "2026-11-20T10:00:00.000Z",
  path: "/admin/actions?filter=detail:exact:token_reuse",
} as const;
const NONE: AlertsAnswer = { count: 0, newest: null, up_to: 0, unreachable: [], is_mail_off: false };
const TWO: AlertsAnswer = { ...NONE, count: 2, newest: ALERT, up_to: 9 };

const OWNER: Permissions = {
  isSuperuser: true,
  accessLevel: 999,
  can: () => true,
  findContentType: (model) => (model === "audit.alert" ? 40 : undefined),
};

/** The console over a server with these alerts; `isDown`: it marks none; `held`: what it has afterwards comes late. @returns the calls about them. */
async function open(
  alerts: AlertsAnswer,
  {
    permissions = OWNER,
    lang = "en" as "en" | "tr",
    isDown = false,
    held = undefined as Promise<void> | undefined,
  } = {},
) {
  const calls: unknown[] = [];
  let now = alerts;
  await renderAdmin({
    address: "/admin/models",
    lang,
    models: [],
    permissions,
    server: async ({ method, url, body }) => {
      if (!url.pathname.startsWith("/api/admin/alerts/")) return { status: 404 };
      calls.push([method, url.pathname, ...(body ? [body] : [])]);
      // What is read once they are marked waits for `held`.
      if (method === "GET" && now === NONE) await held;
      if (method === "GET") return { body: now };
      if (isDown) return { status: 503, body: { message: "Try again later." } };
      now = NONE;
      return { body: now };
    },
  });
  return calls;
}

afterEach(cleanup);

test("the newest alert is read politely, with where it leads and all of them", async () => {
  await open(TWO);
  const notice = within(await screen.findByRole("region", { name: "Security alert" }));
  expect(notice.getByRole("status").textContent).toMatch(
    /^A session may have been stolen \(.*Nov 20, 2026.*\)\. A token of ada was used a second time\.$/,
  );
  expect(notice.getByRole("link", { name: "Look into it" }).getAttribute("href")).toBe(ALERT.path);
  const all = notice.getByRole("link", { name: "All alerts (2 not seen)" });
  expect(all.getAttribute("href")).toBe("/admin/models/40");
});

test("marked as seen, up to the one that was shown, it goes, and the focus stays on the page", async () => {
  const calls = await open(TWO);
  await userEvent.click(await screen.findByRole("button", { name: "Mark all as seen" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Security alert" })).toBeNull());
  expect(calls).toContainEqual(["POST", "/api/admin/alerts/seen/", { up_to: 9 }]);
  await waitFor(() => expect(document.activeElement?.id).toBe("main"));
});

test("a second click while it goes asks for nothing more", async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const calls = await open(TWO, { held });
  const button = await screen.findByRole("button", { name: "Mark all as seen" });
  const isPost = (call: unknown) => Array.isArray(call) && call[0] === "POST";
  await userEvent.click(button);
  // It is marked, and the list without it is on its way.
  await waitFor(() => expect(calls.slice(calls.findIndex(isPost) + 1)).toHaveLength(1));
  await userEvent.click(button);
  answer();
  await waitFor(() => expect(screen.queryByRole("region", { name: "Security alert" })).toBeNull());
  expect(calls.filter(isPost)).toHaveLength(1);
});

test("what could not be marked stays, and says why", async () => {
  await open({ ...TWO, count: 1 }, { isDown: true });
  await userEvent.click(await screen.findByRole("button", { name: "Mark as seen" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Try again later.");
  expect(screen.getByRole("button", { name: "Mark as seen" })).toBeTruthy();
});

test.each([
  [{ unreachable: ["owner@example.org"] }, "en", "No mail about it reaches owner@example.org."],
  [{ is_mail_off: true }, "en", "No mail server is set up"],
  [{ is_mail_off: true }, "tr", "Kurulu bir e-posta sunucusu yok"],
] as const)("it says where no mail tells of it: %j (%s)", async (more, lang, text) => {
  await open(
    { ...TWO, ...more, unreachable: [...("unreachable" in more ? more.unreachable : [])] },
    { lang },
  );
  expect((await screen.findByText(text, { exact: false })).textContent).toContain(text);
});

test("who may not see alerts asks for none and reads none", async () => {
  const calls = await open(TWO, {
    permissions: { ...OWNER, can: (_what, model) => model !== "audit.alert" },
  });
  expect(screen.queryByRole("region", { name: "Security alert" })).toBeNull();
  expect(calls).toEqual([]);
});

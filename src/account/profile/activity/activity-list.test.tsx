import { describe, expect, jest, test } from "@jest/globals";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ActivityEntry } from "#contract/accounts/own-account.ts";
import { openProfile, type Routes } from "../test-profile.tsx";
import { toRelativeTime } from "./moment.tsx";

describe("relative time", () => {
  const NOW = Date.parse("2026-11-20T12:00:00Z");

  test.each([
    ["2026-11-20T12:00:05Z", "now", "şimdi"],
    ["no moment", "now", "şimdi"],
    ["2026-11-20T11:59:10Z", "now", "şimdi"],
    ["2026-11-20T11:58:30Z", "1 minute ago", "1 dakika önce"],
    ["2026-11-20T09:00:00Z", "3 hours ago", "3 saat önce"],
    ["2026-11-19T11:00:00Z", "yesterday", "dün"],
    ["2026-11-10T12:00:00Z", "last week", "geçen hafta"],
    ["2026-08-01T12:00:00Z", "3 months ago", "3 ay önce"],
    ["2024-01-01T12:00:00Z", "2 years ago", "2 yıl önce"],
  ])("%s reads %s and %s", (moment, en, tr) => {
    expect([toRelativeTime(moment, NOW, "en"), toRelativeTime(moment, NOW, "tr")]).toEqual([en, tr]);
  });
});

describe("activity list", () => {
  const ACTIVITY = "GET /api/users/activity/";
  const SESSIONS = "GET /api/users/sessions/";

  function toEntry(id: number, more: Partial<ActivityEntry> = {}): ActivityEntry {
    return {
      id,
      action_type: "LOGIN",
      detail: null,
      object_repr: null,
      timestamp: "2026-11-20T11:55:00Z",
      ip_address: null,
      ...more,
    };
  }

  function open(routes: Routes) {
    const opened = openProfile({ path: "/profile?tab=activity", routes });
    return { ...opened, find: async (name: string) => within(await screen.findByRole("region", { name })) };
  }

  describe("recent activity", () => {
    test("shows each entry as a sentence, with how long ago and from where", async () => {
      const entries = [
        toEntry(4, { ip_address: "203.0.113.7" }),
        toEntry(3, { detail: "failed_sign_in", timestamp: "2026-11-19T11:00:00Z" }),
        toEntry(6, { action_type: "LOGIN", detail: "verify_email" }),
        toEntry(5, { action_type: "UPDATE", detail: "verify_email", object_repr: "isil" }),
        toEntry(2, { action_type: "UPDATE", detail: "profile", object_repr: "isil" }),
        toEntry(1, { action_type: "CREATE", object_repr: "Kubernetes" }),
        toEntry(0, { action_type: "VIEW", detail: "export", object_repr: "isil" }),
      ];
      const { find } = open({ [ACTIVITY]: () => ({ body: { entries, next_before: null } }) });
      const rows = await (await find("Recent activity")).findAllByRole("listitem");
      expect(rows.map(({ textContent }) => textContent)).toEqual([
        "You logged in.5 minutes ago · from 203.0.113.7",
        "Somebody tried to log in as you with a wrong password.yesterday",
        "You logged in.5 minutes ago",
        "You confirmed your email address.5 minutes ago",
        "You changed your profile.5 minutes ago",
        "You added Kubernetes.5 minutes ago",
        "You downloaded your data.5 minutes ago",
      ]);
      expect(screen.queryByRole("button", { name: "Show older" })).toBeNull();
    });

    test("older entries come on demand", async () => {
      const { find, user, backEnd } = open({
        [ACTIVITY]: () => ({ body: { entries: [toEntry(9)], next_before: 9 } }),
        [`${ACTIVITY}?before=9`]: () => ({
          body: { entries: [toEntry(8, { action_type: "LOGOUT" })], next_before: null },
        }),
      });
      const part = await find("Recent activity");
      await user.click(await part.findByRole("button", { name: "Show older" }));
      await waitFor(() => expect(part.getAllByRole("listitem")).toHaveLength(2));
      expect(backEnd.sent(`${ACTIVITY}?before=9`)).toHaveLength(1);
      expect(part.queryByRole("button")).toBeNull();
    });

    test("an empty list says what would stand there", async () => {
      const { find } = open({});
      expect(await (await find("Recent activity")).findByText(/^No recent activity/)).toBeTruthy();
    });

    test("a list that can't be loaded says so, and is asked for again", async () => {
      const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
      let isDown = true;
      const { find, user } = open({
        [ACTIVITY]: () =>
          isDown ? { status: 503, body: {} } : { body: { entries: [toEntry(1)], next_before: null } },
      });
      const part = await find("Recent activity");
      expect((await part.findByRole("alert")).textContent).toBe(
        "Your activity could not be loaded. The site is being worked on right now. Please try again in a few minutes.",
      );
      isDown = false;
      await user.click(part.getByRole("button", { name: "Try again" }));
      expect(await part.findByText("You logged in.")).toBeTruthy();
      warn.mockRestore();
    });
  });

  describe("sessions", () => {
    const session = (id: string, more: object = {}) => ({
      id,
      device: "Firefox · Windows",
      ip_address: "203.0.113.7",
      created_at: "2026-11-01T10:00:00Z",
      last_used_at: "2026-11-20T10:00:00Z",
      is_current: false,
      ...more,
    });
    const two = [session("a"), session("b", { is_current: true, device: "" })];

    test("are listed with device, last use and address, this one first and marked", async () => {
      const { find } = open({ [SESSIONS]: () => ({ body: { sessions: two } }) });
      const rows = await (await find("Where you are logged in")).findAllByRole("listitem");
      expect(rows.map(({ textContent }) => textContent)).toEqual([
        "Unknown deviceThis deviceLast used 2 hours ago · 203.0.113.7",
        "Firefox · WindowsLast used 2 hours ago · 203.0.113.7Log out",
      ]);
    });

    test("another one can be ended", async () => {
      const { find, user, backEnd } = open({
        [SESSIONS]: () => ({ body: { sessions: two } }),
        "DELETE /api/users/sessions/a/": () => ({ status: 204 }),
      });
      const part = await find("Where you are logged in");
      await user.click(await part.findByRole("button", { name: "Log out: Firefox · Windows" }));
      expect(await screen.findByText("The session was ended: Firefox · Windows")).toBeTruthy();
      expect(part.getAllByRole("listitem")).toHaveLength(1);
      expect(backEnd.sent("DELETE /api/users/sessions/a/")).toHaveLength(1);
    });

    test("the second click of a double click doesn't end the one that moved up", async () => {
      const three = [...two, session("c", { device: "Safari · macOS" })];
      const { find, user, backEnd } = open({
        [SESSIONS]: () => ({ body: { sessions: three } }),
        "DELETE /api/users/sessions/a/": () => ({ status: 204 }),
      });
      const part = await find("Where you are logged in");
      await user.click(await part.findByRole("button", { name: "Log out: Firefox · Windows" }));
      await screen.findByText("The session was ended: Firefox · Windows");
      fireEvent.click(part.getByRole("button", { name: "Log out: Safari · macOS" }), { detail: 2 });
      expect(backEnd.calls.filter(({ route }) => route.startsWith("DELETE"))).toHaveLength(1);
    });

    test("one that can't be ended stays, and it is said", async () => {
      const { find, user } = open({
        [SESSIONS]: () => ({ body: { sessions: two } }),
        "DELETE /api/users/sessions/a/": () => ({ status: 500, body: {} }),
      });
      const part = await find("Where you are logged in");
      await user.click(await part.findByRole("button", { name: "Log out: Firefox · Windows" }));
      expect((await part.findByText(/could not be ended/)).getAttribute("role")).toBe("alert");
      expect(part.getAllByRole("listitem")).toHaveLength(2);
    });

    test("all end after a question that names how many, and the log-in page comes", async () => {
      const {
        find,
        user,
        backEnd,
        goTo,
        session: own,
      } = open({
        [SESSIONS]: () => ({ body: { sessions: two } }),
        "DELETE /api/users/sessions/": () => ({ status: 204 }),
      });
      const part = await find("Where you are logged in");
      await user.click(await part.findByRole("button", { name: "Log out everywhere" }));
      const dialog = within(screen.getByRole("dialog", { name: "Log out everywhere?" }));
      expect(dialog.getByText(/^All 2 sessions end/)).toBeTruthy();
      await user.click(dialog.getByRole("button", { name: "Cancel" }));
      expect(backEnd.sent("DELETE /api/users/sessions/")).toEqual([]);
      await user.click(part.getByRole("button", { name: "Log out everywhere" }));
      await user.click(
        within(screen.getByRole("dialog")).getByRole("button", { name: "Log out everywhere" }),
      );
      await waitFor(() => expect(goTo).toHaveBeenCalledWith("/login"));
      expect(own.getAuthState()).toBeNull();
    });
  });
});

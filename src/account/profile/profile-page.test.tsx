import { describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { type AuthState, toAuthState } from "#providers/http/auth-state.ts";
import type { Http } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { toAccountUser } from "#test/account-user.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { toRequest } from "../../head/test-request.ts";
import { texts } from "../../public-texts-en.ts";
import { PublicApp, toPage } from "../../ui/site-layout.tsx";
import { AccountArea } from "../account-area.tsx";
import { texts as accountTexts } from "../account-texts-en.ts";
import { RequireSession } from "../require-session.tsx";
import { BROWSER_SERVICES, takeProfile } from "./own-profile.tsx";
import { ProfileSkeleton, WaitingProfile } from "./profile-page.tsx";
import { openProfile, toProfile } from "./test-profile.tsx";

describe("profile page", () => {
  test("while the profile is on its way its shape is shown, and said", () => {
    openProfile({ routes: { "GET /api/users/profile/": () => new Promise(() => {}) } });
    expect(screen.getByText("Loading your profile…").getAttribute("role")).toBe("status");
  });

  test("a profile that can't be loaded says why, and is asked for again", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    let isDown = true;
    const { user, backEnd } = openProfile({
      routes: {
        "GET /api/users/profile/": () =>
          isDown ? { status: 503, body: { detail: "Back in a minute." } } : { body: toProfile() },
      },
    });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toBe("Failed to fetch profileBack in a minute.");
    isDown = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { level: 1 })).toBeTruthy();
    expect(backEnd.sent("GET /api/users/profile/")).toHaveLength(2);
    warn.mockRestore();
  });

  test("a session that is over before the profile came leads to log in and back", async () => {
    const { goTo } = openProfile({
      prefix: "/tr",
      routes: { "GET /api/users/profile/": () => ({ status: 401, body: { detail: "Over" } }) },
    });
    await waitFor(() => expect(goTo).toHaveBeenCalledWith(expect.stringMatching(/^\/tr\/login\?redirect=/)));
  });

  test("whom a password manager led here finds the dialog open; closed, it leaves the address", async () => {
    const { user, getAddress } = openProfile({ path: "/profile?dialog=password" });
    const dialog = await screen.findByRole("dialog", { name: "Change password" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(getAddress()).not.toContain("dialog");
  });

  test("who signs out before the profile came is not led back here", async () => {
    let answer = (_answer: { status: number }) => {};
    const late = new Promise<{ status: number }>((resolve) => {
      answer = resolve;
    });
    const { goTo, session, backEnd } = openProfile({ routes: { "GET /api/users/profile/": () => late } });
    await waitFor(() => expect(backEnd.sent("GET /api/users/profile/")).toHaveLength(1));
    await act(() => session.signOut());
    await act(async () => answer({ status: 401 }));
    expect(goTo).not.toHaveBeenCalled();
  });

  describe("the cards", () => {
    test("show what is known of the person, and what isn't", async () => {
      openProfile({ path: "/profile?tab=settings", profile: { first_name: "Işıl", last_name: "", bio: "" } });
      const about = within(await screen.findByRole("region", { name: "About" }));
      expect(about.getByText("isil@example.com")).toBeTruthy();
      expect(about.getByText("Verified")).toBeTruthy();
      expect(about.getByText("Işıl")).toBeTruthy();
      expect(about.getByText("Not given")).toBeTruthy();
      expect(about.getByText(/Nothing about you yet/)).toBeTruthy();
    });

    test("don't repeat what the form beside them shows", async () => {
      openProfile({ profile: { first_name: "Işıl", last_name: "", bio: "" } });
      const about = within(await screen.findByRole("region", { name: "About" }));
      expect(about.getByText("Verified")).toBeTruthy();
      for (const text of ["isil@example.com", "Işıl", "Not given"])
        expect(about.queryByText(text)).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("isil@example.com");
      expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Işıl");
      expect(screen.getByLabelText<HTMLInputElement>("Last name").placeholder).toBe("Not given");
      expect(screen.getByLabelText<HTMLTextAreaElement>("Bio").placeholder).toMatch(/Nothing about you yet/);
    });

    test("show a dash for each figure that nobody counts", async () => {
      openProfile();
      const stats = await screen.findByRole("region", { name: "Stats" });
      expect(
        within(stats)
          .getAllByRole("term")
          .map(({ textContent }) => textContent),
      ).toEqual(["Posts", "Followers", "Following"]);
      expect(within(stats).getAllByText("—")).toHaveLength(3);
    });

    test("say since when the person is a member, and lead admins to the console", async () => {
      openProfile();
      expect(await screen.findByText("Member since January 5, 2026")).toBeTruthy();
      expect(screen.getByRole("link", { name: "Open the console" }).getAttribute("href")).toBe("/admin");
    });

    test("lead nobody else to the console", async () => {
      openProfile({ profile: { can_access_admin: false } });
      await screen.findByText(/Member since/);
      expect(screen.queryByRole("link", { name: "Open the console" })).toBeNull();
    });
  });

  test("without a picture the first two letters of the username stand for it, without the reader's İ", async () => {
    openProfile();
    expect(await screen.findByText("IS")).toBeTruthy();
  });

  test("a picture is shown with words for it", async () => {
    openProfile({ profile: { avatar: "/pictures/people/a.webp" } });
    expect((await screen.findByRole("img", { name: "Picture of isil" })).getAttribute("src")).toBe(
      "/pictures/people/a.webp",
    );
  });

  test("a picture that can't be shown gives way to the letters", async () => {
    openProfile({ profile: { avatar: "/pictures/people/gone.webp" } });
    await screen.findByRole("tab", { name: "About" });
    fireEvent.error(await screen.findByRole("img", { name: "Picture of isil" }));
    expect(screen.getByText("IS")).toBeTruthy();
  });

  describe("the tabs", () => {
    test.each([
      ["/profile", "About"],
      ["/profile?tab=activity", "Activity"],
      ["/profile?tab=settings", "Settings"],
      ["/profile?tab=nonsense", "About"],
    ])("%s opens %s", async (path, name) => {
      openProfile({ path });
      expect((await screen.findByRole("tab", { selected: true })).textContent).toBe(name);
      expect(screen.getByRole("tabpanel", { name })).toBeTruthy();
    });

    test("are in the address, and the other parameters stay", async () => {
      const { user, getAddress } = openProfile({ path: "/profile?x=1" });
      await user.click(await screen.findByRole("tab", { name: "Activity" }));
      expect(getAddress()).toBe("/profile?x=1&tab=activity");
    });

    test("are one stop of the Tab key, and arrows, Home and End move round", async () => {
      const user = setUpDrawnUser();
      openProfile();
      const about = await screen.findByRole("tab", { name: "About" });
      about.focus();
      const moves = [
        ["{ArrowLeft}", "Settings"],
        ["{ArrowRight}", "About"],
        ["{ArrowRight}", "Activity"],
        ["{End}", "Settings"],
        ["{Home}", "About"],
      ] as const;
      for (const [key, name] of moves) {
        await user.keyboard(key);
        expect(document.activeElement?.textContent).toBe(name);
        expect(document.activeElement?.getAttribute("aria-selected")).toBe("true");
      }
      expect(screen.getAllByRole("tab").map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1]);
    });
  });

  test("a change in another tab is shown here too", async () => {
    const { backEnd, storage, events } = openProfile();
    await screen.findByText("@isil");
    backEnd.state.profile = toProfile({ username: "isil_y", updated_at: "2026-11-20T11:00:00Z" });
    const user = { ...backEnd.user() };
    const state = { user, profile: user.profile, permissions: [], availableModels: [], lastActivity: 1 };
    storage.setItem("auth_state", JSON.stringify(state));
    act(() => void events.dispatchEvent(new StorageEvent("storage", { key: "auth_state" })));
    expect(await screen.findByText("@isil_y")).toBeTruthy();
  });
});

describe("profile skeleton", () => {
  test("until it is known who looks, the profile's shape stands in place of the guard's words", async () => {
    let answer: (auth: AuthState) => void = () => {};
    const services = {
      getSession: () => ({
        restore: () => new Promise<AuthState>((resolve) => (answer = resolve)),
        hasSignedOut: () => false,
      }),
      goTo: () => {},
      listenForSessionEnd: () => () => {},
    };
    render(
      <MemoryRouter>
        <PublicApp
          page={toPage(toRequest("profile"), texts)}
          screen={
            <AccountArea texts={accountTexts}>
              <RequireSession services={services} waiting={<ProfileSkeleton />}>
                {() => <p>Here it is</p>}
              </RequireSession>
            </AccountArea>
          }
        />
      </MemoryRouter>,
    );
    expect(screen.getByText("Loading your profile…")).toBeTruthy();
    expect(screen.queryByText(/finding out/)).toBeNull();
    // Only what the guard reads of a signed-in person.
    answer({ user: { is_email_verified: true, access_level: 1 } } as AuthState);
    expect(await screen.findByText("Here it is")).toBeTruthy();
    expect(screen.queryByText("Loading your profile…")).toBeNull();
  });

  describe("what this browser remembers of the person", () => {
    const state = toAuthState(toAccountUser({ username: "isil", display_name: "Işıl Çınar" }), null, 0);

    function draw(remembered: typeof state | null) {
      const paths: string[] = [];
      const http = {
        request: async (path: string) => {
          paths.push(path);
          return toProfile();
        },
      } as unknown as Http;
      const session = { getAuthState: () => remembered } as unknown as Session;
      const services = { ...BROWSER_SERVICES, getHttp: () => http, getSession: () => session };
      render(
        <MemoryRouter>
          <PublicApp
            page={toPage(toRequest("profile"), texts)}
            screen={
              <AccountArea texts={accountTexts}>
                <WaitingProfile services={services} />
              </AccountArea>
            }
          />
        </MemoryRouter>,
      );
      return { paths, http };
    }

    test("is shown while the server is asked, and the profile is asked for meanwhile, once", async () => {
      const { paths, http } = draw(state);
      expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Işıl Çınar");
      expect(screen.getByText("@isil")).toBeTruthy();
      expect((await takeProfile(http, "isil")).username).toBe("isil");
      expect(new Set(paths)).toEqual(new Set(["/api/users/profile/"]));
      const asked = paths.length;
      await takeProfile(http, "isil");
      expect(paths).toHaveLength(asked + 1);
    });

    test("is not believed where the server names somebody else", async () => {
      const { paths, http } = draw(state);
      const asked = paths.length;
      await takeProfile(http, "efe");
      expect(paths).toHaveLength(asked + 1);
    });

    test("is nothing for a guest, for whom nothing is asked either", () => {
      const { paths } = draw(null);
      expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
      expect(paths).toEqual([]);
    });
  });
});

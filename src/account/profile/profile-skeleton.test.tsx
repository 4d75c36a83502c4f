import { describe, expect, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { type AuthState, toAuthState } from "#providers/http/auth-state.ts";
import type { Http } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { toAccountUser } from "#test/account-user.ts";
import { toRequest } from "../../head/test-request.ts";
import { PublicApp, toPage } from "../../public-app.tsx";
import { texts } from "../../public-texts-en.ts";
import { AccountArea } from "../account-area.tsx";
import { texts as accountTexts } from "../account-texts-en.ts";
import { RequireSession } from "../require-session.tsx";
import { takeProfile } from "./early-profile.ts";
import { BROWSER_SERVICES } from "./own-profile.tsx";
import { ProfileSkeleton, WaitingProfile } from "./profile-skeleton.tsx";
import { toProfile } from "./test-profile.tsx";

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

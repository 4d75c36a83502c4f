import { expect, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import type { AuthState } from "#providers/auth-state.ts";
import { toRequest } from "../../head/test-request.ts";
import { PublicApp, toPage } from "../../public-app.tsx";
import { texts } from "../../public-texts-en.ts";
import { WithAccountTexts } from "../account-text.tsx";
import { texts as accountTexts } from "../account-texts-en.ts";
import { RequireSession } from "../require-session.tsx";
import { ProfileSkeleton } from "./profile-skeleton.tsx";

test("until it is known who looks, the profile's shape stands in place of the guard's words", async () => {
  let answer: (auth: AuthState) => void = () => {};
  const services = {
    getSession: () => ({ restore: () => new Promise<AuthState>((resolve) => (answer = resolve)) }),
    goTo: () => {},
    listenForSessionEnd: () => () => {},
  };
  render(
    <MemoryRouter>
      <PublicApp
        page={toPage(toRequest("profile"), texts)}
        screen={
          <WithAccountTexts texts={accountTexts}>
            <RequireSession services={services} waiting={<ProfileSkeleton />}>
              {() => <p>Here it is</p>}
            </RequireSession>
          </WithAccountTexts>
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

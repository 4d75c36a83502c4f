import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { REFRESH_TOKEN_KEY } from "#providers/browser-storage.ts";
import { toAccountUser } from "#test/account-user.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { toRequest } from "./head/test-request.ts";
import { texts as en } from "./public-texts-en.ts";
import { texts as tr } from "./public-texts-tr.ts";
import { PublicApp, toPage } from "./ui/site-layout.tsx";
import { toRoom } from "./voice/test-room.ts";
import { loadVoiceScreen } from "./voice-screens.tsx";

const TEXTS = { en, tr };

const answer = jest.fn<typeof fetch>();

beforeEach(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  localStorage.setItem(REFRESH_TOKEN_KEY, "r");
  const answers: Record<string, unknown> = {
    "/api/auth/token/refresh/": { access: "a" },
    "/api/users/me/": toAccountUser({ access_level: 1 }),
    "/voice/rooms": { data: [] },
  };
  // All that is read of an answer; jsdom has no Response.
  const toAnswer = (body: unknown) =>
    ({
      ok: body !== undefined,
      status: body === undefined ? 404 : 200,
      headers: { get: () => null },
      text: async () => JSON.stringify(body ?? {}),
    }) as unknown as Response;
  answer.mockImplementation(async (url) => toAnswer(answers[String(url)]));
  globalThis.WebSocket = class {
    close() {}
  } as unknown as typeof WebSocket;
  globalThis.fetch = answer;
});
afterEach(() => localStorage.clear());

async function toScreen(name: "rooms" | "room", lang: "en" | "tr") {
  const draw = await loadVoiceScreen(name, lang);
  return (
    <MemoryRouter>
      <PublicApp page={toPage(toRequest(name, { lang }), TEXTS[lang])} screen={draw({ screen: name })} />
    </MemoryRouter>
  );
}

test("signed-in people see the voice screens in their language, and a move between them asks nobody again", async () => {
  const { rerender } = render(await toScreen("rooms", "tr"));
  expect(await screen.findByRole("heading", { level: 1, name: "Sesli odalar" })).toBeTruthy();
  const countAccountCalls = () => answer.mock.calls.filter(([url]) => String(url).startsWith("/api/")).length;
  const asked = countAccountCalls();
  rerender(await toScreen("room", "tr"));
  expect(await screen.findByRole("heading", { level: 1, name: "Böyle bir oda yok" })).toBeTruthy();
  expect(countAccountCalls()).toBe(asked);
});

test("until it is known who looks, the guard says that it asks", async () => {
  answer.mockImplementation(() => new Promise(() => {}));
  render(await toScreen("room", "en"));
  expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
  expect(screen.getByText(/finding out who you are/)).toBeTruthy();
});

test("a room that is being made outlives the end of the session: the password is asked for over it", async () => {
  const room = toRoom({ slug: "tea" });
  let isOver = false;
  const refused = { ok: false, status: 401, headers: { get: () => null }, text: async () => "{}" } as unknown;
  const toAnswer = (body: unknown) =>
    ({
      ok: true,
      status: 200,
      headers: { get: () => null },
      text: async () => JSON.stringify(body),
    }) as unknown;
  const user5 = toAccountUser({ access_level: 5 });
  const made: unknown[] = [];
  answer.mockImplementation(async (url, init) => {
    const path = String(url);
    const reply = () => {
      if (path === "/api/users/login/") {
        isOver = false;
        return toAnswer({ tokens: { access_token: "b", refresh_token: "s" }, user: user5 });
      }
      if (isOver) return refused;
      if (path === "/api/auth/token/refresh/") return toAnswer({ access: "a" });
      if (path === "/api/users/me/") return toAnswer(user5);
      if (path === "/voice/rooms" && init?.method === "POST") {
        made.push(JSON.parse(String(init.body)));
        return toAnswer({ ...room, room_id: room.id, room_name: room.name, room_slug: room.slug });
      }
      return toAnswer({ data: [] });
    };
    return reply() as Response;
  });
  const user = setUpDrawnUser();
  render(await toScreen("rooms", "en"));
  await user.click(await screen.findByRole("button", { name: "Create Room" }));
  await user.type(await screen.findByLabelText("Room Name *"), "Tea");
  isOver = true;
  await user.click(screen.getAllByRole("button", { name: "Create Room" }).at(-1) as HTMLElement);
  await user.type(await screen.findByLabelText("Password"), "correct horse");
  expect(made).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Log in" }));
  await waitFor(() => expect(made).toMatchObject([{ name: "Tea" }]));
});

import { describe, expect, jest, test } from "@jest/globals";
import { act, screen, within } from "@testing-library/react";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { HttpError } from "#providers/http.ts";
import type { Notice } from "../parts/status.tsx";
import { toRoom } from "../test-room.ts";
import { listBareKeys, openVoice, toWordlessError, type VoiceSetup } from "../test-voice.tsx";
import { RoomMenu } from "./room-menu.tsx";

const PUT = "PUT /voice/rooms/tea";
const DELETE = "DELETE /voice/rooms/tea";

function openMenu(room: VoiceRoom, setup: VoiceSetup = {}) {
  const onChanged = jest.fn<(room: VoiceRoom) => void>();
  const onDeleted = jest.fn<(room: VoiceRoom) => void>();
  const tell = jest.fn<(notice: Notice) => void>();
  const showBans = jest.fn();
  const page = openVoice(
    <RoomMenu
      room={room}
      maxSeats={12}
      onChanged={onChanged}
      onDeleted={onDeleted}
      tell={tell}
      showBans={showBans}
    />,
    setup,
  );
  const choose = async (name: string) => {
    await page.user.click(screen.getByLabelText("More for Tea"));
    await page.user.click(within(getMenu()).getByRole("button", { name }));
  };
  /** The button in the question, which says the same as the menu. */
  const confirm = (name: string) =>
    page.user.click(within(screen.getByRole("dialog")).getByRole("button", { name }));
  return { ...page, onChanged, onDeleted, tell, showBans, choose, confirm };
}

function getMenu(): HTMLDetailsElement {
  const menu = document.querySelector<HTMLDetailsElement>("details.action-menu");
  if (!menu) throw new Error("there is no menu");
  return menu;
}

test("the menu closes by what is chosen, by Escape and by going elsewhere", async () => {
  const { user, choose, showBans } = openMenu(toRoom());
  await choose("Barred people");
  expect([showBans.mock.calls.length, getMenu().open]).toEqual([1, false]);
  await user.click(screen.getByLabelText("More for Tea"));
  await user.keyboard("{Escape}");
  expect([getMenu().open, document.activeElement?.getAttribute("aria-label")]).toEqual([
    false,
    "More for Tea",
  ]);
  await user.click(screen.getByLabelText("More for Tea"));
  expect(getMenu().open).toBe(true);
  await user.click(document.body);
  expect(getMenu().open).toBe(false);
});

test("a room is edited from what it is, and closes the form when the server has it", async () => {
  const answered = toRoom({ name: "Tea house" });
  const { user, choose, onChanged, listBodies } = openMenu(toRoom(), { answers: { [PUT]: () => answered } });
  await choose("Edit");
  const name = screen.getByLabelText<HTMLInputElement>("Room Name *");
  expect(name.value).toBe("Tea");
  await user.type(name, " house");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(listBodies(PUT)).toMatchObject([{ name: "Tea house", max_participants: 10 }]);
  expect([onChanged.mock.calls, screen.queryByRole("dialog")]).toEqual([[[answered]], null]);
});

describe("closing a room", () => {
  test("asks first, and tells that it is done", async () => {
    const closed = toRoom({ is_active: false });
    const { choose, confirm, tell, onChanged, listBodies } = openMenu(toRoom(), {
      answers: { [PUT]: () => closed },
    });
    await choose("Close room");
    expect([screen.getByRole("dialog", { name: "Close Tea?" }), listBodies(PUT)]).toEqual([
      expect.anything(),
      [],
    ]);
    await confirm("Close room");
    expect(listBodies(PUT)).toEqual([{ is_active: false }]);
    expect([onChanged.mock.calls, tell.mock.calls]).toEqual([
      [[closed]],
      [[{ kind: "status", text: "Tea is closed." }]],
    ]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("that is given up changes nothing", async () => {
    const { choose, confirm, calls } = openMenu(toRoom());
    await choose("Close room");
    await confirm("Cancel");
    expect([screen.queryByRole("dialog"), calls]).toEqual([null, []]);
  });
});

test("a closed room opens at once", async () => {
  const { choose, tell, listBodies } = openMenu(toRoom({ is_active: false }), {
    answers: { [PUT]: () => toRoom() },
  });
  await choose("Open room");
  expect([listBodies(PUT), tell.mock.calls]).toEqual([
    [{ is_active: true }],
    [[{ kind: "status", text: "Tea is open." }]],
  ]);
});

test.each([
  [new HttpError("Not yours", "x", 403), "Not yours"],
  [toWordlessError(), "The room could not be changed."],
])("a room that does not open says why: %#", async (error, text) => {
  const answers = { [PUT]: () => Promise.reject(error) };
  const { choose, tell, onChanged } = openMenu(toRoom({ is_active: false }), { answers });
  await choose("Open room");
  expect([tell.mock.calls, onChanged.mock.calls]).toEqual([[[{ kind: "alert", text }]], []]);
});

describe("deleting a room", () => {
  test("asks first, works once, and tells that it is done", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { choose, confirm, tell, onDeleted, listBodies } = openMenu(toRoom(), {
      answers: { [DELETE]: () => promise },
    });
    await choose("Delete room");
    expect([screen.getByRole("dialog", { name: "Delete Tea?" }), listBodies(DELETE)]).toEqual([
      expect.anything(),
      [],
    ]);
    await confirm("Delete room");
    const busy = screen.getByRole<HTMLButtonElement>("button", { name: "Deleting…" });
    expect([busy.disabled, listBodies(DELETE).length, onDeleted.mock.calls]).toEqual([true, 1, []]);
    await act(async () => resolve());
    expect(tell.mock.calls).toEqual([[{ kind: "status", text: "Tea was deleted." }]]);
    expect([onDeleted.mock.calls, screen.queryByRole("dialog")]).toEqual([[[toRoom()]], null]);
  });

  test("that did not work says so in its question, which stays", async () => {
    const answers = { [DELETE]: () => Promise.reject(new HttpError("Not yours", "x", 403)) };
    const { choose, confirm, onDeleted } = openMenu(toRoom(), { answers });
    await choose("Delete room");
    await confirm("Delete room");
    expect(screen.getByRole("alert").textContent).toBe("That did not work: Not yours");
    expect([screen.queryByRole("dialog") !== null, onDeleted.mock.calls]).toEqual([true, []]);
  });
});

test.each(["en", "tr"] as const)("every text is there in %s", async (lang) => {
  const { user } = openMenu(toRoom(), { lang });
  for (const index of [0, 1, 3]) {
    const item = getMenu().querySelectorAll("button")[index];
    if (item) await user.click(item);
    expect([screen.getAllByRole("dialog").length, listBareKeys()]).toEqual([1, []]);
  }
});

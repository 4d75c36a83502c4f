import { describe, expect, jest, test } from "@jest/globals";
import { act, screen, within } from "@testing-library/react";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { HttpError } from "#providers/http/http.ts";
import type { Notice } from "../parts/status.tsx";
import { toRoom } from "../test-room.ts";
import { listBareKeys, openVoice, toWordlessError, type VoiceSetup } from "../test-voice.tsx";
import { RoomDialog, type RoomValues } from "./room-dialog.tsx";
import { RoomMenu } from "./room-menu.tsx";

describe("room menu", () => {
  const PUT = "PUT /voice/rooms/tea";
  const DELETE = "DELETE /voice/rooms/tea";

  function openMenu(room: VoiceRoom, setup: VoiceSetup = {}) {
    const onChanged = jest.fn<(room: VoiceRoom) => void>();
    const onDeleted = jest.fn<(room: VoiceRoom) => void>();
    const notify = jest.fn<(notice: Notice) => void>();
    const showBans = jest.fn();
    const page = openVoice(
      <RoomMenu
        room={room}
        maxSeats={12}
        onChanged={onChanged}
        onDeleted={onDeleted}
        notify={notify}
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
    return { ...page, onChanged, onDeleted, notify, showBans, choose, confirm };
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
    const { user, choose, onChanged, listBodies } = openMenu(toRoom(), {
      answers: { [PUT]: () => answered },
    });
    await choose("Edit");
    const name = screen.getByLabelText<HTMLInputElement>("Room Name *");
    expect(name.value).toBe("Tea");
    await user.type(name, " house");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(listBodies(PUT)).toMatchObject([{ name: "Tea house", max_participants: 10 }]);
    expect([onChanged.mock.calls, screen.queryByRole("dialog")]).toEqual([[[answered]], null]);
  });

  describe("closing a room", () => {
    test("asks first, and says that it is done", async () => {
      const closed = toRoom({ is_active: false });
      const { choose, confirm, notify, onChanged, listBodies } = openMenu(toRoom(), {
        answers: { [PUT]: () => closed },
      });
      await choose("Close room");
      expect([screen.getByRole("dialog", { name: "Close Tea?" }), listBodies(PUT)]).toEqual([
        expect.anything(),
        [],
      ]);
      await confirm("Close room");
      expect(listBodies(PUT)).toEqual([{ is_active: false }]);
      expect([onChanged.mock.calls, notify.mock.calls]).toEqual([
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
    const { choose, notify, listBodies } = openMenu(toRoom({ is_active: false }), {
      answers: { [PUT]: () => toRoom() },
    });
    await choose("Open room");
    expect([listBodies(PUT), notify.mock.calls]).toEqual([
      [{ is_active: true }],
      [[{ kind: "status", text: "Tea is open." }]],
    ]);
  });

  test.each([
    [new HttpError("Not yours", "x", 403), "Not yours"],
    [toWordlessError(), "The room could not be changed."],
  ])("a room that does not open says why: %#", async (error, text) => {
    const answers = { [PUT]: () => Promise.reject(error) };
    const { choose, notify, onChanged } = openMenu(toRoom({ is_active: false }), { answers });
    await choose("Open room");
    expect([notify.mock.calls, onChanged.mock.calls]).toEqual([[[{ kind: "alert", text }]], []]);
  });

  describe("deleting a room", () => {
    test("asks first, works once, and says that it is done", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { choose, confirm, notify, onDeleted, listBodies } = openMenu(toRoom(), {
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
      expect(notify.mock.calls).toEqual([[{ kind: "status", text: "Tea was deleted." }]]);
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
});

describe("room dialog", () => {
  interface Setup extends VoiceSetup {
    room?: VoiceRoom;
    maxSeats?: number;
  }

  function openDialog({ room, maxSeats, ...setup }: Setup = {}) {
    const save = jest.fn<(values: RoomValues) => Promise<void>>(async () => undefined);
    const onClose = jest.fn();
    const page = openVoice(
      <RoomDialog {...(room && { room })} maxSeats={maxSeats} save={save} onClose={onClose} />,
      setup,
    );
    return { ...page, save, onClose, ...getFields() };
  }

  const getFields = () => ({
    name: screen.getByLabelText<HTMLInputElement>(/^(Room Name|Oda Adı)/i),
    description: screen.getByLabelText<HTMLTextAreaElement>(/^(Description|Açıklama)/i),
    size: screen.getByRole<HTMLSelectElement>("combobox"),
  });
  const getSubmit = () =>
    screen.getByRole<HTMLButtonElement>("button", { name: /^(Create Room|Creating|Sav)/ });
  /** What a field says is wrong with it, tied to it. */
  const readError = (field: HTMLElement) =>
    field.getAttribute("aria-invalid") === "true"
      ? document.getElementById(`${field.id}-error`)?.textContent
      : undefined;

  test("what is typed is held over the end of the session, and saved when there is one again", async () => {
    let isHeld = false;
    const hold = () => {
      isHeld = true;
      return () => {
        isHeld = false;
      };
    };
    const signedIn = Promise.withResolvers<boolean>();
    const { user, name, save, unmount } = openDialog({ hold, signInAgain: () => signedIn.promise });
    save.mockRejectedValueOnce(new HttpError("Over", "not_authenticated", 401));
    expect(isHeld).toBe(false);
    await user.type(name, "Tea");
    expect(isHeld).toBe(true);
    await user.click(getSubmit());
    expect([save.mock.calls.length, name.value]).toEqual([1, "Tea"]);
    await act(async () => signedIn.resolve(true));
    expect(save).toHaveBeenCalledTimes(2);
    unmount();
    expect(isHeld).toBe(false);
  });

  describe("the form", () => {
    test("begins as documented, and sends what was filled in, trimmed", async () => {
      const { user, save, name, description, size } = openDialog();
      expect([name.value, description.value, size.value, getSubmit().disabled]).toEqual(["", "", "10", true]);
      await user.type(name, "  Tea room ");
      await user.type(description, " Come in ");
      await user.selectOptions(size, "20");
      await user.click(screen.getByLabelText("Public room (visible to everyone)"));
      await user.click(screen.getByLabelText("Auto-mute new participants"));
      await user.click(getSubmit());
      expect(save.mock.calls).toEqual([
        [
          {
            name: "Tea room",
            description: "Come in",
            max_participants: 20,
            is_public: true,
            auto_mute_on_join: true,
          },
        ],
      ]);
    });

    test.each([
      ["", "Room name is required"],
      ["   ", "Room name is required"],
      ["ab", "Room name must be at least 3 characters"],
      [" ab ", "Room name must be at least 3 characters"],
      ["abc", undefined],
      ["x".repeat(100), undefined],
      ["x".repeat(101), "Room name must be less than 100 characters"],
    ])(
      "with the name %j says %j when the field is left, and can be sent without a fault alone",
      async (typed, error) => {
        const { user, name } = openDialog();
        await user.click(name);
        if (typed) await user.paste(typed);
        expect(readError(name)).toBeUndefined();
        await user.tab();
        expect([readError(name), getSubmit().disabled]).toEqual([error, error !== undefined]);
      },
    );

    test.each([
      [500, undefined],
      [501, "Description must be less than 500 characters"],
    ])("with a description of %i characters says %j when the field is left", async (length, error) => {
      const { user, name, description } = openDialog();
      await user.type(name, "Tea");
      await user.click(description);
      await user.paste("x".repeat(length));
      await user.tab();
      expect([readError(description), getSubmit().disabled]).toEqual([error, error !== undefined]);
    });

    test("offers the documented sizes, as far as this site can hold them, and says why", () => {
      const { size } = openDialog({ maxSeats: 12 });
      const options = [...size.options].map(({ value, disabled }) => [Number(value), disabled]);
      expect(options).toEqual([2, 5, 10, 20, 50, 100].map((count) => [count, count > 12]));
      const note = "Larger rooms need the audio engine, which this site does not run.";
      expect(document.getElementById(size.getAttribute("aria-describedby") ?? "")?.textContent).toBe(note);
    });

    test("of a room keeps its odd size, and one that new rooms can't have any more", () => {
      const { size } = openDialog({ room: toRoom({ max_participants: 33 }), maxSeats: 12 });
      expect([size.value, getSubmit().disabled, getSubmit().textContent]).toEqual(["33", false, "Save"]);
    });
  });

  describe("who may not create rooms", () => {
    test.each([
      [4, true],
      [5, false],
    ])("is shown so: level %i", async (access_level, isLow) => {
      const { user, name } = openDialog({ person: { access_level } });
      await user.type(name, "Tea");
      const note = screen.queryByRole("note");
      expect([note !== null, getSubmit().disabled]).toEqual([isLow, isLow]);
      if (note) expect(note.textContent).toMatch(/^Access Level Required.*level 5 or higher.*Yours is 4\.$/);
    });

    test("may still change a room of their own", () => {
      openDialog({ person: { access_level: 1 }, room: toRoom({ created_by: "1" }) });
      expect([screen.queryByRole("note"), getSubmit().disabled]).toEqual([null, false]);
    });
  });

  describe("while the server is asked", () => {
    test("nothing can be sent again or given up, and a double submit is one", async () => {
      const { user, save, name, onClose } = openDialog();
      const { promise, resolve } = Promise.withResolvers<void>();
      save.mockReturnValue(promise);
      await user.type(name, "Tea{Enter}{Enter}");
      expect([getSubmit().textContent, getSubmit().disabled, save.mock.calls.length]).toEqual([
        "Creating...",
        true,
        1,
      ]);
      expect(screen.getByRole<HTMLButtonElement>("button", { name: "Cancel" }).disabled).toBe(true);
      act(() => void screen.getByRole("dialog").dispatchEvent(new Event("cancel", { cancelable: true })));
      expect(onClose).not.toHaveBeenCalled();
      await act(async () => resolve());
    });
  });

  test("Cancel and Escape close it where nothing is under way", async () => {
    const { user, onClose } = openDialog();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    act(() => void screen.getByRole("dialog").dispatchEvent(new Event("cancel", { cancelable: true })));
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  describe("a refusal", () => {
    const refuse = async (error: unknown, setup: Setup = {}) => {
      const dialog = openDialog(setup);
      dialog.save.mockRejectedValueOnce(error);
      await dialog.user.clear(dialog.name);
      await dialog.user.type(dialog.name, " Tea ");
      await dialog.user.type(dialog.description, "Come in");
      await dialog.user.selectOptions(dialog.size, "5");
      await dialog.user.click(getSubmit());
      return dialog;
    };
    const DENIED = "You need access level 5 or higher to create rooms. Please contact an administrator.";

    test.each([
      ["Access denied", "x", 403, DENIED],
      ["Your access level is too low", "x", 403, DENIED],
      ["Erişim yok", "room_creation_denied", 403, DENIED],
      ["Authentication required", "x", 401, "Please login to create rooms."],
      ["Giriş gerekli", "not_authenticated", 401, "Please login to create rooms."],
      ["No valid token", "no_valid_token", 401, "Authentication required. Please login again."],
      ["Five rooms a day", "too_many_rooms", 429, "Five rooms a day"],
    ])("%j (%s, %i) is said as documented, and what was typed stays", async (message, code, status, text) => {
      const { name, description, size, user, save } = await refuse(new HttpError(message, code, status));
      expect(screen.getByRole("alert").textContent).toBe(`Room Creation Failed${text}`);
      expect([name.value, description.value, size.value]).toEqual([" Tea ", "Come in", "5"]);
      expect([getSubmit().disabled, getSubmit().textContent]).toEqual([false, "Create Room"]);
      await user.click(getSubmit());
      expect([save.mock.calls.length, screen.getByRole("alert").textContent]).toEqual([2, ""]);
    });

    test("without a word is shown in the site's own", async () => {
      await refuse(toWordlessError());
      expect(screen.getByRole("alert").textContent).toBe(
        "Room Creation FailedFailed to create room. Please try again.",
      );
    });

    test("of single fields stands at them until they are changed, and in no box", async () => {
      const errors = [
        { field: "name", code: "x", message: "Taken" },
        { field: "max_participants", code: "x", message: "Too large for today" },
        { field: "elsewhere", code: "x", message: "Never shown" },
      ];
      const { name, size, user } = await refuse(
        new HttpError("Validation failed", "validation_failed", 400, errors),
      );
      expect([readError(name), readError(size), screen.getByRole("alert").textContent]).toEqual([
        "Taken",
        "Too large for today",
        "",
      ]);
      await user.type(name, "s");
      expect([readError(name), readError(size)]).toEqual([undefined, "Too large for today"]);
    });

    test.each([
      [new HttpError("Not now", "x", 500), "The room was not savedNot now"],
      [toWordlessError(), "The room was not savedThe room could not be changed."],
    ])("of a change says that the room was not saved", async (error, text) => {
      await refuse(error, { room: toRoom() });
      expect(screen.getByRole("alert").textContent).toBe(text);
    });
  });

  test.each(["en", "tr"] as const)("every text is there in %s", async (lang) => {
    const { unmount } = openDialog({ lang, person: { access_level: 4 } });
    expect([screen.queryByRole("note") !== null, listBareKeys()]).toEqual([true, []]);
    unmount();
    const { user, name, save } = openDialog({ lang, maxSeats: 12 });
    save.mockRejectedValue(toWordlessError());
    await user.type(name, "a");
    await user.tab();
    expect([readError(name)?.length, listBareKeys()]).toEqual([expect.any(Number), []]);
    await user.type(name, "bc{Enter}");
    expect([screen.getByRole("alert").textContent?.length, listBareKeys()]).toEqual([expect.any(Number), []]);
  });
});

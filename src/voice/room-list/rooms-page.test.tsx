import { beforeEach, describe, expect, test } from "@jest/globals";
import { act, screen, waitFor, within } from "@testing-library/react";
import { LOBBY_TOPIC, type VoiceRoom, voiceRoom } from "#contract/voice/rooms.ts";
import { HttpError } from "#providers/http/http.ts";
import { toRoom } from "../test-room.ts";
import { listBareKeys, openVoice, toWordlessError, type VoiceSetup } from "../test-voice.tsx";
import { listSizes, toRoomBody } from "./room-dialog.tsx";
import { RoomsPage } from "./rooms-page.tsx";
import { findRooms, type RoomListState, reduceRoomList } from "./use-rooms.ts";

describe("rooms page", () => {
  const ROUTE = "GET /voice/rooms";
  const ISTANBUL = toRoom({ id: "a", slug: "istanbul", name: "İSTANBUL Odası", description: "Çay" });
  const CLOSED = toRoom({ id: "b", slug: "closed", name: "Closed", is_active: false });

  beforeEach(() => localStorage.clear());

  /** The list over a back end whose rooms the test may change. */
  async function openList(rooms: VoiceRoom[], more: VoiceSetup = {}) {
    const shown = { rooms };
    const answers = { [ROUTE]: () => ({ data: shown.rooms, max_seats: 12 }), ...more.answers };
    const page = openVoice(<RoomsPage />, { ...more, answers });
    await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
    return { ...page, shown, countReads: () => page.listBodies(ROUTE).length };
  }

  const listNames = () =>
    screen.queryAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  const getCard = (name: string) => {
    const card = screen.getByRole("heading", { level: 2, name }).closest("li");
    if (!card) throw new Error(`${name} stands in no list`);
    return within(card);
  };

  describe("the list", () => {
    test("says that it loads, and shows what came", async () => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      openVoice(<RoomsPage />, { answers: { [ROUTE]: () => promise } });
      expect(screen.getByText("Loading rooms…").getAttribute("role")).toBe("status");
      await act(async () => resolve({ data: [ISTANBUL] }));
      expect(listNames()).toEqual(["İSTANBUL Odası"]);
      expect(screen.getByText("1 total room")).toBeTruthy();
    });

    test.each([
      ["Failed to load rooms", toWordlessError()],
      [
        "Failed to load rooms: The rooms are being moved.",
        new HttpError("The rooms are being moved.", "x", 500),
      ],
    ])("that could not be loaded says %j and can be asked for again", async (text, error) => {
      let isBroken = true;
      const { user } = openVoice(<RoomsPage />, {
        answers: {
          [ROUTE]: () => {
            if (isBroken) throw error;
            return { data: [ISTANBUL] };
          },
        },
      });
      const alert = await screen.findByText(text);
      expect(alert.getAttribute("role")).toBe("alert");
      isBroken = false;
      await user.click(screen.getByRole("button", { name: "Retry" }));
      expect(await screen.findByText("1 total room")).toBeTruthy();
      expect(screen.queryByText(text)).toBeNull();
    });

    test.each([
      [1, "As soon as somebody opens one, it appears here."],
      [5, "Whoever opens the first one is the host."],
    ])("without a room shows level %i what would bring one", async (access_level, text) => {
      await openList([], { person: { access_level } });
      expect([listNames(), screen.queryByText(text) !== null]).toEqual([["No rooms yet"], true]);
    });

    test("is found by name or description, by either language's rules, and says how many", async () => {
      const { user } = await openList([ISTANBUL, toRoom({ name: "Diyarbakır" }), CLOSED]);
      const search = screen.getByLabelText("Search rooms");
      for (const [text, names, count] of [
        ["istanbul", ["İSTANBUL Odası"], "1 room found"],
        ["cay", ["İSTANBUL Odası"], "1 room found"],
        ["DIYARBAKIR", ["Diyarbakır"], "1 room found"],
        ["o", ["İSTANBUL Odası", "Closed"], "2 rooms found"],
      ] as const) {
        await user.clear(search);
        await user.type(search, text);
        expect([listNames(), screen.getByText(/found$/).textContent]).toEqual([names, count]);
      }
      await user.type(search, "nowhere");
      expect(listNames()).toEqual(["No room matches"]);
      await user.click(screen.getByRole("button", { name: "Clear search" }));
      expect(screen.getByText("3 total rooms")).toBeTruthy();
    });

    test("shows cards until somebody chooses rows, which the browser remembers", async () => {
      const { user, unmount } = await openList([ISTANBUL]);
      const getView = () => [
        screen.getByRole("radio", { checked: true }).closest("label")?.textContent,
        screen.getByRole("heading", { level: 2 }).closest("ul")?.className,
      ];
      expect(getView()).toEqual(["Cards", "rooms-cards"]);
      await user.click(screen.getByRole("radio", { name: "List" }));
      expect(getView()).toEqual(["List", "rooms-list"]);
      unmount();
      await openList([ISTANBUL]);
      expect(getView()).toEqual(["List", "rooms-list"]);
    });
  });

  describe("a room", () => {
    test("that is open shows who is in it, and leads to its screen by name and button", async () => {
      const { user, getAddress } = await openList([toRoom({ participant_count: 3 })]);
      const card = getCard("Tea");
      expect(card.getByText("Live")).toBeTruthy();
      expect(card.getByText("Join the conversation")).toBeTruthy();
      expect(card.getByText("3 of 10 seats taken")).toBeTruthy();
      expect(card.getByRole("link", { name: "Tea" }).getAttribute("href")).toBe("/room/tea");
      await user.click(card.getByRole("button", { name: "Join Tea" }));
      expect(getAddress()).toBe("/room/tea");
    });

    test("that is closed is shown as such and can't be entered", async () => {
      const { user, getAddress } = await openList([CLOSED]);
      const card = getCard("Closed");
      expect(card.getByText("Offline")).toBeTruthy();
      expect(card.getByText("Room Unavailable")).toBeTruthy();
      expect(card.queryByRole("link")).toBeNull();
      const button = card.getByRole<HTMLButtonElement>("button", { name: "Unavailable" });
      await user.click(button);
      expect([button.disabled, getAddress()]).toEqual([true, "/rooms"]);
    });

    test.each([
      ["1", { username: "isil" }, "Created by isil"],
      ["7", {}, "Created by User"],
      ["unknown", {}, "Created by Unknown User"],
    ])("of the creator %s says who that is", async (created_by, person, text) => {
      await openList([toRoom({ created_by })], { person });
      expect(getCard("Tea").getByText(text)).toBeTruthy();
    });

    test("can be changed by who made it and by admins, by nobody else", async () => {
      await openList([toRoom({ created_by: "1" }), toRoom({ id: "x", name: "Other" })]);
      expect(await screen.findByLabelText("More for Tea")).toBeTruthy();
      expect(screen.queryByLabelText("More for Other")).toBeNull();
    });
  });

  describe("the lobby", () => {
    test("brings rooms that come, change and go, in their places", async () => {
      const { socket, unmount } = await openList([ISTANBUL, toRoom()]);
      act(() => socket.publish(LOBBY_TOPIC, "room_changed", toRoom({ id: "new", name: "New" })));
      expect(listNames()).toEqual(["New", "İSTANBUL Odası", "Tea"]);
      act(() =>
        socket.publish(LOBBY_TOPIC, "room_changed", toRoom({ participant_count: 9, is_active: false })),
      );
      expect(listNames()).toEqual(["New", "İSTANBUL Odası", "Tea"]);
      expect(getCard("Tea").getByText("Offline")).toBeTruthy();
      act(() => socket.publish(LOBBY_TOPIC, "room_removed", { id: "a" }));
      expect([listNames(), screen.queryByText("2 total rooms") !== null]).toEqual([["New", "Tea"], true]);
      unmount();
      expect(socket.isJoined(LOBBY_TOPIC)).toBe(false);
    });

    test("is not overtaken by a list that was asked for before", async () => {
      const { socket, shown, countReads } = await openList([ISTANBUL]);
      shown.rooms = [ISTANBUL, toRoom()];
      act(() => {
        socket.become(LOBBY_TOPIC, "joined");
        socket.publish(LOBBY_TOPIC, "room_changed", toRoom({ id: "new", name: "New" }));
      });
      const reads = countReads();
      await waitFor(() => expect(countReads()).toBe(reads + 1));
      await waitFor(() => expect(listNames()).toEqual(["İSTANBUL Odası", "Tea"]));
    });

    test("has the list read again where it can't know what changed, and behind a loss", async () => {
      const { socket, shown, countReads } = await openList([ISTANBUL]);
      act(() => socket.become(LOBBY_TOPIC, "joined"));
      const reads = countReads();
      shown.rooms = [toRoom()];
      act(() => socket.publish(LOBBY_TOPIC, "rooms_changed", {}));
      await waitFor(() => expect(listNames()).toEqual(["Tea"]));
      act(() => socket.become(LOBBY_TOPIC, "waiting"));
      expect(countReads()).toBe(reads + 1);
      shown.rooms = [];
      act(() => socket.become(LOBBY_TOPIC, "joined"));
      await waitFor(() => expect(listNames()).toEqual(["No rooms yet"]));
    });

    test.each([
      ["browser", true],
      ["off", false],
    ] as const)(
      "notifies of who comes into a room of one's own where that is wanted: %s",
      async (room_entered, isShown) => {
        const notification_preferences = { new_sign_in: true, room_entered };
        const { socket } = await openList([toRoom()], { profile: { notification_preferences } });
        act(() => socket.publish(LOBBY_TOPIC, "room_entered", { room: toRoom(), display_name: "Ada" }));
        // Its text is loaded when it is first needed.
        await act(async () => void (await import("../parts/notify-entered.ts")));
        await act(async () => undefined);
        expect(screen.queryByText("Ada is in your room Tea.") !== null).toBe(isShown);
      },
    );
  });

  describe("an invitation", () => {
    test("leads to its room", async () => {
      const answers = { "GET /voice/rooms/r%C3%B61": () => toRoom() };
      const { getAddress } = openVoice(<RoomsPage />, { path: "/rooms/r%C3%B61", answers });
      await waitFor(() => expect(getAddress()).toBe("/room/tea"));
    });

    test.each(["/rooms/gone", "/rooms/%E0%A4%A"])("to a room that is not there says so: %s", async (path) => {
      openVoice(<RoomsPage />, { path });
      expect(await screen.findByRole("heading", { level: 1, name: "There is no such room" })).toBeTruthy();
    });
  });

  test.each(["en", "tr"] as const)("every text is there in %s", async (lang) => {
    await openList([ISTANBUL, CLOSED, toRoom({ created_by: "1", is_public: true })], { lang });
    await waitFor(() => expect(document.querySelector("summary")).not.toBeNull());
    expect(listBareKeys()).toEqual([]);
  });
});

describe("room list", () => {
  const toRoom = (id: string, name: string, description = "") =>
    voiceRoom.parse({ id, name, description, slug: id, is_active: true, max_participants: 10 });
  const ROOMS = [
    toRoom("a", "İSTANBUL Odası", "Çay"),
    toRoom("b", "Diyarbakır"),
    toRoom("c", "Tea room", "ISPARTA"),
  ];

  test.each([
    ["istanbul", ["a"]],
    ["ISTANBUL", ["a"]],
    ["cay", ["a"]],
    ["DIYARBAKIR", ["b"]],
    ["diyarbakir", ["b"]],
    ["ısparta", ["c"]],
    ["room", ["c"]],
    ["  ", ["a", "b", "c"]],
    ["nothing", []],
  ])("a search for %j finds %j, by either language's rules", (search, ids) => {
    expect(findRooms(ROOMS, search).map(({ id }) => id)).toEqual(ids);
  });

  test("a list that is shown stays while it is read again, and where that fails", () => {
    const loaded: RoomListState = { phase: "loaded", rooms: ROOMS, maxSeats: 12 };
    expect(reduceRoomList(loaded, { type: "asked" })).toBe(loaded);
    expect(reduceRoomList(loaded, { type: "failed", error: new Error("x") })).toBe(loaded);
    expect(reduceRoomList({ phase: "loading" }, { type: "failed", error: "x" })).toEqual({
      phase: "failed",
      error: "x",
    });
  });

  test("a room that changes stays in its place, a new one comes first, a removed one goes", () => {
    const loaded: RoomListState = { phase: "loaded", rooms: ROOMS, maxSeats: 12 };
    const ids = (state: RoomListState) => (state.phase === "loaded" ? state.rooms.map(({ id }) => id) : []);
    const changed = reduceRoomList(loaded, { type: "changed", room: toRoom("b", "Diyarbakır 2") });
    expect(changed).toMatchObject({ rooms: [{}, { name: "Diyarbakır 2" }, {}] });
    expect(ids(reduceRoomList(changed, { type: "changed", room: toRoom("d", "New") }))).toEqual([
      "d",
      "a",
      "b",
      "c",
    ]);
    expect(ids(reduceRoomList(changed, { type: "removed", id: "a" }))).toEqual(["b", "c"]);
  });

  const VALUES = {
    name: "Tea",
    description: "",
    max_participants: 10,
    is_public: false,
    auto_mute_on_join: false,
  };
  test("a room is sent trimmed, and one of another size keeps it", () => {
    expect(toRoomBody({ ...VALUES, name: " Tea ", description: " x " })).toMatchObject({
      name: "Tea",
      description: "x",
    });
    expect(listSizes(10)).toEqual([2, 5, 10, 20, 50, 100]);
    expect(listSizes(7)).toEqual([2, 5, 7, 10, 20, 50, 100]);
  });
});

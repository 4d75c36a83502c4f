import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { createTestCall, toSeat } from "./test-call.ts";

afterEach(() => {
  jest.useRealTimers();
});

describe("the roster", () => {
  test("gives the others in the order of joining, and offers to who was there before", async () => {
    const { getRoom, tellRoster, takeEvents, connections, enter } = createTestCall();
    await enter();
    await tellRoster([toSeat("9"), toSeat("3"), toSeat("2")]);
    expect(getRoom().people.map(({ user_id, link }) => [user_id, link])).toEqual([
      ["2", "connecting"],
      ["3", "connecting"],
      ["9", "connecting"],
    ]);
    expect(takeEvents()).toEqual(["offer 3", "offer 2"]);
    connections[0]?.connect();
    expect(getRoom().people.find(({ user_id }) => user_id === "3")?.link).toBe("connected");
  });

  test("of a server that knows one of the two words for a mute alone is read as well", async () => {
    const { getRoom, tell, enter } = createTestCall();
    await enter();
    const toDocumented = (user_id: string, mute_state?: unknown) => ({
      ...{ id: user_id, user_id, display_name: user_id },
      ...(mute_state !== undefined && { mute_state }),
    });
    tell("roster_snapshot", {
      participants: [
        toSeat("5"),
        toDocumented("1", "muted"),
        toDocumented("2", "unmuted"),
        toDocumented("3"),
      ],
    });
    expect(getRoom().people.map(({ is_muted }) => is_muted)).toEqual([true, false, false]);
  });

  test("has offers made that say who makes them, for a server that passes them on as they are", async () => {
    const { socket, enter, tellRoster } = createTestCall();
    await enter();
    await tellRoster([toSeat("2")]);
    expect(socket.takeSent()).toMatchObject([
      { event: "offer", payload: { from_user_id: "5", from_display_name: "Ada", target_user_id: "2" } },
    ]);
  });

  test("follows who comes and who goes", async () => {
    const { getRoom, tell, enter, connections, takeEvents } = createTestCall();
    await enter([toSeat("2")]);
    tell("participant_joined", toSeat("8"));
    tell("participant_left", { id: "s2", user_id: "2" });
    expect(getRoom().people.map(({ user_id }) => user_id)).toEqual(["8"]);
    expect([connections[0]?.isClosed, takeEvents()]).toEqual([true, []]);
    tell("roster_update", { added: [toSeat("9")], removed: [{ id: "an earlier seat", user_id: "8" }] });
    expect(getRoom().people.map(({ user_id }) => user_id)).toEqual(["8", "9"]);
  });

  test("links nobody who is blocked, and shows no line of theirs", async () => {
    const { call, getRoom, tell, takeEvents, connections, settle, enter } = createTestCall(
      {},
      { blocked: ["2"] },
    );
    await enter([toSeat("2"), toSeat("3")]);
    const say = (user_id: string) =>
      tell("text", { id: user_id, user_id, display_name: "x", text: "Hi", sent_at: "2026-11-20T12:00:00Z" });
    say("2");
    say("3");
    expect(getRoom().people.map(({ user_id, link }) => [user_id, link])).toEqual([
      ["2", "none"],
      ["3", "connecting"],
    ]);
    expect(getRoom().texts.map(({ user_id }) => user_id)).toEqual(["3"]);
    call.setBlocked("3", true);
    expect([call.isBlocked("3"), connections.length, connections[0]?.isClosed]).toEqual([true, 1, true]);
    call.setBlocked("2", false);
    await settle();
    expect(takeEvents()).toEqual(["offer 2"]);
  });
});

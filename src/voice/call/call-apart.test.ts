import { expect, test } from "@jest/globals";
import { createTestCall, toSeat } from "./test-call.ts";

/** Links of a call: whether each is closed. */
const listClosed = (connections: readonly { isClosed: boolean }[]) =>
  connections.map(({ isClosed }) => isClosed);

test("with whom one is apart there is no link, and there is one when the server says no more of it", async () => {
  const { socket, call, answer, settle, tell, tellRoster, connections, getRoom } = createTestCall();
  await call.join({ isListening: false });
  socket.become("voice:room:r1", "joined", answer());
  await settle();
  tell("apart", { user_ids: ["2"] });
  await tellRoster([toSeat("2"), toSeat("3")]);
  expect(listClosed(connections)).toEqual([false]);
  expect(getRoom().people.map(({ user_id, link }) => [user_id, link])).toEqual([
    ["2", "none"],
    ["3", "connecting"],
  ]);
  expect(call.isBlocked("2")).toBe(false);

  tell("apart", { user_ids: ["3"] });
  await settle();
  expect(listClosed(connections)).toEqual([true, false]);
  expect(getRoom().people.map(({ link }) => link)).toEqual(["connecting", "none"]);
});

test("a return of which the server tells nothing ends it", async () => {
  const { comeBack, tell, enter, tellRoster, connections } = createTestCall();
  await enter([toSeat("2")]);
  tell("apart", { user_ids: ["2"] });
  expect(listClosed(connections)).toEqual([true]);
  await comeBack();
  await tellRoster([toSeat("2")]);
  expect(listClosed(connections)).toEqual([true, false]);
});

test("whom one has blocked oneself stays apart whatever the server says", async () => {
  const { call, tell, enter, connections } = createTestCall();
  await enter([toSeat("2")]);
  call.setBlocked("2", true);
  tell("apart", { user_ids: [] });
  expect([listClosed(connections), call.isBlocked("2")]).toEqual([[true], true]);
  call.setBlocked("2", false);
  expect(listClosed(connections)).toEqual([true, false]);
});

test("in a mixed room everybody is linked as the mix is", async () => {
  const { tell, enter, settle, getRoom } = createTestCall();
  await enter([toSeat("2"), toSeat("3")], { engine: "mix" });
  await settle();
  const before = getRoom().people.map(({ link }) => link);
  tell("apart", { user_ids: ["2"] });
  expect(getRoom().people.map(({ link }) => link)).toEqual(before);
  expect(new Set(before).size).toBe(1);
});

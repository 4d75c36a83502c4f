import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { voicePreferences } from "#contract/preferences.ts";
import { toRoom } from "../test-room.ts";
import { createTestCall, TOPIC, toSeat } from "./test-call.ts";

afterEach(() => {
  jest.useRealTimers();
});

/** In a private room with a relay, linked with 2; the link with 3 is on its way. */
async function enterPrivate() {
  const page = createTestCall();
  await page.call.join({ isListening: false });
  const ice_servers = [{ urls: ["turn:relay.test"] }];
  page.socket.become(TOPIC, "joined", { ...page.answer({ is_public: false }), ice_servers });
  await page.settle();
  await page.tellRoster([toSeat("3"), toSeat("2")]);
  page.connections[1]?.connect();
  expect(page.connections.map(({ configuration }) => configuration.iceTransportPolicy)).toEqual([
    "all",
    "all",
  ]);
  page.takeEvents();
  const listPolicies = () =>
    page.connections
      .filter(({ isClosed }) => !isClosed)
      .map(({ configuration }) => configuration.iceTransportPolicy);
  return { ...page, listPolicies };
}

describe("an address that is to be hidden from now on", () => {
  test("because the room was made public is hidden by every link, those on their way too", async () => {
    const { call, tell, settle, takeEvents, listPolicies } = await enterPrivate();
    tell("room_updated", toRoom({ is_public: true }));
    await settle();
    expect([call.isAddressHidden, listPolicies(), takeEvents().sort()]).toEqual([
      true,
      ["relay", "relay"],
      ["offer 2", "offer 3"],
    ]);
    tell("room_updated", toRoom({ is_public: true, name: "Coffee" }));
    await settle();
    expect(takeEvents()).toEqual([]);
  });

  test("by the person's own wish is so at once, also where an offer has just gone out", async () => {
    const { call, connections, settle, takeEvents, listPolicies } = await enterPrivate();
    connections[1]?.disconnect();
    await settle();
    await call.changePreferences(voicePreferences.parse({ hide_address: "always" }));
    await settle();
    expect([listPolicies(), takeEvents().sort()]).toEqual([
      ["relay", "relay"],
      ["offer 2", "offer 2", "offer 3"],
    ]);
  });

  test("since a moment when the server was away is hidden when it is back", async () => {
    const { socket, answer, settle, listPolicies } = await enterPrivate();
    socket.become(TOPIC, "waiting");
    socket.become(TOPIC, "joined", {
      ...answer({ is_public: true }),
      ice_servers: [{ urls: ["turn:relay.test"] }],
    });
    await settle();
    expect(listPolicies()).toEqual(["relay", "relay"]);
  });
});

import { jest } from "@jest/globals";
import { voicePreferences } from "#contract/accounts/accounts.ts";
import { type Participant, participant, toRoomTopic } from "#contract/voice/room-channel.ts";
import { toRoom } from "../test-room.ts";
import { createTestSocket } from "../test-socket.ts";
import { Call } from "./call.ts";
import type { CallDeps } from "./call-deps.ts";
import { installTestBrowser } from "./test-browser.ts";

export const TOPIC = toRoomTopic("r1");

/** Somebody in the room: their seat is `s` and their number. Who is in the room longer has the smaller number. */
export const toSeat = (userId: string, more: Partial<Participant> = {}): Participant =>
  participant.parse({
    id: `s${userId}`,
    user_id: userId,
    display_name: `Person ${userId}`,
    is_muted: false,
    join_number: Number(userId),
    ...more,
  });

type Preferences = Partial<CallDeps["preferences"]>;

/** A call of person 5 over a socket and a browser of the test's own. */
export function createTestCall(preferences: Preferences = {}, deps: Partial<CallDeps> = {}) {
  const browser = installTestBrowser();
  const socket = createTestSocket();
  const sendLeave = jest.fn<CallDeps["sendLeave"]>(async () => undefined);
  const call = new Call({
    roomId: "r1",
    userId: "5",
    displayName: "Ada",
    socket: socket.socket,
    preferences: voicePreferences.parse(preferences),
    fetchIceServers: async () => [],
    sendLeave,
    isPublicRoom: false,
    blocked: [],
    ...deps,
  });
  const answer = (room: Parameters<typeof toRoom>[0] = {}) => ({ participant_id: "s5", room: toRoom(room) });
  const publish = (event: string, payload: unknown) => socket.publish(TOPIC, event, payload);
  /** What `roster_snapshot` says: the others, and the person. */
  const publishRoster = async (others: Participant[], own: Participant = toSeat("5")) => {
    publish("roster_snapshot", { participants: [...others, own] });
    await browser.settle();
  };
  return {
    ...browser,
    call,
    socket,
    sendLeave,
    answer,
    publish,
    publishRoster,
    /** In the room, with these others. */
    async enter(others: Participant[] = [], room: Parameters<typeof toRoom>[0] = {}) {
      await call.join({ isListening: false });
      socket.become(TOPIC, "joined", answer(room));
      await browser.settle();
      await publishRoster(others);
      socket.takeSent();
    },
    /** The channel was lost, and is back. */
    async comeBack() {
      socket.become(TOPIC, "waiting");
      socket.become(TOPIC, "joined", answer());
      await browser.settle();
      socket.takeSent();
    },
    /** The state in the room; elsewhere the test is wrong. */
    getRoom() {
      const state = call.store.getState();
      if (state.phase !== "in") throw new Error(`not in the room: ${JSON.stringify(state)}`);
      return state;
    },
    /** Names of the events that were sent since, with whom they are for. */
    takeEvents: () =>
      socket
        .takeSent()
        .map(({ event, payload }) => [event, Object(payload).target_user_id].filter(Boolean).join(" ")),
  };
}

import { expect, test } from "@jest/globals";
import { JanusSeat } from "./janus-seat.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A seat whose handle refuses the first `refusals` requests behind its join. */
async function openSeat(refusals: number) {
  const asked: object[] = [];
  const faults: unknown[] = [];
  let left = 0;
  const handle = {
    async ask(body: object) {
      asked.push(body);
      if (left > 0) {
        left -= 1;
        throw new Error("no answer to message");
      }
      return { data: {}, jsep: { type: "answer" as const, sdp: "v=0" } };
    },
    trickle: () => undefined,
    detach: async () => undefined,
  };
  const seat = new JanusSeat({
    isMuted: false,
    events: { onAnswer: () => undefined, onLost: () => undefined },
    openRoom: async () => ({ id: 1, pin: "" }),
    attach: async () => handle,
    onLeft: () => undefined,
    onFault: (error) => faults.push(error),
  });
  seat.offer("v=0", 1);
  await settle();
  left = refusals;
  return { seat, asked, faults };
}

const MUTE = { request: "configure", muted: true };

test("a mute that Janus has not taken is sent again", async () => {
  const { seat, asked, faults } = await openSeat(2);
  seat.setMuted(true);
  await settle();
  expect([asked.slice(1), faults]).toEqual([[MUTE, MUTE, MUTE], []]);
});

test("a mute that Janus never takes is a fault, and is sent again with the next step", async () => {
  const { seat, asked, faults } = await openSeat(3);
  seat.setMuted(true);
  await settle();
  expect([asked.length, faults.length]).toEqual([4, 1]);
  seat.offer("v=0", 1);
  await settle();
  expect(asked.slice(4)).toEqual([{ request: "configure", muted: true }, MUTE]);
});

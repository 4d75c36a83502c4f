import { expect, jest, test } from "@jest/globals";
import { PresenceBatch, type PresenceEntry, toPresenceState } from "./presence.ts";

const ada: PresenceEntry = { key: "1", ref: "a", meta: { muted: false } };
const adaMuted: PresenceEntry = { key: "1", ref: "b", previousRef: "a", meta: { muted: true } };
const adaTab: PresenceEntry = { key: "1", ref: "c", meta: { muted: false } };
const bora: PresenceEntry = { key: "2", ref: "d", meta: {} };

test("a person with two tabs is one key with two metas", () => {
  expect(toPresenceState([ada, bora, adaTab])).toEqual({
    1: {
      metas: [
        { muted: false, phx_ref: "a" },
        { muted: false, phx_ref: "c" },
      ],
    },
    2: { metas: [{ phx_ref: "d" }] },
  });
});

test("a meta names the version before it, and can't forge its ref", () => {
  const forged: PresenceEntry = { ...adaMuted, meta: { muted: true, phx_ref: "forged" } };
  expect(toPresenceState([forged])).toEqual({
    1: { metas: [{ muted: true, phx_ref: "b", phx_ref_prev: "a" }] },
  });
});

test("a key of any name is only a key", () => {
  const state = toPresenceState([{ key: "__proto__", ref: "x", meta: {} }]);
  expect(Object.keys(state)).toEqual(["__proto__"]);
});

test("changes within a window travel together, those after it apart", () => {
  jest.useFakeTimers();
  try {
    const published: unknown[] = [];
    const batch = new PresenceBatch(50, (diff) => published.push(diff));
    batch.add({ joins: [ada], leaves: [] });
    jest.advanceTimersByTime(49);
    batch.add({ joins: [adaMuted], leaves: [ada] });
    expect(published).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(published).toEqual([
      {
        joins: {
          1: {
            metas: [expect.objectContaining({ phx_ref: "a" }), expect.objectContaining({ phx_ref: "b" })],
          },
        },
        leaves: { 1: { metas: [{ muted: false, phx_ref: "a" }] } },
      },
    ]);
    batch.add({ joins: [bora], leaves: [] });
    jest.advanceTimersByTime(50);
    expect(published).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});

test("what was dropped is never published", async () => {
  const published: unknown[] = [];
  const batch = new PresenceBatch(0, (diff) => published.push(diff));
  batch.add({ joins: [ada], leaves: [] });
  batch.drop();
  await Promise.resolve();
  expect(published).toEqual([]);
  batch.add({ joins: [bora], leaves: [] });
  await Promise.resolve();
  expect(published).toEqual([{ joins: { 2: { metas: [{ phx_ref: "d" }] } }, leaves: {} }]);
});

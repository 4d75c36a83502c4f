import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { VOICE_LIMITS } from "#contract/voice/rooms.ts";
import { createTickets } from "./entry.ts";

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const NOW = new Date("2026-05-01T10:00:00Z");

test("a ticket is good for its room, its person and its time, at every process with one of the keys", () => {
  const { token } = createTickets([OLD]).issue("room", 7, NOW);
  const rotated = createTickets([NEW, OLD]);
  expect(rotated.isGood(token, "room", 7, NOW)).toBe(true);
  expect(rotated.isGood(token, "other", 7, NOW)).toBe(false);
  expect(rotated.isGood(token, "room", 8, NOW)).toBe(false);
  expect(rotated.isGood(token, "room", 7, new Date(NOW.getTime() + VOICE_LIMITS.ticketS * 1000))).toBe(false);
  expect(createTickets([NEW]).isGood(token, "room", 7, NOW)).toBe(false);
  expect(createTickets([OLD]).isGood(rotated.issue("room", 7, NOW).token, "room", 7, NOW)).toBe(false);
});

test.each(["", ".", "x.y", "e30."])("%j is no ticket", (text) => {
  expect(createTickets([OLD]).isGood(text, "room", 7, NOW)).toBe(false);
});

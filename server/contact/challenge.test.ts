import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { AppError } from "#server/base/errors.ts";
import {
  CHALLENGE_LIFETIME_MS,
  CHALLENGE_WAIT_MS,
  createChallenges,
  isSolved,
  PUZZLES,
  ZERO_BITS,
} from "./challenge.ts";
import { solve } from "./fixture.ts";

describe("challenge", () => {
  const SECRET = randomBytes(32);
  const START = Date.parse("2026-05-01T10:00:00Z");

  function open(secret = SECRET) {
    const clock = { now: START };
    return { clock, challenges: createChallenges([secret], () => clock.now) };
  }

  function codeOf(work: () => unknown): string {
    try {
      work();
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
    return "passed";
  }

  test("another process with the same secret reads what this one issued", () => {
    const text = open().challenges.issue("work");
    expect(open().challenges.read(text, "work")).toEqual({
      id: text.split(".")[2],
      text,
      issuedAt: START,
    });
  });

  test("one of the key before is good after a rotation", () => {
    const text = open().challenges.issue("work");
    const rotated = createChallenges([randomBytes(32), SECRET], () => START);
    expect(rotated.read(text, "work")).toMatchObject({ text });
  });

  test("no two are alike", () => {
    const { challenges } = open();
    expect(new Set(Array.from({ length: 100 }, () => challenges.issue("work"))).size).toBe(100);
  });

  describe("a challenge is invalid", () => {
    const { challenges } = open();
    const text = challenges.issue("work");
    const [kind = "", time = "", id = "", mark = ""] = text.split(".");
    test.each([
      ["under another secret", open(randomBytes(32)).challenges.issue("work")],
      ["of the other kind", challenges.issue("confirm")],
      ["renamed to this kind", challenges.issue("confirm").replace("confirm", "work")],
      ["made younger", [kind, (Number.parseInt(time, 36) + 1000).toString(36), id, mark].join(".")],
      ["with another id", [kind, time, "A".repeat(22), mark].join(".")],
      ["with another mark", [kind, time, id, "A".repeat(43)].join(".")],
      ["cut short", text.slice(0, -1)],
      ["with more behind it", `${text}A`],
      ["with a line behind it", `${text}\n`],
      ["of letters that take two bytes", `${kind}.${time}.${id}.${"ş".repeat(43)}`],
      ["that is none", "challenge"],
    ])("%s", (_how, wrong) => {
      expect(codeOf(() => challenges.read(wrong, "work"))).toBe("contact_challenge_invalid");
    });
  });

  test("none at all is reported as such", () => {
    expect(codeOf(() => open().challenges.read("", "work"))).toBe("contact_challenge_required");
  });

  test.each([
    [-1000, "contact_too_fast"],
    [0, "contact_too_fast"],
    [CHALLENGE_WAIT_MS - 1, "contact_too_fast"],
    [CHALLENGE_WAIT_MS, "passed"],
    [CHALLENGE_LIFETIME_MS, "passed"],
    [CHALLENGE_LIFETIME_MS + 1, "contact_challenge_expired"],
  ])("after %d ms: %s", (ageMs, code) => {
    const { clock, challenges } = open();
    const challenge = challenges.read(challenges.issue("work"), "work");
    clock.now += ageMs;
    expect(codeOf(() => challenges.requireInTime(challenge))).toBe(code);
  });
});

describe("proof of work", () => {
  const solveFor = (challenge: string) =>
    solve({ challenge, puzzles: PUZZLES, zero_bits: ZERO_BITS, wait_ms: 0, lifetime_ms: 0 });

  test("a solution is good for its challenge alone", () => {
    const solution = solveFor("a");
    expect(isSolved("a", solution)).toBe(true);
    expect(isSolved("b", solution)).toBe(false);
  });

  test("one wrong number, one too few, one too many: not solved", () => {
    const numbers = solveFor("a").split(".");
    const [first, ...others] = numbers;
    expect(isSolved("a", [Number(first) + 1, ...others].join("."))).toBe(false);
    expect(isSolved("a", others.join("."))).toBe(false);
    expect(isSolved("a", [...numbers, "1"].join("."))).toBe(false);
  });

  test("each puzzle is one of its own", () => {
    expect(isSolved("a", solveFor("a").split(".").reverse().join("."))).toBe(false);
  });

  test.each(["", ".", "1..2", "-1", "1e3", "0x10", "9".repeat(400), Array(PUZZLES).fill("x").join(".")])(
    "%j is no solution",
    (text) => {
      expect(isSolved("a", text)).toBe(false);
    },
  );
});

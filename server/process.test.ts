import { expect, test } from "@jest/globals";
import { runEach } from "./housekeeping.ts";

test("a step that fails is told by its name and keeps none of the others from being done", async () => {
  const done: string[] = [];
  const told: unknown[] = [];
  await runEach(
    { error: (details: unknown) => void told.push(details) },
    {
      first: async () => done.push("first"),
      broken: async () => {
        throw new Error("no room");
      },
      last: async () => done.push("last"),
    },
  );
  expect(done).toEqual(["first", "last"]);
  expect(told).toEqual([{ err: new Error("no room"), step: "broken" }]);
});

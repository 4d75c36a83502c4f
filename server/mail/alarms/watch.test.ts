import { afterEach, expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import { createAlarmWatch } from "./watch.ts";

let close = async () => {};
afterEach(() => close());

/** A watch whose looks are counted; `tell` is the change feed. */
function open(evaluate: () => Promise<void> = async () => {}) {
  let looks = 0;
  const errors: string[] = [];
  let tell: (modelKey: string | undefined) => void = () => {};
  const watch = createAlarmWatch({
    alarms: {
      evaluate() {
        looks += 1;
        return evaluate();
      },
    },
    feed: {
      subscribe(listener) {
        tell = listener;
      },
    },
    log: { error: (_details, message) => void errors.push(message) },
    afterNewsMs: 1,
    lookEveryMs: 1_000_000,
  });
  close = watch.close;
  return {
    watch,
    errors,
    tell: (modelKey: string | undefined) => tell(modelKey),
    countLooks: () => looks,
  };
}

test("it looks at the start, and after news of returns, complaints and rules", async () => {
  const { watch, tell, countLooks } = open();
  tell("mail.bounce");
  watch.start();
  await until(() => countLooks() === 1);
  let looks = 1;
  for (const modelKey of ["mail.bounce", "mail.complaint", "mail.rules", undefined]) {
    tell("mail.message");
    tell(modelKey);
    looks += 1;
    await until(() => countLooks() === looks);
  }
});

test("news that come together are looked at once, and one look ends before the next begins", async () => {
  const gate = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const { watch, tell, countLooks } = open(async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await gate.promise;
    atOnce -= 1;
  });
  watch.start();
  for (let i = 0; i < 10; i++) tell("mail.bounce");
  await until(() => countLooks() === 1);
  gate.resolve();
  await until(() => countLooks() === 2);
  await watch.close();
  expect([countLooks(), most]).toEqual([2, 1]);
});

test("a look that fails is told, and the next one is made all the same", async () => {
  let isDown = true;
  const { watch, tell, countLooks, errors } = open(async () => {
    if (isDown) throw new Error("no database");
  });
  watch.start();
  await until(() => errors.length === 1);
  isDown = false;
  tell("mail.bounce");
  await until(() => countLooks() === 2);
  await watch.close();
  expect(errors).toEqual(["alarms about mail can't be looked for now"]);
});

import { expect, test } from "@jest/globals";
import { type MailDay, pickVolumeParts, toRatePoints, toVolumeValues } from "./volume.ts";

const day = (date: string, part: Partial<MailDay> = {}): MailDay => ({
  date,
  sent: 0,
  delivered: 0,
  bounced: 0,
  complained: 0,
  rejected: 0,
  open: 0,
  ...part,
});

const ALL = { delivered: true, bounced: true, complained: true };
const NONE = { delivered: false, bounced: false, complained: false };

test("the parts of a day are all its mails, a complaint once", () => {
  const one = day("2026-11-24", {
    sent: 10,
    delivered: 7,
    complained: 1,
    open: 2,
    bounced: 1,
    rejected: 1,
  });
  const values = { delivered: 6, open: 2, bounced: 1, complained: 1, rejected: 1 };
  expect(toVolumeValues(one, ALL)).toEqual(values);
  expect(toVolumeValues(one, NONE)).toEqual(values);
});

test("what nobody reports is no part of the drawing, and no 0", () => {
  const quiet = day("2026-11-24", { sent: 2, open: 2 });
  const refused = day("2026-11-25", { sent: 2, open: 1, bounced: 1 });
  const names = (days: MailDay[], reported: typeof ALL) =>
    pickVolumeParts(days, reported).map(({ key }) => key);
  expect(names([quiet], NONE)).toEqual(["open"]);
  expect(names([quiet, refused], NONE)).toEqual(["open", "bounced"]);
  expect(names([day("2026-11-24")], ALL)).toEqual(["delivered", "bounced"]);
  expect(toVolumeValues(quiet, NONE)).toMatchObject({ delivered: null, bounced: null, complained: null });
  expect(toVolumeValues(refused, NONE)).toMatchObject({ bounced: 1 });
  expect(toVolumeValues(quiet, ALL)).toMatchObject({ delivered: 0, bounced: 0, complained: 0 });
});

test("a rate is of the seven days up to each day, and nothing where these have no mails", () => {
  const days = [
    day("2026-11-16"),
    day("2026-11-17", { sent: 10, delivered: 5, bounced: 5, hard_bounced: 1 }),
    ...["18", "19", "20", "21", "22", "23"].map((date) => day(`2026-11-${date}`)),
    day("2026-11-24", { sent: 10, delivered: 10, complained: 2 }),
  ];
  expect(toRatePoints("delivery", days, false).map(({ value }) => value)).toEqual([
    null,
    ...Array.from({ length: 7 }, () => 50),
    100,
  ]);
  expect(toRatePoints("bounce", days, false).at(1)?.value).toBe(10);
  expect(toRatePoints("complaint", days, false).at(-1)?.value).toBe(20);
});

test("what the next server took counts as delivered where nobody reports deliveries", () => {
  const days = [day("2026-11-24", { sent: 10, open: 9, bounced: 1 })];
  expect(toRatePoints("delivery", days, true)[0]?.value).toBe(90);
  expect(toRatePoints("delivery", days, false)[0]?.value).toBe(0);
});

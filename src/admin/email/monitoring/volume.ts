import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { MailSeriesAnswer } from "#contract/mail/statistics.ts";
import type { PartColour, StackedSeries } from "../../charts/series.ts";
import type { RateName, Reported } from "./rates.ts";

export type MailDay = MailSeriesAnswer["days"][number];

/** What a mail is counted as, from the bottom up: together they are all mails. */
const VOLUME_PARTS = [
  { key: "delivered", colour: "success" },
  { key: "open", colour: "accent" },
  { key: "bounced", colour: "danger" },
  { key: "complained", colour: "live" },
  { key: "rejected", colour: "warning" },
] as const satisfies readonly { key: keyof MailDay; colour: PartColour }[];

type VolumePart = (typeof VOLUME_PARTS)[number]["key"];

/**
 * Parts of the drawing: what somebody reports, and what there was of the rest. Mails that the next server took are no news of
 * others.
 */
export function pickVolumeParts(mails: readonly Pick<MailDay, VolumePart>[], reported: Reported) {
  return VOLUME_PARTS.filter(({ key }) => {
    if (mails.some((one) => one[key] > 0)) return true;
    return key === "open" ? !reported.delivered : (key === "delivered" || key === "bounced") && reported[key];
  });
}

/** What a mail is counted as, once: a complaint is of a mail that arrived. Null: nobody reports such mails, and none is known. */
export function toVolumeValues(
  mails: Pick<MailDay, VolumePart>,
  reported: Reported,
): Readonly<Record<VolumePart, number | null>> {
  const { delivered, complained, open, bounced, rejected } = mails;
  const toKnown = (count: number, isReported: boolean) => (count === 0 && !isReported ? null : count);
  return {
    delivered: toKnown(delivered - complained, reported.delivered),
    open,
    bounced: toKnown(bounced, reported.bounced),
    complained: toKnown(complained, reported.complained),
    rejected,
  };
}

/** A day of a small site has few mails, of which one return is a peak: each point is of so many days. */
const TRAILING_DAYS = 7;

const sum = (days: readonly MailDay[], read: (day: MailDay) => number) =>
  days.reduce((total, day) => total + read(day), 0);

/** How the server counts each rate (server/mail/stats). `isAccepted`: what the next server took counts as delivered. */
function toShare(name: RateName, days: readonly MailDay[], isAccepted: boolean): readonly [number, number] {
  const sent = sum(days, (day) => day.sent);
  const open = sum(days, (day) => day.open);
  const delivered = sum(days, (day) => day.delivered) + (isAccepted ? open : 0);
  if (name === "delivery") return [delivered, isAccepted ? sent : sent - open];
  if (name === "complaint") return [sum(days, (day) => day.complained), delivered];
  return [sum(days, (day) => day.hard_bounced ?? day.bounced), sent];
}

/** A rate in percent, of the seven days up to each day as far as they are known; null where these have no mails. */
export function toRatePoints(name: RateName, days: readonly MailDay[], isAccepted: boolean) {
  return days.map(({ date }, at) => {
    const window = days.slice(Math.max(0, at + 1 - TRAILING_DAYS), at + 1);
    const [count, total] = toShare(name, window, isAccepted);
    return { at: date, value: total > 0 ? (100 * count) / total : null };
  });
}

/** What mails are counted as, in words that say where a count is only what is known. */
export function useVolumeParts(
  mails: readonly Omit<MailDay, "date">[],
  reported: Reported,
): StackedSeries["parts"] {
  const { t } = useTranslation();
  return useMemo(
    () =>
      pickVolumeParts(mails, reported).map(({ key, colour }) => {
        if ((key === "bounced" || key === "complained") && !reported[key])
          return { key, colour, label: t(`emailMonitoring.charts.known.${key}`) };
        const name = key === "open" && !reported.delivered ? "accepted" : key;
        return { key, colour, label: t(`emailMonitoring.charts.states.${name}`) };
      }),
    [mails, reported, t],
  );
}

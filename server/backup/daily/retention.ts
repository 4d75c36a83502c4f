/** How many of the newest days, weeks (from Monday) and months that have a backup keep their newest one. */
const KEPT = { days: 7, weeks: 4, months: 6 } as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Names of backups that the server makes by itself: `daily-20261126T033000Z.zip`, and no others are ever removed. */
const NAME = /^daily-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.zip$/;

export function toDailyName(stamp: string): string {
  return `daily-${stamp}.zip`;
}

export const isDailyName = (name: string) => NAME.test(name);

function readMoment(name: string): number | undefined {
  const [, ...parts] = NAME.exec(name) ?? [];
  if (parts.length === 0) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const toDay = (moment: number) => Math.floor(moment / DAY_MS);
/** 1970 began on a Thursday. */
const toWeek = (moment: number) => Math.floor((toDay(moment) + 3) / 7);
const toMonth = (moment: number) => new Date(moment).toISOString().slice(0, 7);

/** The newest of each of the first `max` periods; `moments`: newest first. */
function chooseNewest(
  moments: readonly number[],
  toPeriod: (moment: number) => number | string,
  max: number,
): number[] {
  const chosen = new Map<number | string, number>();
  for (const moment of moments) {
    const period = toPeriod(moment);
    if (!chosen.has(period) && chosen.size < max) chosen.set(period, moment);
  }
  return [...chosen.values()];
}

/**
 * Which of the names are to be removed. It counts periods that have a backup and not the calendar, so that a site that was off for
 * a year loses none by that, and the newest always stays. Names that the server doesn't give are never among them.
 */
export function listExpired(names: readonly string[]): string[] {
  const dated = names.flatMap((name) => {
    const moment = readMoment(name);
    return moment === undefined ? [] : [{ name, moment }];
  });
  const moments = dated.map(({ moment }) => moment).sort((a, b) => b - a);
  const kept = new Set([
    ...chooseNewest(moments, toDay, KEPT.days),
    ...chooseNewest(moments, toWeek, KEPT.weeks),
    ...chooseNewest(moments, toMonth, KEPT.months),
  ]);
  return dated.filter(({ moment }) => !kept.has(moment)).map(({ name }) => name);
}

const isLong = process.env.FOYER_PROPERTY_RUNS === "long";

/** How often a property is tried: often enough for the faults that it is known to find, or as often as `npm run bench:properties` does. */
export const toRuns = (short: number, long: number): number => (isLong ? long : short);

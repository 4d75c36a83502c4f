/** Lets those who ask for the same thing while it is made share one making. */
export type SingleFlight<Answer> = (key: string, make: () => Promise<Answer>) => Promise<Answer>;

export function createSingleFlight<Answer>(): SingleFlight<Answer> {
  const underway = new Map<string, Promise<Answer>>();
  return (key, make) => {
    const known = underway.get(key);
    if (known) return known;
    const making = make().finally(() => underway.delete(key));
    underway.set(key, making);
    return making;
  };
}

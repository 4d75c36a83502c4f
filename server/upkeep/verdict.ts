/** What was found of one thing: `good`, `note` (nothing to do, or by choice), `bad` with what to do about it. */
export interface Verdict {
  state: "good" | "note" | "bad";
  text: string;
  todo?: string;
}

export const good = (text: string): Verdict => ({ state: "good", text });
export const note = (text: string, todo?: string): Verdict => ({
  state: "note",
  text,
  ...(todo && { todo }),
});
export const bad = (text: string, todo: string): Verdict => ({ state: "bad", text, todo });

/** Things to look at, each under its title. */
export type Checks<Deps> = readonly (readonly [string, (deps: Deps) => Promise<Verdict>])[];

const MARKS = { good: "✓", note: "·", bad: "✗" } as const;

/**
 * Looks at each of them. `toFailed`: what is said where a look itself fails.
 * @returns lines for the terminal, and whether there is something to mend
 */
export async function report<Deps>(
  checks: Checks<Deps>,
  deps: Deps,
  toFailed: (error: Error) => Verdict,
): Promise<{ lines: string[]; isWell: boolean }> {
  const verdicts = await Promise.all(
    checks.map(async ([title, check]) => ({ title, ...(await check(deps).catch(toFailed)) })),
  );
  const width = Math.max(...checks.map(([title]) => title.length));
  const lines = verdicts.flatMap(({ title, state, text, todo }) => [
    `${MARKS[state]} ${title.padEnd(width)}  ${text}`,
    ...(todo ? [`  ${" ".repeat(width)}  → ${todo}`] : []),
  ]);
  const count = verdicts.filter(({ state }) => state === "bad").length;
  const last =
    count === 0 ? "All is well." : count === 1 ? "One thing needs mending." : `${count} things need mending.`;
  return { lines: [...lines, last], isWell: count === 0 };
}

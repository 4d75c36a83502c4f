const LINES_SHOWN = 25;

interface Line {
  level: number;
  msg: string;
  err?: { message?: string };
  fault?: string;
}

/** Prints what the processes logged, by message and how often. */
export function countWarnings(outputs: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const line of outputs.flatMap((output) => output.split("\n"))) {
    if (!line.startsWith("{")) continue;
    const { level, msg, err, fault } = JSON.parse(line) as Line;
    const text = [`${level} ${msg}`, fault ?? err?.message ?? ""].join(": ");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  console.log(`  ${sorted.length} kinds of lines in the logs of ${outputs.length} processes`);
  for (const [text, count] of sorted.slice(0, LINES_SHOWN)) console.log(`  ${count} × ${text}`);
}

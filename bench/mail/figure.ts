/** One line of the table. */
export interface Figure {
  name: string;
  bar: string;
  measured: string;
  /** Undefined: reported without a bar. */
  isMet?: boolean;
}

/** Prints all of them; the process then ends with 1 where a bar is missed. */
export function printFigures(figures: readonly Figure[]): void {
  console.table(
    figures.map(({ name, bar, measured, isMet }) => ({
      figure: name,
      bar,
      measured,
      "": isMet === undefined ? "" : isMet ? "met" : "MISSED",
    })),
  );
  if (figures.some(({ isMet }) => isMet === false)) process.exitCode = 1;
}

export const toMs = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

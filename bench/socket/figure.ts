/** One line of the table. */
export interface Figure {
  name: string;
  bar: string;
  measured: string;
  /** Undefined: reported without a bar. */
  isMet?: boolean;
  /** What Phoenix needed for the same. */
  phoenix?: string;
}

export function toQuantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const toMedian = (values: readonly number[]) => toQuantile(values, 0.5);
export const toKb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
export const toMb = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

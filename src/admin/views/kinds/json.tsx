/** Where a text stops being JSON: line and column from 1, and what stands there. */
export interface JsonFault {
  line: number;
  column: number;
  near: string;
}

const NEAR_CHARS = 20;

/** Engines name the place in words of their own: an offset, or line and column. */
function findOffset(text: string, message: string): number {
  const byLine = /line (\d+) column (\d+)/.exec(message);
  if (byLine) {
    const before = text.split("\n").slice(0, Number(byLine[1]) - 1);
    return before.reduce((sum, line) => sum + line.length + 1, 0) + Number(byLine[2]) - 1;
  }
  const byOffset = /position (\d+)/.exec(message);
  return byOffset ? Number(byOffset[1]) : text.length;
}

/** @returns undefined for JSON and for nothing at all; `end` where the text breaks off. */
export function findJsonFault(text: string): JsonFault | "end" | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const offset = findOffset(text, error instanceof Error ? error.message : "");
    const rest = text.slice(offset);
    if (rest.trim() === "") return "end";
    const lines = text.slice(0, offset).split("\n");
    return {
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
      near: rest.split("\n")[0]?.slice(0, NEAR_CHARS).trim() || "↵",
    };
  }
}

import { type Folded, fold } from "../ui/fold.ts";

/** A part of a text that was typed, from and up to indexes of the original. */
export type Range = readonly [from: number, to: number];

export interface Match {
  /** 0 is best: the text begins so, a word of it does, it holds it; 3: only its keywords do. */
  fit: number;
  ranges: readonly Range[];
}

const WORD_END = /[\p{L}\p{N}]/u;

function fitAt({ text }: Folded, at: number): number {
  if (at === 0) return 0;
  return WORD_END.test(text[at - 1] ?? "") ? 2 : 1;
}

/** Where a word stands best: at the beginning of another word, if it does anywhere. */
function findBest(label: Folded, word: string): { at: number; fit: number } | undefined {
  let best: { at: number; fit: number } | undefined;
  for (let at = label.text.indexOf(word); at >= 0; at = label.text.indexOf(word, at + 1)) {
    const fit = fitAt(label, at);
    if (!best || fit < best.fit) best = { at, fit };
  }
  return best;
}

/** A mark that stands apart belongs to the letter before it. */
function toRange({ origin }: Folded, at: number, length: number): Range {
  return [origin[at] ?? 0, origin[at + length] ?? 0];
}

/** How a label answers to what was typed: each of its words has to stand in it or in its keywords; undefined: it doesn't. */
export function match(typed: string, label: string, keywords: readonly string[] = []): Match | undefined {
  const folded = fold(label);
  const others = keywords.map((keyword) => fold(keyword).text);
  const ranges: Range[] = [];
  let fit = 0;
  for (const word of fold(typed).text.split(/\s+/).filter(Boolean)) {
    const best = findBest(folded, word);
    if (best) ranges.push(toRange(folded, best.at, word.length));
    else if (!others.some((other) => other.includes(word))) return undefined;
    fit = Math.max(fit, best?.fit ?? 3);
  }
  return { fit, ranges: mergeRanges(ranges) };
}

function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    else merged.push([from, to]);
  }
  return merged;
}

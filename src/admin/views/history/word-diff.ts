import { diffArrays } from "diff";

/** A piece of two texts: in both, only in the old one, or only in the new one. */
export interface DiffPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/**
 * Above so many words that came or went, whole lines are compared, and above so many lines the texts as they are: a diff must not
 * hold the page up. Two texts of 10,000 pieces each take some 50 ms until they are given up.
 */
const MAX_EDITS = 500;

/** Words, and what stands between them, so that the pieces put together are the text again. diff's own words are Latin ones only. */
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const LINES = /[^\n]*\n|[^\n]+/g;
const WHOLE = /.+/gs;

function compare(before: string, after: string, pieces: RegExp): DiffPart[] | undefined {
  const toPieces = (text: string) => text.match(pieces) ?? [];
  const found = diffArrays(toPieces(before), toPieces(after), { maxEditLength: MAX_EDITS });
  return found?.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value.join(""),
  }));
}

/** What changed between two texts, word by word; neighbours of one kind are one piece. */
export function diffWords(before: string, after: string): DiffPart[] {
  return (
    compare(before, after, WORDS) ?? compare(before, after, LINES) ?? compare(before, after, WHOLE) ?? []
  );
}

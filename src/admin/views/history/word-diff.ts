/** A piece of two texts: in both, only in the old one, or only in the new one. */
export interface DiffPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Above so many comparisons the changed middle is shown as a whole: a diff must not hold the page up. */
const MAX_COMPARISONS = 400_000;

/** Words, and what stands between them, so that the pieces put together are the text again. */
function toWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function countShared(
  a: readonly string[],
  b: readonly string[],
  at: (list: readonly string[], i: number) => string | undefined,
): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && at(a, count) === at(b, count)) count += 1;
  return count;
}

/** Lengths of the longest common subsequences of what begins at each pair of words. */
function measureCommon(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const value =
        a[i] === b[j]
          ? 1 + (rows[i + 1]?.[j + 1] ?? 0)
          : Math.max(rows[i + 1]?.[j] ?? 0, rows[i]?.[j + 1] ?? 0);
      rows[i]?.fill(value, j, j + 1);
    }
  }
  return rows;
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffPart[] {
  if (a.length * b.length > MAX_COMPARISONS) {
    return [
      { kind: "removed", text: a.join("") },
      { kind: "added", text: b.join("") },
    ];
  }
  const common = measureCommon(a, b);
  const parts: DiffPart[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const [old, fresh] = [a[i], b[j]];
    if (old !== undefined && old === fresh) {
      parts.push({ kind: "same", text: old });
      i += 1;
      j += 1;
    } else if (
      fresh === undefined ||
      (old !== undefined && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))
    ) {
      parts.push({ kind: "removed", text: old ?? "" });
      i += 1;
    } else {
      parts.push({ kind: "added", text: fresh });
      j += 1;
    }
  }
  return parts;
}

/** Neighbours of one kind as one piece; empty ones left out. */
function join(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.text === "") continue;
    if (last?.kind === part.kind) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}

/** What changed between two texts, word by word. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [a, b] = [toWords(before), toWords(after)];
  const head = countShared(a, b, (list, i) => list[i]);
  const [restA, restB] = [a.slice(head), b.slice(head)];
  const tail = countShared(restA, restB, (list, i) => list.at(-1 - i));
  const end = (list: readonly string[]) => list.slice(0, list.length - tail);
  return join([
    { kind: "same", text: a.slice(0, head).join("") },
    ...diffMiddle(end(restA), end(restB)),
    { kind: "same", text: a.slice(a.length - tail).join("") },
  ]);
}

/** Pairs of letters of each word, folded: case, marks and Turkish letters tell no names apart. */
function toPairs(text: string): string[] {
  const words = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ıİ]/g, "i")
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#]+/u);
  return words.flatMap((word) =>
    word.length < 2
      ? word
        ? [word]
        : []
      : Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)),
  );
}

/** How much two names have in common, from 0 to 1: twice the pairs of letters of both by the pairs of each (Dice). 0 without a name. */
export function measureLikeness(one: string, two: string): number {
  const pairs = toPairs(one);
  const left = toPairs(two);
  const total = pairs.length + left.length;
  const common = pairs.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return total === 0 ? 0 : (2 * common.length) / total;
}

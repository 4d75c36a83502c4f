const LINE_FEED = 10;

/** Where the line with a number ends in a chunk, or how many lines end in it when it has fewer. */
function findLineEnd(chunk: Buffer, count: number): { end: number } | { seen: number } {
  let at = -1;
  for (let seen = 0; seen < count; seen++) {
    at = chunk.indexOf(LINE_FEED, at + 1);
    if (at < 0) return { seen };
  }
  return { end: at + 1 };
}

/** Lines of a stream whose chunks are cut anywhere, so many at a time. */
export interface LineReader {
  /** The next lines, at most `count`. */
  take(count: number): AsyncIterable<Buffer>;
  /** Whether lines are left; waits for the next chunk to know. */
  hasMore(): Promise<boolean>;
}

export function createLineReader(chunks: AsyncIterable<Buffer>): LineReader {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer | undefined;
  const hasMore = async () => {
    while (!rest?.length) {
      const next = await iterator.next();
      if (next.done) return false;
      rest = next.value;
    }
    return true;
  };
  return {
    hasMore,
    async *take(count) {
      let left = count;
      while (left > 0 && (await hasMore()) && rest) {
        const found = findLineEnd(rest, left);
        const chunk: Buffer = rest;
        const end = "end" in found ? found.end : chunk.length;
        rest = chunk.subarray(end);
        left = "end" in found ? 0 : left - found.seen;
        yield chunk.subarray(0, end);
      }
    },
  };
}

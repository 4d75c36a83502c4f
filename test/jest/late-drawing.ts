const LONGEST_MS = 30;
const read = performance.now.bind(performance);
// The window's own, also where a test has put a clock that it moves in its place.
const later = setTimeout;
let skipped = 0;

/**
 * React draws late and in pieces, as on a machine that is busy elsewhere: its scheduler takes `setImmediate` where there is one, which
 * jsdom has not, and finds its time used up after each piece of work.
 */
performance.now = () => {
  skipped += 6;
  return read() + skipped;
};
Object.assign(globalThis, { setImmediate: (run: () => void) => later(run, Math.random() * LONGEST_MS) });

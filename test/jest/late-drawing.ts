const LONGEST_MS = 10;
const SHARE = 0.1;
const read = performance.now.bind(performance);
const later = setTimeout;
let skipped = 0;

/**
 * React draws late and in pieces, as on a machine that is busy elsewhere: its scheduler takes `setImmediate` where there is one, which
 * jsdom has not, and now and then finds its time used up. Where a test moves the clock, nothing is late.
 */
performance.now = () => {
  if (Math.random() < SHARE) skipped += 6;
  return read() + skipped;
};
Object.assign(globalThis, {
  setImmediate: (run: () => void) => later(run, setTimeout === later ? Math.random() * LONGEST_MS : 0),
});

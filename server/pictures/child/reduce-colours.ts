/** A picture in few colours: three bytes each in `palette`, one index of it a pixel. */
export interface IndexedPicture {
  palette: Uint8Array;
  indexes: Uint8Array;
}

/** Colours that share these high bits of each channel are one to start with. */
const BITS = 6;
const SHIFT = 8 - BITS;
const CHANNELS = [0, 1, 2] as const;

interface Bin {
  index: number;
  pixels: number;
  mean: number[];
}

interface Box {
  bins: Bin[];
  pixels: number;
  mean: number[];
  /** The channel whose values differ most, and by how much: the sum of squared distances from the mean. */
  widest: { channel: number; error: number };
}

function toBinIndex(rgba: Uint8ClampedArray, at: number): number {
  const take = (channel: number) => (rgba[at + channel] ?? 0) >> SHIFT;
  return (take(0) << (2 * BITS)) | (take(1) << BITS) | take(2);
}

function collectBins(rgba: Uint8ClampedArray): Bin[] {
  const sums = new Float64Array(4 << (3 * BITS));
  for (let at = 0; at < rgba.length; at += 4) {
    const bin = 4 * toBinIndex(rgba, at);
    for (let channel = 0; channel < 3; channel++)
      sums[bin + channel] = (sums[bin + channel] ?? 0) + (rgba[at + channel] ?? 0);
    sums[bin + 3] = (sums[bin + 3] ?? 0) + 1;
  }
  const bins: Bin[] = [];
  for (let index = 0; index < sums.length / 4; index++) {
    const pixels = sums[4 * index + 3] ?? 0;
    if (pixels > 0)
      bins.push({
        index,
        pixels,
        mean: CHANNELS.map((channel) => (sums[4 * index + channel] ?? 0) / pixels),
      });
  }
  return bins;
}

function toBox(bins: Bin[]): Box {
  const pixels = bins.reduce((sum, bin) => sum + bin.pixels, 0);
  const mean = CHANNELS.map(
    (channel) => bins.reduce((sum, bin) => sum + bin.pixels * (bin.mean[channel] ?? 0), 0) / pixels,
  );
  const errors = CHANNELS.map((channel) =>
    bins.reduce((sum, bin) => sum + bin.pixels * ((bin.mean[channel] ?? 0) - (mean[channel] ?? 0)) ** 2, 0),
  );
  const error = Math.max(...errors);
  return { bins, pixels, mean, widest: { channel: errors.indexOf(error), error } };
}

function split({ bins, mean, widest: { channel } }: Box): Box[] {
  const isLow = (bin: Bin) => (bin.mean[channel] ?? 0) <= (mean[channel] ?? 0);
  return [toBox(bins.filter(isLow)), toBox(bins.filter((bin) => !isLow(bin)))];
}

/** The box with the largest error is split at its mean until there are so many. */
function splitAll(first: Box, maxColours: number): Box[] {
  const boxes = [first];
  while (boxes.length < maxColours) {
    const worst = boxes.reduce((found, box) => (box.widest.error > found.widest.error ? box : found));
    // Below 1 no two pixels differ, and what is left is how numbers round.
    if (worst.widest.error < 1) break;
    boxes.splice(boxes.indexOf(worst), 1, ...split(worst));
  }
  return boxes;
}

/** The picture in at most 256 colours of its own, without dithering, which would double its file. Transparency is dropped. */
export function reduceColours(rgba: Uint8ClampedArray, maxColours = 256): IndexedPicture {
  const boxes = splitAll(toBox(collectBins(rgba)), maxColours);
  const palette = new Uint8Array(boxes.flatMap(({ mean }) => mean.map(Math.round)));
  const byBin = new Uint8Array(1 << (3 * BITS));
  for (const [index, { bins }] of boxes.entries()) for (const bin of bins) byBin[bin.index] = index;
  const indexes = new Uint8Array(rgba.length / 4);
  for (let pixel = 0; pixel < indexes.length; pixel++)
    indexes[pixel] = byBin[toBinIndex(rgba, 4 * pixel)] ?? 0;
  return { palette, indexes };
}

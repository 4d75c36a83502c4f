/** Upright: the same as no word of it. */
const UPRIGHT = 1;
const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;
const MAX_ENTRIES = 500;

/**
 * How a camera was held, 1 to 8, from EXIF data (TIFF 6.0, section 2); 1 where they don't say it or can't be read. Only the first
 * directory has it.
 */
export function readOrientation(exif: Buffer): number {
  if (exif.length < 8) return UPRIGHT;
  const isLittle = exif.toString("latin1", 0, 2) === "II";
  const read16 = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const first = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  if (first + 2 > exif.length) return UPRIGHT;
  const count = Math.min(read16(first), MAX_ENTRIES);
  for (let entry = 0; entry < count; entry++) {
    const at = first + 2 + entry * ENTRY_BYTES;
    if (at + ENTRY_BYTES > exif.length) return UPRIGHT;
    if (read16(at) !== ORIENTATION_TAG) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** EXIF data that say nothing but how the camera was held; undefined where the picture is upright as it is. */
export function buildOrientation(orientation: number): Buffer | undefined {
  if (orientation === UPRIGHT) return undefined;
  const exif = Buffer.alloc(26);
  exif.write("II*\0", "latin1");
  exif.writeUInt32LE(8, 4);
  exif.writeUInt16LE(1, 8);
  exif.writeUInt16LE(ORIENTATION_TAG, 10);
  exif.writeUInt16LE(3, 12); // SHORT
  exif.writeUInt32LE(1, 14);
  exif.writeUInt16LE(orientation, 18);
  return exif;
}

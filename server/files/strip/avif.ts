/** ISO/IEC 14496-12 (boxes) and 23008-12 (items). Four bytes of length, four of type; a full box has four of version and flags more. */
const HEADER = 8;
const FULL = 4;
/** More are there to keep the server busy. */
const MAX_BOXES = 1000;
const MAX_ITEMS = 2000;
/** EXIF data of no entry, as long as decoders want them: an offset, a TIFF head, an empty directory. */
const EMPTY_EXIF = Buffer.from("0000000049492a0008000000000000000000", "hex");

interface Box {
  type: string;
  /** Where its content begins and ends in the file. */
  from: number;
  to: number;
}

function listBoxes(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + HEADER <= to; ) {
    if (boxes.length === MAX_BOXES) throw new Error("the AVIF has too many boxes");
    const length = bytes.readUInt32BE(at);
    const end = length === 0 ? to : at + length;
    if (end < at + HEADER || end > to) throw new Error("the AVIF has a box of a wrong length");
    boxes.push({ type: bytes.toString("latin1", at + 4, at + HEADER), from: at + HEADER, to: end });
    at = end;
  }
  return boxes;
}

/** Numbers one after the other, of as many bytes as each asks for. */
function createReader(bytes: Buffer, { from, to }: Pick<Box, "from" | "to">) {
  let at = from;
  return {
    read(size: number): number {
      if (at + size > to) throw new Error("the AVIF has a box that breaks off");
      const value = [0, 1, 2, 4, 8].includes(size) && size > 0 ? readNumber(bytes, at, size) : 0;
      at += size;
      return value;
    },
    text: (size: number) => {
      if (at + size > to) throw new Error("the AVIF has a box that breaks off");
      at += size;
      return bytes.toString("latin1", at - size, at);
    },
  };
}

function readNumber(bytes: Buffer, at: number, size: number): number {
  return size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size);
}

/** Numbers of the items that hold EXIF or XMP: `Exif`, and `mime`, which no picture is. */
function findMetadataItems(bytes: Buffer, iinf: Box): Map<number, "Exif" | "mime"> {
  const version = bytes.readUInt8(iinf.from);
  const items = new Map<number, "Exif" | "mime">();
  for (const box of listBoxes(bytes, iinf.from + FULL + (version === 0 ? 2 : 4), iinf.to)) {
    if (box.type !== "infe") continue;
    const entry = createReader(bytes, box);
    const entryVersion = entry.read(1);
    entry.text(3);
    if (entryVersion < 2) continue;
    const id = entry.read(entryVersion === 2 ? 2 : 4);
    entry.read(2);
    const type = entry.text(4);
    if (type === "Exif" || type === "mime") items.set(id, type);
  }
  return items;
}

interface Extent {
  id: number;
  from: number;
  length: number;
}

/** Where items lie in the file; those that are made of other items have no place of their own. */
function findExtents(bytes: Buffer, iloc: Box, idat: Box | undefined): Extent[] {
  const box = createReader(bytes, iloc);
  const version = box.read(1);
  box.text(3);
  const sizes = box.read(1);
  const [offsetSize, lengthSize] = [sizes >> 4, sizes & 15];
  const bases = box.read(1);
  const [baseSize, indexSize] = [bases >> 4, version > 0 ? bases & 15 : 0];
  const count = box.read(version < 2 ? 2 : 4);
  if (count > MAX_ITEMS) throw new Error("the AVIF has too many items");
  const extents: Extent[] = [];
  for (let item = 0; item < count; item++) {
    const id = box.read(version < 2 ? 2 : 4);
    const method = version > 0 ? box.read(2) & 15 : 0;
    box.read(2);
    const base = box.read(baseSize);
    const extentCount = box.read(2);
    if (extents.length + extentCount > MAX_ITEMS) throw new Error("the AVIF has too many items");
    for (let extent = 0; extent < extentCount; extent++) {
      box.read(indexSize);
      const offset = base + box.read(offsetSize);
      const length = box.read(lengthSize);
      if (method === 0) extents.push({ id, from: offset, length });
      if (method === 1 && idat) extents.push({ id, from: idat.from + offset, length });
    }
  }
  return extents;
}

/**
 * Items are found by their places in the file, so nothing is taken out: what EXIF and XMP say is written over, and the file keeps its
 * length. The way up is no matter of EXIF here. @throws Error when a box leads out of the file.
 */
export function stripAvif(bytes: Buffer): Buffer {
  const stripped = Buffer.from(bytes);
  const boxes = listBoxes(bytes, 0, bytes.length);
  for (const { type, from, to } of boxes) {
    if (type !== "uuid" && type !== "udta" && type !== "free" && type !== "skip") continue;
    stripped.write("free", from - 4, "latin1");
    stripped.fill(0, from, to);
  }
  const meta = boxes.find(({ type }) => type === "meta");
  if (!meta) return stripped;
  const inner = listBoxes(bytes, meta.from + FULL, meta.to);
  const find = (type: string) => inner.find((box) => box.type === type);
  const [iinf, iloc] = [find("iinf"), find("iloc")];
  if (!iinf || !iloc) return stripped;
  const items = findMetadataItems(bytes, iinf);
  for (const { id, from, length } of findExtents(bytes, iloc, find("idat"))) {
    const type = items.get(id);
    if (!type) continue;
    const end = length === 0 ? bytes.length : from + length;
    if (end > bytes.length) throw new Error("the AVIF has an item that leads out of it");
    stripped.fill(type === "mime" ? 0x20 : 0, from, end);
    if (type === "Exif" && end - from >= EMPTY_EXIF.length) EMPTY_EXIF.copy(stripped, from);
  }
  return stripped;
}

import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/** Passes a file on and measures it. */
interface Meter {
  stream: Transform;
  countBytes(): number;
}

/** @param onWhole is waited for behind the last byte: the file doesn't end before it is done, or ends broken when that fails. */
export function createMeter(
  onWhole: (totals: { byteCount: number; sha256: string }) => Promise<void>,
): Meter {
  const hash = createHash("sha256");
  let byteCount = 0;
  const stream = new Transform({
    readableHighWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      byteCount += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      onWhole({ byteCount, sha256: hash.digest("hex") }).then(() => done(), done);
    },
  });
  return { stream, countBytes: () => byteCount };
}

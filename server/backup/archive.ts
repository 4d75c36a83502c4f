import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/** What went through a meter. */
export interface Measure {
  byte_size: number;
  sha256: string;
}

interface Watch {
  /** Hears how many bytes there are so far. */
  onBytes?(byteSize: number): void;
  onEnd?(measure: Measure): void;
}

/** Calls back; what the callee throws is the stream's fault. */
function attempt(work: () => void, done: (error: Error | null) => void): void {
  let fault: Error | null = null;
  try {
    work();
  } catch (error) {
    fault = error as Error; // ours: they throw errors
  }
  done(fault);
}

/** Passes bytes on, counts and hashes them. Whoever watches may throw, which ends the stream. */
export function createMeter(watch: Watch): Transform {
  const hash = createHash("sha256");
  let byteSize = 0;
  const stream: Transform = new Transform({
    highWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      byteSize += chunk.byteLength;
      attempt(() => {
        watch.onBytes?.(byteSize);
        stream.push(chunk);
      }, done);
    },
    flush: (done) => attempt(() => watch.onEnd?.({ byte_size: byteSize, sha256: hash.digest("hex") }), done),
  });
  return stream;
}

import { once } from "node:events";
import type { Duplex } from "node:stream";
import { deserialize, serialize } from "node:v8";

/** The argument that says that other accounts can't come to the code, see leave-root.ts. */
export const CODE_IS_CLOSED = "--code-is-closed";
/** Before the path of the socket where the server waits; without it the link is the third descriptor. */
export const LINK = "--link=";
/**
 * Nobody's: above what systemd and user namespaces give out, so that no file and no other process belongs to it, which isn't true of
 * `nobody`. It needs no line in /etc/passwd.
 */
export const OWN_ID = 1_907_000_001;

/** More than the largest picture. The other side may be a process that a hostile file has taken over. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** One end of the connection between the server and a process that draws: values behind their lengths, and bytes between them. */
export interface Link {
  /** So many bytes, as soon as they are there. @throws Error where the other side ended before */
  readBytes(byteSize: number): Promise<Buffer>;
  /** @throws Error where the other side ended before, or its value is too large */
  readValue(): Promise<unknown>;
  writeValue(value: unknown): void;
  /** Resolves when more may be written. */
  write(chunk: Uint8Array): Promise<void>;
}

export function openLink(socket: Duplex): Link {
  /** What came behind the bytes that were asked for. */
  let rest: Buffer = Buffer.alloc(0);

  async function readBytes(byteSize: number): Promise<Buffer> {
    const chunks = [rest];
    for (let missing = byteSize - rest.length; missing > 0; ) {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) {
        if (socket.destroyed || socket.readableEnded) throw new Error("the other side ended");
        await once(socket, "readable");
      } else {
        chunks.push(chunk);
        missing -= chunk.length;
      }
    }
    const bytes = Buffer.concat(chunks);
    rest = bytes.subarray(byteSize);
    return bytes.subarray(0, byteSize);
  }
  return {
    readBytes,
    async readValue() {
      const byteSize = (await readBytes(LENGTH_BYTES)).readUInt32BE();
      if (byteSize > MAX_VALUE_BYTES) throw new Error(`${byteSize} bytes are too many`);
      return deserialize(await readBytes(byteSize));
    },
    writeValue(value) {
      const bytes = serialize(value);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(bytes.length);
      socket.write(length);
      socket.write(bytes);
    },
    async write(chunk) {
      if (!socket.write(chunk)) await once(socket, "drain");
    },
  };
}

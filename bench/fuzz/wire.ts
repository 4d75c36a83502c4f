import { connect, type Socket } from "node:net";

/** What came back: undefined where the server closed without an answer, which it may do to what is no HTTP. */
export interface Answer {
  status: number;
  head: string;
  body: Buffer;
}

/** Longer than any request may take, the machine's load counted in. */
const SILENCE_MS = 120_000;
const CRLF2 = Buffer.from("\r\n\r\n");

/** The end of a body in chunks that begins at `start`, and its content; undefined: there is more to come. */
function readChunks(bytes: Buffer, start: number): { end: number; body: Buffer } | undefined {
  const parts: Buffer[] = [];
  for (let place = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", place);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", place, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { end: next, body: Buffer.concat(parts) };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    place = next;
  }
}

/** One whole answer at the beginning of `bytes`. @throws Error when it is no HTTP */
function readAnswer(bytes: Buffer, method: string): { answer: Answer; isLast: boolean } | undefined {
  const headEnd = bytes.indexOf(CRLF2);
  if (headEnd < 0) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  if (!status) throw new Error(`a server answered ${JSON.stringify(head.slice(0, 200))}`);
  if (status === 100) return readAnswer(bytes.subarray(headEnd + 4), method);
  const isLast = /^connection: close/im.test(head) || status === 101;
  const start = headEnd + 4;
  const finish = (body: Buffer) => ({ answer: { status, head, body }, isLast });
  if (method === "HEAD" || status === 204 || status === 304 || status === 101) return finish(Buffer.alloc(0));
  if (/^transfer-encoding: chunked/im.test(head)) {
    const read = readChunks(bytes, start);
    return read && finish(read.body);
  }
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) return undefined; // ends with the connection
  return bytes.length >= start + length ? finish(bytes.subarray(start, start + length)) : undefined;
}

/** A client that sends any bytes at all over one connection, which is opened anew when it was closed. */
export interface RawClient {
  /**
   * @param method Whether the answer has a body hangs on it.
   * @param isCut The sender goes away behind its bytes: they promise more than they hold.
   * @throws Error on silence, and where nobody listens any more
   */
  send(bytes: Buffer, method: string, isCut: boolean): Promise<Answer | undefined>;
  close(): void;
}

export function createRawClient(port: number): RawClient {
  let socket: Socket | undefined;

  async function open(): Promise<Socket> {
    if (socket && !socket.destroyed && socket.writable && !socket.readableEnded) return socket;
    const opened = connect({ host: "127.0.0.1", port, noDelay: true, allowHalfOpen: true });
    await new Promise<void>((resolve, reject) => {
      opened.once("connect", resolve);
      opened.once("error", reject);
    });
    opened.on("error", () => undefined); // what is lost in an exchange, it says itself
    socket = opened;
    return opened;
  }

  function exchange(on: Socket, bytes: Buffer, method: string, isCut: boolean): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let isSettled = false;
      const settle = (finish: () => void, keep: boolean) => {
        if (isSettled) return;
        isSettled = true;
        on.off("data", read).off("end", end).off("close", end).off("error", end).off("timeout", silence);
        on.setTimeout(0);
        if (!keep) on.destroy();
        finish();
      };
      const attempt = (isOver: boolean) => {
        try {
          const found = readAnswer(Buffer.concat(chunks), method);
          if (found) settle(() => resolve(found.answer), !found.isLast && !isCut);
          else if (isOver) settle(() => resolve(undefined), false);
        } catch (error) {
          settle(() => reject(error), false);
        }
      };
      function read(chunk: Buffer): void {
        chunks.push(chunk);
        attempt(false);
      }
      const end = () => attempt(true);
      const silence = () => settle(() => reject(new Error(`no answer within ${SILENCE_MS / 1000} s`)), false);
      on.on("data", read).once("end", end).once("close", end).on("error", end);
      on.setTimeout(SILENCE_MS, silence);
      on.write(bytes);
      if (isCut) on.end();
    });
  }

  return {
    send: async (bytes, method, isCut) => exchange(await open(), bytes, method, isCut),
    close: () => socket?.destroy(),
  };
}

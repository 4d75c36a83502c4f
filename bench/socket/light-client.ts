import { createHash, randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { buildFrame, buildTextFrame, createFrameReader, OPCODE } from "./frame.ts";

const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // RFC 6455, 1.3

export interface ClientOptions {
  port: number;
  token: string;
  /** Which of the machine's own addresses it comes from: limits count by address. */
  localAddress: string;
  onText(text: string): void;
  onPong?(): void;
  /** Without it, an end that this side didn't ask for is an error. */
  onEnd?(code: number | undefined): void;
}

/** One WebSocket on a bare socket: what it costs is what the machine takes from the server. */
export class LightClient {
  readonly #socket: Socket;
  readonly #options: ClientOptions;
  #closeCode: number | undefined;
  #isEnding = false;
  /** Chunks that came: with the count of frames it tells how many travelled together. */
  reads = 0;

  constructor(socket: Socket, options: ClientOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  listen(first: Buffer): void {
    const read = createFrameReader((opcode, payload) => this.#receive(opcode, payload));
    this.#socket.on("data", (chunk: Buffer) => {
      this.reads += 1;
      read(chunk);
    });
    this.#socket.once("close", () => this.#end());
    if (first.length > 0) read(first);
  }

  #receive(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.text) this.#options.onText(payload.toString());
    else if (opcode === OPCODE.close) this.#receiveClose(payload);
    else if (opcode === OPCODE.ping) this.sendBytes(buildFrame({ opcode: OPCODE.pong, payload }));
    else if (opcode === OPCODE.pong) this.#options.onPong?.();
    else throw new Error(`a server sent opcode ${opcode}`);
  }

  #receiveClose(payload: Buffer): void {
    this.#closeCode = payload.length >= 2 ? payload.readUInt16BE(0) : undefined;
    this.sendBytes(buildFrame({ opcode: OPCODE.close, payload }));
    this.#socket.end();
  }

  #end(): void {
    if (this.#options.onEnd) this.#options.onEnd(this.#closeCode);
    else if (!this.#isEnding) throw new Error(`a connection ended by itself, code ${this.#closeCode}`);
  }

  send(text: string): void {
    this.#socket.write(buildTextFrame(text));
  }

  /** Anything, frame or not. */
  sendBytes(bytes: Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** Reads no more; what comes stays in the kernel. */
  stopReading(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#isEnding = true;
    this.sendBytes(buildFrame({ opcode: OPCODE.close, payload: Buffer.from([0x03, 0xe8]) }));
    this.#socket.end();
  }

  /** Gone without a word. */
  cut(): void {
    this.#isEnding = true;
    this.#socket.destroy();
  }
}

function toRequest(options: ClientOptions, key: string): string {
  const token = Buffer.from(options.token).toString("base64").replaceAll("=", "");
  return [
    "GET /socket/websocket?vsn=2.0.0 HTTP/1.1",
    `Host: 127.0.0.1:${options.port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${key}`,
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Protocol: phoenix, base64url.bearer.phx.${token}`,
    "\r\n",
  ].join("\r\n");
}

function checkAnswer(head: string, key: string): void {
  const accept = createHash("sha1")
    .update(key + ACCEPT_SUFFIX)
    .digest("base64");
  const lines = head.split("\r\n").map((line) => line.toLowerCase());
  const isGood =
    lines[0]?.startsWith("http/1.1 101 ") &&
    lines.includes(`sec-websocket-accept: ${accept.toLowerCase()}`) &&
    lines.includes("sec-websocket-protocol: phoenix");
  if (!isGood) throw new Error(`the handshake was answered:\n${head}`);
}

/** @throws Error when the handshake is refused */
export function openLightClient(options: ClientOptions): Promise<LightClient> {
  const key = randomBytes(16).toString("base64");
  const { port, localAddress } = options;
  const socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const fail = () => reject(new Error(`the handshake was cut after ${head.length} bytes`));
    socket.on("error", reject);
    socket.once("close", fail);
    socket.on("data", function read(chunk: Buffer) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      socket.off("data", read);
      socket.off("close", fail);
      try {
        checkAnswer(head.toString("latin1", 0, end), key);
        const client = new LightClient(socket, options);
        client.listen(head.subarray(end + 4));
        resolve(client);
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
    socket.write(toRequest(options, key));
  });
}

/** A server that waits for the rest of a broken frame says nothing for longer than this. */
const PONG_WITHIN_MS = 250;

/**
 * A client that may send anything, and that the server may end.
 * @returns `ended`: the code of the close, once it is closed; `hasRead` asks whether the server has read all that was sent
 */
export async function openFuzzClient(options: Omit<ClientOptions, "onPong" | "onEnd">) {
  const ended = Promise.withResolvers<number | undefined>();
  let onPong = (_isThere: boolean) => {};
  const client = await openLightClient({
    ...options,
    onPong: () => onPong(true),
    onEnd: (code) => {
      ended.resolve(code);
      onPong(false);
    },
  });
  const hasRead = (): Promise<boolean> => {
    client.sendBytes(buildFrame({ opcode: OPCODE.ping, payload: Buffer.from("read") }));
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PONG_WITHIN_MS, false);
      onPong = (isThere) => {
        clearTimeout(timer);
        resolve(isThere);
      };
    });
  };
  return { client, ended: ended.promise, hasRead };
}

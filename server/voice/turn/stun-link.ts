import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import type { IceUrl } from "../ice.ts";
import {
  type Attribute,
  CLASS,
  encodeStun,
  HEADER_BYTES,
  type Method,
  parseStun,
  type StunMessage,
} from "./stun-message.ts";

/** Why a server was of no use. `refused` comes with the code of its answer. */
export class StunError extends Error {
  override name = "StunError";
  readonly code: number | undefined;
  constructor(message: string, code?: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A way to one server. */
export interface StunLink {
  /** The address that the host's name stands for. */
  server: string;
  /** The server's answer, a success or an error. @throws StunError when none comes before the signal. */
  ask(method: Method, attributes?: readonly Attribute[], key?: Buffer): Promise<StunMessage>;
  /** Sends a message that has no answer. */
  sendIndication(method: Method, attributes: readonly Attribute[]): void;
  /** Gets what the server sends unasked. */
  onMessage: ((message: StunMessage) => void) | undefined;
  close(): void;
}

/** Bytes out and whole messages in. */
interface Pipe {
  send(bytes: Buffer): void;
  close(): void;
  /** Whether the network may lose what is sent. */
  isLossy: boolean;
  server: string;
}

interface Ends {
  onMessage: (bytes: Buffer) => void;
  onFault: (error: Error) => void;
}

/** RFC 8489, 6.2.1: half a second, then twice as long each time. */
const RESEND_FIRST_MS = 500;
/** More than any answer needs; a server that sends more is none. */
const STREAM_MAX_BYTES = 64 * 1024;

/** Opens the way to a server; everything that waits on it ends with the signal. @throws StunError */
export async function openStunLink(url: IceUrl, signal: AbortSignal): Promise<StunLink> {
  const waiting = new Map<
    string,
    { resolve: (message: StunMessage) => void; reject: (error: Error) => void }
  >();
  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const onMessage = (bytes: Buffer) => {
    const message = parseStun(bytes);
    // RFC 8489, 6.3: what can't be read is passed over in silence.
    if (!message) return;
    const id = message.transactionId.toString("hex");
    if ((message.type & CLASS.error) === CLASS.indication) link.onMessage?.(message);
    else waiting.get(id)?.resolve(message);
  };
  const onFault = (error: Error) => fail(new StunError(error.message, undefined, { cause: error }));
  const pipe = await openPipe(url, { onMessage, onFault }, signal);

  const link: StunLink = {
    server: pipe.server,
    onMessage: undefined,
    async ask(method, attributes = [], key) {
      if (signal.aborted) throw new StunError("no answer in time");
      const transactionId = randomBytes(12);
      const id = transactionId.toString("hex");
      const bytes = encodeStun({
        type: method | CLASS.request,
        transactionId,
        attributes,
        ...(key && { key }),
      });
      let timer: NodeJS.Timeout | undefined;
      const sendAfter = (ms: number) => {
        pipe.send(bytes);
        if (pipe.isLossy) timer = setTimeout(sendAfter, ms, 2 * ms);
      };
      const onAbort = () => waiting.get(id)?.reject(new StunError("no answer in time"));
      try {
        return await new Promise<StunMessage>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          signal.addEventListener("abort", onAbort, { once: true });
          sendAfter(RESEND_FIRST_MS);
        });
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        waiting.delete(id);
      }
    },
    sendIndication(method, attributes) {
      pipe.send(encodeStun({ type: method | CLASS.indication, transactionId: randomBytes(12), attributes }));
    },
    close() {
      pipe.close();
      fail(new StunError("closed"));
    },
  };
  return link;
}

async function openPipe(url: IceUrl, ends: Ends, signal: AbortSignal): Promise<Pipe> {
  try {
    return url.transport === "udp" ? await openUdp(url, ends, signal) : await openStream(url, ends, signal);
  } catch (error) {
    const message = signal.aborted
      ? "no answer in time"
      : error instanceof Error
        ? error.message
        : String(error);
    throw new StunError(message, undefined, { cause: error });
  }
}

async function openUdp(
  { host, port }: IceUrl,
  { onMessage, onFault }: Ends,
  signal: AbortSignal,
): Promise<Pipe> {
  const { address, family } = await orAborted(lookup(host), signal);
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  // Connected: only this server's messages are received, and a closed port is reported at once.
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.connect(port, address, resolve);
  });
  socket.removeAllListeners("error");
  socket.on("error", onFault);
  socket.on("message", onMessage);
  let isOpen = true;
  const close = () => {
    if (isOpen) socket.close();
    isOpen = false;
  };
  return { send: (bytes) => isOpen && socket.send(bytes), close, isLossy: true, server: address };
}

async function openStream(url: IceUrl, { onMessage, onFault }: Ends, signal: AbortSignal): Promise<Pipe> {
  const { host, port, transport } = url;
  const socket =
    transport === "tls" ? connectTls({ host, port, servername: toServerName(host) }) : connect(port, host);
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    // RFC 8489, 6.2.2: over a stream the length in the header is all that parts messages.
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUInt16BE(2);
      if (rest.length < end) break;
      onMessage(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    if (rest.length > STREAM_MAX_BYTES) socket.destroy(new Error("this is no STUN server"));
  });
  socket.on("close", () => onFault(new Error("the server closed the connection")));
  const opened = new Promise<void>((resolve, reject) => {
    socket.once(transport === "tls" ? "secureConnect" : "connect", resolve);
    socket.once("error", (error) => {
      onFault(error);
      reject(error);
    });
  });
  try {
    await orAborted(opened, signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return {
    send: (bytes) => void socket.write(bytes),
    close: () => socket.destroy(),
    isLossy: false,
    server: socket.remoteAddress ?? host,
  };
}

/** RFC 6066: an address is no name. */
function toServerName(host: string): string {
  return /^[\d.]+$|:/.test(host) ? "" : host;
}

function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error("no answer in time"));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

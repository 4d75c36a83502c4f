import { WebSocket } from "ws";
import { until } from "./until.ts";

/** `[join_ref, ref, topic, event, payload]` of the protocol's second version. */
export type Frame = [string | null, string | null, string, string, Record<string, unknown>];

/** A real WebSocket that keeps all it receives. */
export interface SocketClient {
  readonly frames: Frame[];
  /** Its close code; undefined while it is open. */
  readonly closeCode: number | undefined;
  send(...frame: Frame): void;
  /** Joins a topic and gives the answer's `status` or, where it is refused, its reason. */
  join(topic: string): Promise<unknown>;
  /** Frames of an event so far, or as soon as there are so many. */
  take(event: string, count?: number): Promise<Frame[]>;
  /** @returns the code. */
  waitForClose(): Promise<number>;
  close(): void;
}

/** The server answered the handshake with this status. */
export class HandshakeRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the handshake was answered with ${status}`);
    this.status = status;
  }
}

async function waitFor<Value>(get: () => Value | undefined): Promise<Value> {
  let value = get();
  await until(() => {
    value ??= get();
    return value !== undefined;
  });
  return value as Value; // it has come
}

/** @throws HandshakeRefused. `url` is that of the socket, its query included. */
export async function openSocketClient(
  url: string,
  headers: Record<string, string> = {},
): Promise<SocketClient> {
  const socket = new WebSocket(url, { headers });
  const frames: Frame[] = [];
  let closeCode: number | undefined;
  let lastRef = 0;
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as Frame));
  socket.on("close", (code) => {
    closeCode = code;
  });
  await new Promise<void>((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      reject(new HandshakeRefused(response.statusCode ?? 0));
    });
  });
  const send = (...frame: Frame) => socket.send(JSON.stringify(frame));
  return {
    frames,
    get closeCode() {
      return closeCode;
    },
    send,
    async join(topic) {
      const ref = String(++lastRef);
      send(ref, ref, topic, "phx_join", {});
      const isAnswer = ([, answered, , event]: Frame) => answered === ref && event === "phx_reply";
      const [, , , , payload] = await waitFor(() => frames.find(isAnswer));
      const { status, response } = payload as { status: string; response: { reason?: string } };
      return status === "ok" ? status : response.reason;
    },
    take: (event, count = 1) =>
      waitFor(() => {
        const found = frames.filter(([, , , name]) => name === event);
        return found.length >= count ? found : undefined;
      }),
    waitForClose: () => waitFor(() => closeCode),
    close: () => socket.close(),
  };
}

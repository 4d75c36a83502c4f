import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface FakeRequest {
  janus: string;
  transaction: string;
  apisecret?: string;
  handle_id?: number;
  /** What the plugin is asked. */
  body?: { request: string; room?: number; description?: string };
}

type Answer = object | string | undefined;

/** No answer at all. */
export const SILENCE = {};

/** A Janus that says what the test wants; undefined: as usual. */
export class FakeJanus {
  readonly received: FakeRequest[] = [];
  readonly sockets = new Set<WebSocket>();
  answer: (request: FakeRequest) => Answer = () => undefined;
  #server: WebSocketServer | undefined;
  #lastId = 0;

  async open(port = 0): Promise<string> {
    const server = new WebSocketServer({ host: "127.0.0.1", port, handleProtocols: () => "janus-protocol" });
    this.#server = server;
    server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.on("message", (data) => this.#take(socket, JSON.parse(String(data))));
    });
    await once(server, "listening");
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  #take(socket: WebSocket, request: FakeRequest): void {
    this.received.push(request);
    const said = this.answer(request) ?? this.#answerAsUsual(request);
    if (typeof said === "string") socket.send(said);
    else socket.send(JSON.stringify({ transaction: request.transaction, ...said }));
  }

  #answerAsUsual({ janus }: FakeRequest): object {
    this.#lastId += 1;
    if (janus === "create" || janus === "attach") return { janus: "success", data: { id: this.#lastId } };
    if (janus === "message") return { janus: "event", plugindata: { data: { result: "ok" } } };
    return { janus: janus === "keepalive" ? "ack" : "success" };
  }

  publish(message: object): void {
    for (const socket of this.sockets) socket.send(JSON.stringify(message));
  }

  count(janus: string): number {
    return this.received.filter((request) => request.janus === janus).length;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    this.sockets.clear();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

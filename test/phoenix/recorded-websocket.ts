import { type ClientOptions, WebSocket } from "ws";
import type { RecordedLine, Recording } from "./recording.ts";

function toLine(data: unknown, isBinary: boolean): Pick<RecordedLine, "kind"> & Record<string, unknown> {
  if (typeof data === "string") return { kind: "text", data };
  const bytes = Buffer.from(data as Buffer); // text comes as a string; the rest is bytes, in one piece
  return isBinary ? { kind: "binary", hex: bytes.toString("hex") } : { kind: "text", data: bytes.toString() };
}

/** A WebSocket class, fit for the npm client's `transport`, that writes down what goes over the wire. */
export function createRecordedWebSocket(recording: Recording, conn: string, options: ClientOptions = {}) {
  const add = (line: RecordedLine) => recording.add({ conn, ...line });

  return class RecordedWebSocket extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols, options);
      const headers = options.headers ?? {};
      add({
        dir: "c2s",
        kind: "upgrade",
        url,
        protocols: protocols || null,
        headers,
        origin: options.origin,
      });
      this.on("upgrade", (response) => {
        const protocol = response.headers["sec-websocket-protocol"] ?? null;
        add({ dir: "s2c", kind: "upgrade", status: response.statusCode, protocol });
      });
      this.on("unexpected-response", (request, response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => add({ dir: "s2c", kind: "http", status: response.statusCode, body }));
        this.emit("error", new Error(`status ${response.statusCode}`));
        request.destroy();
        // A listener of this event takes the closing over from ws, which offers no other way to end the state "connecting".
        (this as unknown as { _readyState: number })._readyState = WebSocket.CLOSED;
        this.emit("close", 1006, "");
      });
      this.on("message", (data, isBinary) => add({ dir: "s2c", ...toLine(data, isBinary) }));
      this.on("close", (code, reason) => add({ dir: "s2c", kind: "close", code, reason: String(reason) }));
      this.on("error", (error) => add({ dir: "api", event: "ws_error", message: error.message }));
    }

    override send(data: Parameters<WebSocket["send"]>[0]): void {
      add({ dir: "c2s", ...toLine(data, typeof data !== "string") });
      super.send(data);
    }

    /** Past the transcript, for what is too long for it. */
    sendUnrecorded(data: string): void {
      super.send(data);
    }

    override close(code?: number, reason?: string): void {
      add({ dir: "c2s", kind: "close", code: code ?? null, reason: reason ?? null });
      super.close(code, reason);
    }
  };
}

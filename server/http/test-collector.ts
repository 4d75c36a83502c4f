import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A span as it came over the wire. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty: it is the trace's first. */
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number>;
  /** 2: a fault. */
  status: number;
}

/** Fields of a message in protobuf's wire format, by their numbers; numbers of 64 bits that aren't counts are left out. */
function readFields(bytes: Buffer): Map<number, (Buffer | number)[]> {
  const fields = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const readNumber = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = readNumber();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    let value: Buffer | number | undefined;
    if (type === 0) value = readNumber();
    else if (type === 2) {
      const length = readNumber();
      value = bytes.subarray(at, at + length);
      at += length;
    } else at += type === 1 ? 8 : 4;
    if (value !== undefined) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

const readMessages = (bytes: Buffer, field: number) => (readFields(bytes).get(field) ?? []) as Buffer[]; // of the schema
const readText = (bytes: Buffer, field: number) => String(readMessages(bytes, field)[0] ?? "");

/** opentelemetry/proto/trace/v1/trace.proto and common/v1/common.proto. */
function toSpan(bytes: Buffer): ReceivedSpan {
  const hex = (field: number) => readMessages(bytes, field)[0]?.toString("hex") ?? "";
  const attributes = readMessages(bytes, 9).map((pair) => {
    const value = readMessages(pair, 2)[0] ?? Buffer.alloc(0);
    const [number] = readFields(value).get(3) ?? [];
    return [readText(pair, 1), typeof number === "number" ? number : readText(value, 1)];
  });
  const status = readMessages(bytes, 15)[0] ?? Buffer.alloc(0);
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentId: hex(4),
    name: readText(bytes, 5),
    kind: Number(readFields(bytes).get(6)?.[0]),
    attributes: Object.fromEntries(attributes),
    status: Number(readFields(status).get(3)?.[0] ?? 0),
  };
}

/** A collector that takes OTLP over HTTP. */
export async function openCollector() {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const requests: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const { url, headers } = request;
    const body = await buffer(request);
    requests.push({ url, headers });
    if (status === 200) {
      bodies.push(body);
      for (const resource of readMessages(body, 1))
        for (const scope of readMessages(resource, 2)) spans.push(...readMessages(scope, 2).map(toSpan));
    }
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    requests,
    /** All that came, as bytes. */
    getBytes: () => Buffer.concat(bodies),
    refuseWith(next: number) {
      status = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

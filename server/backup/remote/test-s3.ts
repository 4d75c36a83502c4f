import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A service that speaks as much S3 as the product does, in memory. It checks the key's name and the MD5 of each part. */
export async function startS3({ bucket, accessKeyId }: { bucket: string; accessKeyId: string }) {
  const files = new Map<string, Buffer>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  /** Answers the next PUT of a part with 500, as often. */
  const state = {
    failParts: 0,
    partCount: 0,
    spoil: (bytes: Buffer) => bytes,
    /** At the head of a part, before its bytes are read; they are not where it returns false. */
    onPart: () => true,
  };

  function refuse(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`);
  }
  function answer(response: ServerResponse, xml: string): void {
    response.writeHead(200, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?>\n${xml}`);
  }
  function list(response: ServerResponse, query: URLSearchParams): void {
    const prefix = query.get("prefix") ?? "";
    if (query.has("uploads")) {
      const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
      const entries = found.map(
        ([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`,
      );
      answer(response, `<ListMultipartUploadsResult>${entries.join("")}</ListMultipartUploadsResult>`);
      return;
    }
    const found = [...files].filter(([key]) => key.startsWith(prefix));
    const entries = found.map(
      ([key, bytes]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`,
    );
    answer(
      response,
      `<ListBucketResult><IsTruncated>false</IsTruncated>${entries.join("")}</ListBucketResult>`,
    );
  }
  function putPart(
    response: ServerResponse,
    id: string,
    number: number,
    bytes: Buffer,
    request: IncomingMessage,
  ) {
    state.partCount += 1;
    if (state.failParts > 0) {
      state.failParts -= 1;
      return refuse(response, 500, "InternalError");
    }
    const arrived = state.spoil(bytes);
    const md5 = createHash("md5").update(arrived);
    if (request.headers["content-md5"] !== md5.digest("base64")) return refuse(response, 400, "BadDigest");
    uploads.get(id)?.parts.set(number, arrived);
    response.writeHead(200, { etag: `"${number}"` }).end();
  }
  function post(response: ServerResponse, key: string, query: URLSearchParams): void {
    if (query.has("uploads")) {
      const id = `upload-${uploads.size + 1}`;
      uploads.set(id, { key, parts: new Map() });
      answer(
        response,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
      return;
    }
    const id = query.get("uploadId") ?? "";
    const parts = [...(uploads.get(id)?.parts ?? [])].sort(([a], [b]) => a - b);
    files.set(key, Buffer.concat(parts.map(([, bytes]) => bytes)));
    uploads.delete(id);
    answer(response, `<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>`);
  }

  function serve(request: IncomingMessage, response: ServerResponse, key: string, bytes: Buffer): void {
    const { searchParams: query } = new URL(request.url ?? "/", "http://host");
    const id = query.get("uploadId");
    const found = files.get(key);
    if (request.method === "POST") post(response, key, query);
    else if (request.method === "DELETE") {
      if (id) uploads.delete(id);
      else files.delete(key);
      response.writeHead(204).end();
    } else if (request.method === "PUT" && id)
      putPart(response, id, Number(query.get("partNumber")), bytes, request);
    else if (request.method === "PUT") {
      files.set(key, bytes);
      response.writeHead(200, { etag: '"one"' }).end();
    } else if (key === "") list(response, query);
    else if (found) response.writeHead(200).end(found);
    else refuse(response, 404, "NoSuchKey");
  }

  const server = createServer(async (request, response) => {
    const [, first = "", ...rest] = decodeURIComponent(request.url?.split("?")[0] ?? "").split("/");
    const isPart = request.method === "PUT" && request.url?.includes("uploadId=");
    if (isPart && state.onPart() === false) return;
    const bytes = await buffer(request);
    if (!request.headers.authorization?.includes(`Credential=${accessKeyId}/`))
      return refuse(response, 403, "InvalidAccessKeyId");
    if (first !== bucket) return refuse(response, 404, "NoSuchBucket");
    return serve(request, response, rest.join("/"), bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    uploads,
    state,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

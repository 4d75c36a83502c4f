import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { createHttp, HttpError } from "./http.ts";
import type { UploadProgress } from "./upload.ts";

/** What the last request carried; the server answers 413 to the path /full. */
const seen = { method: "", authorization: "", type: "", body: "" };
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const origin = {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Headers": "*, Authorization",
      "Access-Control-Allow-Methods": "*",
      "Access-Control-Expose-Headers": "Retry-After",
    };
    if (request.method === "OPTIONS") {
      response.writeHead(204, origin).end();
      return;
    }
    seen.method = request.method ?? "";
    seen.body = "";
    for await (const chunk of request) seen.body += chunk;
    seen.authorization = request.headers.authorization ?? "";
    seen.type = request.headers["content-type"] ?? "";
    const isFull = request.url === "/full";
    response.writeHead(isFull ? 413 : 201, {
      ...origin,
      "Content-Type": "application/json",
      "Retry-After": "90",
    });
    response.end(JSON.stringify(isFull ? { detail: "Too large" } : { url: "/files/a.png" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has an address with a port.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const schema = z.object({ url: z.string() });
const session = { getAccessToken: async () => "abc", renewAccessToken: async () => null };

function createForm() {
  const form = new FormData();
  form.set("file", new File(["hello"], "a.txt", { type: "text/plain" }));
  return form;
}

test("an upload carries the token and the file, reports its progress, and its answer is read by its schema", async () => {
  const http = createHttp({ baseUrl, getLanguage: () => "en", session });
  const progress: UploadProgress[] = [];
  const answer = await http.upload("/ok", createForm(), {
    schema,
    onProgress: (state) => progress.push(state),
  });
  expect(answer).toEqual({ url: "/files/a.png" });
  expect(seen.authorization).toBe("Bearer abc");
  expect(seen.type).toMatch(/^multipart\/form-data; boundary=/);
  expect(seen.body).toContain("hello");
  // jsdom knows no sizes of forms; that it reports anything is what can be seen here.
  expect(progress.at(-1)).toEqual({ sentBytes: expect.any(Number), totalBytes: expect.any(Number) });
});

test("a refused upload is an HttpError with the server's text and when to try again", async () => {
  const http = createHttp({ baseUrl, getLanguage: () => "en", session });
  const upload = http.upload("/full", createForm(), { schema });
  await expect(upload).rejects.toThrow(HttpError);
  await expect(upload).rejects.toMatchObject({ status: 413, message: "Too large", retryAfterS: 90 });
});

test("an aborted upload rejects with the reason of its signal", async () => {
  const controller = new AbortController();
  controller.abort(new Error("Closed"));
  const http = createHttp({ baseUrl, getLanguage: () => "en", session });
  await expect(http.upload("/ok", createForm(), { schema, signal: controller.signal })).rejects.toThrow(
    "Closed",
  );
});

test("a form can go out by PUT, where a call replaces something", async () => {
  const http = createHttp({ baseUrl, getLanguage: () => "en", session });
  await http.upload("/ok", createForm(), { method: "PUT", schema });
  expect(seen.method).toBe("PUT");
});

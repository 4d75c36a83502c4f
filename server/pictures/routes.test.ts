import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import accepts from "@fastify/accepts";
import cookie from "@fastify/cookie";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { createLocalStorage, type FileStorage } from "#server/files/store.ts";
import { withZod } from "#server/http/zod.ts";
import { createDrawingProcess, type DrawingProcess } from "./drawing-process.ts";
import { makePdf, makePhoto, readPicture, SVG } from "./fixture.ts";
import { registerPictureRoutes } from "./routes.ts";
import { createPictureService } from "./service.ts";

let folder: string;
let files: FileStorage;
let app: FastifyInstance;
let drawing: DrawingProcess;
let drawn = 0;
let warnings: object[] = [];
let minutes = 0;
/** Files that no visitor may open. */
const hidden = new Set<string>();

/** A server over the folder's files and pictures, as a start of the product makes one. */
async function startApp(): Promise<FastifyInstance> {
  const started = fastify();
  await started.register(accepts);
  await started.register(cookie);
  drawing = createDrawingProcess({ timeoutMs: 120_000 }); // a busy machine draws as well, later
  const pictures = createPictureService({
    files,
    storage: createLocalStorage(join(folder, "pictures")),
    portraitStorage: createLocalStorage(join(folder, "people")),
    log: { warn: (details: object) => void warnings.push(details) },
    now: () => new Date(minutes * 60_000),
    drawing: {
      ...drawing,
      draw(job, openInput) {
        drawn++;
        return drawing.draw(job, openInput);
      },
    },
  });
  started.addHook("onClose", pictures.close);
  registerPictureRoutes(withZod(started), pictures, {
    find: async (_request, key) => (hidden.has(key) ? undefined : "public"),
  });
  return started;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "foyer-pictures-"));
  files = createLocalStorage(join(folder, "files"));
  app = await startApp();
});
beforeEach(() => {
  drawn = 0;
  warnings = [];
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function store(content: Buffer, ending: string): Promise<string> {
  const key = `${createHash("sha256").update(content).digest("hex").slice(0, 32)}.${ending}`;
  await files.put(key, content);
  return key;
}
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test.each([
  ["png", () => makePhoto("png"), ["f00", "00f"]],
  ["jpg", () => makePhoto("jpeg"), ["f00", "00f"]],
  ["webp", () => makePhoto("webp"), ["f00", "00f"]],
  ["svg", () => SVG, ["f00", "00f"]],
  ["pdf", () => makePdf(), ["f00", "fff"]],
])(
  "a stored %s has pictures of three widths, made once, and caches on the way ask each time",
  async (ending, make, colours) => {
    const key = await store(make(), ending);
    for (const width of [192, 384, 768]) {
      const answer = await get(`/pictures/${key}/${width}.webp`);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        "content-type": "image/webp",
        "content-length": String(answer.rawPayload.length),
        "cache-control": "public, max-age=300, s-maxage=0, must-revalidate",
        etag: expect.stringMatching(/^"[\w.]+"$/),
      });
      expect(await readPicture(answer.rawPayload, 0.2, 0.8)).toMatchObject({ width, colours });
    }
    expect(drawn).toBe(3);
    expect((await get(`/pictures/${key}/192.webp`)).statusCode).toBe(200);
    expect(drawn).toBe(3);
  },
);

test("many who ask for a picture at once get the same one", async () => {
  const key = await store(makePhoto("png", 800, 300), "png");
  const answers = await Promise.all(Array.from({ length: 10 }, () => get(`/pictures/${key}/384.webp`)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString("base64"))).size).toBe(1);
  expect(drawn).toBe(1);
});

test("who has a picture gets no bytes", async () => {
  const key = await store(makePhoto("png", 300, 300), "png");
  const { headers } = await get(`/pictures/${key}/192.webp`);
  const again = await get(`/pictures/${key}/192.webp`, { "if-none-match": String(headers.etag) });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", headers.etag]);
  expect((await get(`/pictures/${key}/384.webp`, { "if-none-match": String(headers.etag) })).statusCode).toBe(
    200,
  );
});

test("a later start finds what was made before, and needs no process for it", async () => {
  const key = await store(makePhoto("png", 640, 480), "png");
  const before = await get(`/pictures/${key}/192.webp`);
  await app.close();
  app = await startApp();
  expect((await get(`/pictures/${key}/192.webp`)).rawPayload.equals(before.rawPayload)).toBe(true);
  expect([drawn, drawing.getPid()]).toEqual([1, undefined]);
});

test("a file that is deleted takes its pictures along", async () => {
  const key = await store(makePhoto("png", 200, 201), "png");
  expect((await get(`/pictures/${key}/192.webp`)).statusCode).toBe(200);
  await files.delete(key);
  expect((await get(`/pictures/${key}/192.webp`)).statusCode).toBe(404);
  expect(drawn).toBe(1);
});

test("a file that is hidden has no pictures either, though they were made", async () => {
  const key = await store(makePhoto("png", 200, 202), "png");
  expect((await get(`/pictures/${key}/192.webp`)).statusCode).toBe(200);
  hidden.add(key);
  expect((await get(`/pictures/${key}/192.webp`)).statusCode).toBe(404);
});

describe("no picture and no work", () => {
  const NOBODY = "0".repeat(32);
  test.each([
    ["an unknown file", () => `/pictures/${NOBODY}.png/192.webp`],
    ["an unknown width", async () => `/pictures/${await store(makePhoto("png", 20, 20), "png")}/193.webp`],
    [
      "a width that is none",
      async () => `/pictures/${await store(makePhoto("png", 20, 20), "png")}/0192.webp`,
    ],
    ["a kind that has none", async () => `/pictures/${await store(Buffer.from("x"), "avif")}/192.webp`],
    ["a key that leads elsewhere", () => `/pictures/${encodeURIComponent("../../../etc/x.png")}/192.webp`],
    ["a key without an ending", () => `/pictures/${NOBODY}/192.webp`],
    ["a property of every object as ending", () => `/pictures/${NOBODY}.constructor/192.webp`],
  ])("for %s", async (_, toUrl) => {
    const answer = await get(await toUrl(), { "accept-language": "tr" });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: "not_found", message: "Bulunamadı" });
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(drawn).toBe(0);
  });
});

test.each([
  ["PNG", "png", () => makePhoto("png", 50, 50).fill(7, 40)],
  ["PDF", "pdf", () => Buffer.from("%PDF-1.7\nbroken")],
])("a broken %s is tried once in a while, in one width, and reported once", async (_, ending, make) => {
  const key = await store(make(), ending);
  const askAll = async () => {
    const answers = await Promise.all([192, 384, 768].map((width) => get(`/pictures/${key}/${width}.webp`)));
    return answers.map(({ statusCode }) => statusCode);
  };
  expect(await askAll()).toEqual([404, 404, 404]);
  minutes += 9;
  expect(await askAll()).toEqual([404, 404, 404]);
  expect(drawn).toBe(1);
  expect(warnings).toEqual([
    { source: key, job: "thumbnail", reason: expect.stringMatching(/decoded|Invalid/) },
  ]);
  minutes += 2;
  expect(await askAll()).toEqual([404, 404, 404]);
  expect(drawn).toBe(2);
});

test("a process that is killed takes no picture with it", async () => {
  const [first, second] = [
    await store(makePhoto("png", 500, 100), "png"),
    await store(makePhoto("png", 500, 101), "png"),
  ];
  expect((await get(`/pictures/${first}/192.webp`)).statusCode).toBe(200);
  process.kill(drawing.getPid() ?? 0, "SIGKILL");
  expect((await get(`/pictures/${second}/192.webp`)).statusCode).toBe(200);
  expect(warnings).toEqual([]);
});

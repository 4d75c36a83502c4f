import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { certificate as certificateModel } from "#server/models/declared/certificate.ts";
import { makeTurnedPhoto } from "#server/pictures/fixture.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { orHang } from "#test/until.ts";

/** The same table with a file that staff don't know of, and one that they may not write. */
const { file } = certificateModel.fields;
if (!file) throw new Error("a certificate has a file");
const withFile = (name: string, rules: object) => ({
  ...certificateModel,
  name,
  list: [certificateModel.title],
  fields: { ...certificateModel.fields, file: { ...file, ...rules } },
});
const hiddenFile = withFile("hidden_file", { viewLevel: 999 });
const lockedFile = withFile("locked_file", { writeLevel: 999 });

let site: TestApp;
let owner: { authorization: string };
let staff: { authorization: string };
let visitor: { authorization: string };
let certificate: number;
let skill: number;

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PDF = Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF");
const SVG = Buffer.from(
  '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
);

beforeAll(async () => {
  site = await createTestApp({ extraModels: [hiddenFile, lockedFile] });
  owner = await site.signInAs(999);
  staff = await site.signInAs(10);
  visitor = await site.signInAs(1);
  const { rows } = await site.database.pool.query("SELECT id, model_name FROM content_type");
  certificate = rows.find((row) => row.model_name === "certificate")?.id;
  skill = rows.find((row) => row.model_name === "skill")?.id;
});
afterAll(() => site.close());

function toPart(name: string, content: string, filename?: string): string {
  const file = filename ? `; filename="${filename}"` : "";
  return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
}

async function upload(
  content: Buffer,
  options: {
    model?: number;
    field?: string;
    as?: { authorization: string };
    name?: string;
    lang?: string;
  } = {},
) {
  const { model = certificate, field = "file", as = staff, name = "a.bin", lang = "en" } = options;
  const form = new FormData();
  form.set("model", String(model));
  form.set("field", field);
  form.set("file", new Blob([new Uint8Array(content)]), name);
  const body = new Response(form);
  const payload = Buffer.from(await body.arrayBuffer());
  const headers = {
    authorization: as.authorization,
    "accept-language": lang,
    "content-type": body.headers.get("content-type") ?? "",
  };
  const answer = await site.app.inject({ method: "POST", url: "/api/admin/files/", headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

test("an upload is named by its content and served with its type", async () => {
  const { status, body } = await upload(PNG, { name: "../../etc/Sertifika.png" });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: "Sertifika.png", media_type: "image/png", byte_size: PNG.length });
  expect(body.url).toMatch(/^\/files\/[0-9a-f]{32}\.png$/);
  const file = await site.app.inject({ url: body.url, headers: staff });
  expect(file.headers).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
    // The name that browsers would keep it under: ours, and nothing that was sent with it.
    "content-disposition": `inline; filename="${body.url.slice("/files/".length)}"`,
    "content-length": String(PNG.length),
  });
  expect(file.rawPayload.equals(PNG)).toBe(true);
  expect((await upload(PNG)).body.url).toBe(body.url);
});

test("the type is read from the bytes, whatever the name says", async () => {
  expect((await upload(PDF, { name: "picture.png" })).body).toMatchObject({ media_type: "application/pdf" });
  expect(await upload(Buffer.from("<html>hello</html>"), { name: "a.png" })).toMatchObject({
    status: 415,
    body: { code: "unsupported_file" },
  });
  expect(await upload(Buffer.from("MZ\u0090"), { name: "a.pdf" })).toMatchObject({ status: 415 });
  expect(await upload(Buffer.alloc(0), { name: "a.pdf" })).toMatchObject({ status: 415 });
});

test("a document of many comments that is no picture is refused, and holds nothing up", async () => {
  const texts = ["<!-- --> ".repeat(450), "<!--".repeat(1000), "<!DOCTYPE x>".repeat(300), " ".repeat(4000)];
  for (const content of texts)
    expect((await orHang(upload(Buffer.from(`<?xml version="1.0"?>${content}x`)))).status).toBe(415);
  expect(
    (await upload(Buffer.from(`\ufeff<!DOCTYPE svg [<!ENTITY a "b">]>\n<!-- a --> <!-- b --><svg>`))).status,
  ).toBe(201);
});

test.each([
  ["a name whose cut halves a character", `${"a".repeat(199)}😀.png`, `${"a".repeat(199)}\ufffd`],
  ["no name", "", "file"],
])("a file with %s is stored", async (_, name, stored) => {
  const content = Buffer.concat([PNG, Buffer.from(name)]);
  expect(await upload(content, { name })).toMatchObject({ status: 201, body: { name: stored } });
});

test("the same file many times at once is one file, and nothing half-written stays", async () => {
  const content = Buffer.concat([PNG, Buffer.from("at once")]);
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(content)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.url}`)).size).toBe(1);
});

test("no script runs in a stored picture", async () => {
  const { body } = await upload(SVG);
  const file = await site.app.inject({ url: body.url, headers: staff });
  expect(file.headers["content-type"]).toBe("image/svg+xml");
  expect(file.headers["content-security-policy"]).toMatch(/default-src 'none'.*sandbox/);
});

test("a field takes only what it accepts, also when the file is there already", async () => {
  expect((await upload(PDF, { model: skill, field: "icon" })).status).toBe(415);
  const { body } = await upload(PDF);
  const answer = await site.app.inject({
    method: "POST",
    url: `/api/admin/models/${skill}/objects/`,
    headers: staff,
    payload: { label: { en: "x" }, icon: body.url },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors).toEqual([
    expect.objectContaining({ field: "icon", code: "unsupported_file" }),
  ]);
});

test.each(["hidden_file", "locked_file"])(
  "a field of %s takes nothing from who may not write it",
  async (name) => {
    const { rows } = await site.database.pool.query("SELECT id FROM content_type WHERE model_name = $1", [
      name,
    ]);
    expect(await upload(PNG, { model: rows[0].id })).toMatchObject({
      status: 400,
      body: { code: "unknown_field" },
    });
    expect((await upload(PNG, { model: rows[0].id, as: owner })).status).toBe(201);
  },
);

test("only staff upload, and only for a file field", async () => {
  expect((await upload(PNG, { as: visitor })).status).toBe(403);
  expect((await upload(PNG, { as: { authorization: "" } })).status).toBe(401);
  expect(await upload(PNG, { field: "label" })).toMatchObject({
    status: 400,
    body: { code: "unknown_field" },
  });
  expect(await upload(PNG, { model: 4242 })).toMatchObject({ status: 400 });
});

test.each([
  ["without a boundary", "multipart/form-data", "abc"],
  [
    "that ends early",
    "multipart/form-data; boundary=x",
    `${toPart("model", "MODEL")}${toPart("field", "file")}${toPart("file", "abc", "a.png")}`,
  ],
  ["that ends in a header", "multipart/form-data; boundary=x", "--x\r\nContent-Disp"],
])("a form %s could not be read", async (_, type, body) => {
  const payload = body.replace("MODEL", String(certificate));
  const headers = { ...staff, "content-type": type };
  const answer = await site.app.inject({ method: "POST", url: "/api/admin/files/", headers, payload });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: "malformed_body" });
});

test("a file over the limit is refused and the server goes on", async () => {
  const big = Buffer.concat([PNG, Buffer.alloc(21 * 1024 * 1024)]);
  expect(await upload(big)).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  expect((await upload(PNG)).status).toBe(201);
});

test.each([
  "/files/nothing.png",
  `/files/${"0".repeat(32)}.png`,
  "/files/..%2f..%2fetc%2fpasswd",
  "/files/%00",
  "/files/",
])("%s does not exist", async (url) => {
  expect((await site.app.inject({ url })).statusCode).toBe(404);
});

test("a photo loses its metadata and is stored under the hash of what is left", async () => {
  const photo = makeTurnedPhoto(64, 32);
  const secret = Buffer.from("\xff\xfe\x00\x0aGPS 41N!", "latin1");
  const withComment = Buffer.concat([photo.subarray(0, 2), secret, photo.subarray(2)]);
  const { body } = await upload(withComment, { name: "IMG_1.jpg" });
  const served = await site.app.inject({ url: body.url, headers: staff });
  expect(withComment.includes("GPS")).toBe(true);
  expect(served.rawPayload.includes("GPS")).toBe(false);
  expect((await upload(photo, { name: "again.jpg" })).body.url).toBe(body.url);
  expect(body.byte_size).toBe(served.rawPayload.length);
});

test.each([
  ["en", "This is a HEIC photo, as iPhones take them"],
  ["tr", "iPhone'ların çektiği türden bir HEIC fotoğrafı"],
])("a HEIC photo is refused with a way, in %s", async (lang, words) => {
  const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1", "latin1");
  const answer = await upload(heic, { name: "IMG_1.HEIC", lang });
  expect(answer).toMatchObject({ status: 415, body: { code: "heic_file" } });
  expect(answer.body.message).toContain(words);
});

test("another known format is named, and what to save it as", async () => {
  const gif = Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1");
  expect((await upload(gif, { name: "a.gif", model: skill, field: "icon" })).body).toMatchObject({
    code: "foreign_file",
    message: expect.stringMatching(/^This is a GIF file.*as .*PNG.* or .*, and upload that\.$/),
  });
});

test("a picture that is broken is refused", async () => {
  const broken = PNG.subarray(0, -6);
  expect(await upload(broken, { name: "a.png" })).toMatchObject({
    status: 400,
    body: { code: "picture_unreadable" },
  });
});

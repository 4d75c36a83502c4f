import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { micromark } from "micromark";
import { findFileKeys } from "#server/models/kinds/file.ts";
import { makePhoto } from "#server/pictures/fixture.ts";
import type { DrawnSize } from "#server/pictures/service.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { drawPictures } from "./draw-pictures.ts";

let site: TestApp;
let staff: TestPerson;
let model: number;
beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(10);
  const { rows } = await site.database.pool.query("SELECT id FROM content_type WHERE model_name = 'page'");
  model = rows[0].id;
});
afterAll(() => site.close());

async function upload(content: Buffer, field = "body", as = staff) {
  const form = new FormData();
  form.set("model", String(model));
  form.set("field", field);
  form.set("file", new Blob([new Uint8Array(content)]), "photo.png");
  const body = new Response(form);
  return site.app.inject({
    method: "POST",
    url: "/api/admin/files/",
    headers: { authorization: as.authorization, "content-type": String(body.headers.get("content-type")) },
    payload: Buffer.from(await body.arrayBuffer()),
  });
}

async function write(body: string): Promise<string> {
  await site.app.inject({
    method: "POST",
    url: `/api/admin/models/${model}/objects/`,
    headers: { authorization: staff.authorization },
    payload: {
      slug: `p-${Math.abs(body.length)}`,
      title: { en: "P", tr: null },
      body: { en: body, tr: null },
    },
  });
  return (await site.app.inject(`/api/pages/p-${body.length}/?lang=en`)).json().html;
}

const KEY = `${"a".repeat(32)}.png`;
const render = (text: string, size: DrawnSize | "away" | undefined) =>
  drawPictures(micromark(text), async () => size);

describe("the HTML of a picture", () => {
  test("has copies that fit the column, and later ones are fetched when they come near", async () => {
    const size = { width: 768, height: 384, hasCopies: true };
    const html = await render(`![One](/files/${KEY})\n\n![Two](/files/${KEY})`, size);
    const [first, second] = html.match(/<img [^>]*>/g) ?? [];
    const copies = [384, 768, 1536].map((width) => `/pictures/${KEY}/${width}.webp ${width}w`).join(", ");
    expect(first).toContain(`src="/pictures/${KEY}/768.webp" srcset="${copies}" sizes="`);
    expect(first).toContain('width="768" height="384" alt="One"');
    expect(first).not.toContain("lazy");
    expect(second).toContain('alt="Two" loading="lazy"');
  });

  test("that is smaller than the column keeps its size", async () => {
    const html = await render(`![Small](/files/${KEY})`, { width: 300, height: 120, hasCopies: true });
    expect(html).toContain(`src="/pictures/${KEY}/384.webp" width="300" height="120"`);
    expect(html).not.toContain("srcset");
  });

  test("names the file itself while no copy can be drawn, and is its description where there is no such file", async () => {
    const html = await render(`![A](/files/${KEY})`, { width: 300, height: 120, hasCopies: false });
    expect(html).toContain(`<img src="/files/${KEY}" width="300" height="120" alt="A"`);
    expect(await render(`![A](/files/${KEY})`, undefined)).toBe("<p>A</p>");
    expect(await render(`![A](/files/${KEY})`, "away")).toBe(
      `<p><img src="/files/${KEY}" alt="A" loading="lazy" decoding="async" /></p>`,
    );
  });
});

describe("a picture in a text", () => {
  test("is uploaded for the text itself, by staff, and is a picture", async () => {
    const answer = await upload(makePhoto("png"));
    expect([answer.statusCode, answer.json().media_type]).toEqual([201, "image/png"]);
    expect((await upload(Buffer.from("%PDF-1.4\n%%EOF"))).statusCode).toBe(415);
    expect((await upload(makePhoto("png"), "title")).json().code).toBe("unknown_field");
    expect((await upload(makePhoto("png"), "body", await site.signInAs(1))).statusCode).toBe(403);
  });

  test("has its place in the page, with what describes it, whether its copies are drawn by then or not", async () => {
    const { url } = (await upload(makePhoto("png", 1000, 500))).json();
    const html = await write(`![Two colours & one "word"](${url})`);
    expect(html).toContain('width="768" height="384" alt="Two colours &amp; one &quot;word&quot;"');
  });

  test("is found where a text names its address, each once, and what only looks like one isn't", () => {
    const [one, two] = [`${"a".repeat(32)}.png`, `${"b".repeat(32)}.jpg`];
    const text = `![x](/files/${one}) and ![y](/files/${two} "t"), again /files/${one}; /files/${"c".repeat(31)}.png /files/x.png`;
    expect(findFileKeys(text)).toEqual([one, two]);
  });
});

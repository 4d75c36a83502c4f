import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { certificate } from "#server/models/declared/certificate.ts";
import { createFileSite, type FileSite, makePdf } from "./test-files.ts";

/** The table of certificates once more, for the superuser's eyes. */
const vault = {
  ...certificate,
  name: "vault",
  labels: { en: "Vault item", tr: "Kasa kaydı" },
  access: { view: 999, create: 999, update: 999, delete: 999 },
};

let files: FileSite;

beforeAll(async () => {
  files = await createFileSite({ extraModels: [vault] });
});
afterAll(() => files.site.close());

async function read(key: string, as = files.owner, lang = "en") {
  const { rows } = await files.site.database.pool.query("SELECT id FROM stored_file WHERE key = $1", [key]);
  return (await files.call("GET", `${files.objects("stored_file")}${rows[0].id}/`, { as, lang })).body;
}

async function listBy(state: string): Promise<string[]> {
  const filter = `filters[0][field]=used_in&filters[0][operator]=exact&filters[0][value]=${state}`;
  const { body } = await files.call("GET", `${files.objects("stored_file")}?${filter}`);
  return body.objects.map((file: { name: string }) => file.name);
}

const toKey = (url: string) => url.slice("/files/".length);

test("a file says who uploaded it, and every record and text that uses it", async () => {
  const { body } = await files.upload(makePdf("used"), { name: "used.pdf", as: files.staff });
  const made = await files.create("certificate", { label: { en: "Cloud" }, file: body.url });
  const { rows } = await files.site.database.pool.query<{ id: number }>(
    `INSERT INTO site_page (slug, title, body) VALUES ('about', '{"en":"About"}', jsonb_build_object('en', 'A ![picture](' || $1 || ') here')) RETURNING id`,
    [body.url],
  );
  const file = await read(toKey(body.url));
  expect(file).toMatchObject({
    file: body.url,
    repr: "used.pdf",
    media_type: "application/pdf",
    uploaded_by: { repr: "staff" },
  });
  const listed = file.used_in.map(({ label, repr, id }: Record<string, unknown>) => [label, repr, id]);
  expect(listed).toEqual(
    expect.arrayContaining([
      ["Certificate", "Cloud", made.id],
      ["Page", "About", rows[0]?.id],
    ]),
  );
  const inTurkish = await read(toKey(body.url), files.owner, "tr");
  expect(inTurkish.used_in.map(({ label }: { label: string }) => label)).toContain("Sertifika");
});

test("a record that a person may not see is not named to them", async () => {
  const { body } = await files.upload(makePdf("vault"), { name: "vault.pdf" });
  await files.create("vault", { label: { en: "Secret" }, file: body.url });
  const named = (uses: { label: string }[]) => uses.map(({ label }) => label).sort();
  expect(named((await read(toKey(body.url))).used_in)).toEqual(["Certificate", "Vault item"]);
  expect(named((await read(toKey(body.url), files.staff)).used_in)).toEqual(["Certificate"]);
});

test("what nothing names is new for a day and unused from then on", async () => {
  const { body } = await files.upload(makePdf("left"), { name: "left.pdf" });
  expect([await listBy("new"), await listBy("unused")]).toEqual([["left.pdf"], []]);
  await files.site.database.pool.query(
    "UPDATE stored_file SET created_at = now() - interval '25 hours' WHERE key = $1",
    [toKey(body.url)],
  );
  expect([await listBy("new"), await listBy("unused")]).toEqual([[], ["left.pdf"]]);
  expect((await listBy("used")).sort()).toEqual(["used.pdf", "vault.pdf"]);
});

test("the export names the records in words", async () => {
  const answer = await files.site.app.inject({
    url: `${files.objects("stored_file")}export/?format=csv`,
    headers: { authorization: files.owner.authorization },
  });
  expect(answer.body).toMatch(/used\.pdf.*Certificate: Cloud; Page: About/);
});

import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { seedPages } from "#server/sample/seed-pages.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

let site: TestApp;
let owner: TestPerson;
let types: ReadonlyMap<string, number>;
beforeAll(async () => {
  site = await createTestApp();
  owner = await site.signInAs(999);
  const { rows } = await site.database.pool.query("SELECT id, model_name FROM content_type");
  types = new Map(rows.map(({ id, model_name }) => [model_name, id]));
});
afterAll(() => site.close());

beforeEach(async () => {
  await site.database.pool.query(
    "DELETE FROM site_settings; DELETE FROM site_page; DELETE FROM cv_project; DELETE FROM sample_row",
  );
  await seedPages(site.database.pool);
  for (const model of ["site.settings", "site.page", "cv.project"]) site.feed.announce(model);
});

async function send(
  method: "POST" | "PATCH" | "DELETE" | "GET",
  model: string,
  id: number | "",
  payload?: object,
) {
  const rest = id === "" ? "" : `${id}/`;
  const answer = await site.app.inject({
    method,
    url: `/api/admin/models/${types.get(model)}/objects/${rest}`,
    headers: { authorization: owner.authorization },
    ...(payload && { payload }),
  });
  expect(answer.statusCode).toBeLessThan(300);
  return answer.body ? answer.json() : undefined;
}

const makeProject = (more: object = {}) =>
  send("POST", "project", "", { name: { en: "Foyer", tr: null }, ...more });
const PAGE = { title: { en: "Hello", tr: "Merhaba" }, body: { en: "Hi.", tr: "Selam." } };

async function set(values: object): Promise<void> {
  const { rows } = await site.database.pool.query("SELECT id FROM site_settings");
  await send("PATCH", "settings", rows[0].id, values);
}

async function readState(): Promise<string> {
  const { rows } = await site.database.pool.query("SELECT id FROM site_settings");
  return (await send("GET", "settings", rows[0].id)).front_state;
}

async function follow(url: string, headers: Record<string, string> = {}) {
  const answer = await site.app.inject({ url, headers });
  expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([302, "no-cache"]);
  return answer.headers.location;
}
const followAll = async () => [await follow("/"), await follow("/en"), await follow("/tr")];

test("by itself the front page is the CV, and the hub as long as visitors meet a project there", async () => {
  expect(await followAll()).toEqual(["/cv", "/en/cv", "/tr/cv"]);
  const project = await makeProject();
  expect(await followAll()).toEqual(["/dev", "/en/dev", "/tr/dev"]);
  await send("PATCH", "project", project.id, { is_hidden: true });
  expect(await followAll()).toEqual(["/cv", "/en/cv", "/tr/cv"]);
});

test("is what the owner chose, in each language, from the next request on; the negotiated address goes by the visitor", async () => {
  await makeProject();
  await set({ front_en: "cv" });
  expect(await followAll()).toEqual(["/cv", "/en/cv", "/tr/dev"]);
  const turkish = await site.app.inject({ url: "/", headers: { "accept-language": "tr" } });
  expect(turkish.headers).toMatchObject({ location: "/dev", vary: "Accept-Language, Cookie" });
  await set({ front_en: "dev", front_tr: "cv" });
  expect(await followAll()).toEqual(["/dev", "/en/dev", "/tr/cv"]);
});

test("may be a page; while that is hidden, and once it is gone, the choice beside it counts, and the settings say so", async () => {
  const page = await send("POST", "page", "", { slug: "hello", ...PAGE });
  await set({ front_en: "dev", front_page_en: page.id });
  expect(await followAll()).toEqual(["/hello", "/en/hello", "/tr/cv"]);
  expect(await readState()).toBe("chosen");

  await send("PATCH", "page", page.id, { slug: "hi" });
  expect(await follow("/en")).toBe("/en/hi");

  await send("PATCH", "page", page.id, { is_hidden: true });
  expect(await follow("/en")).toBe("/en/dev");
  expect(await readState()).toBe("en");
  await set({ front_page_tr: page.id });
  expect(await readState()).toBe("both");

  await send("DELETE", "page", page.id);
  expect(await followAll()).toEqual(["/dev", "/en/dev", "/tr/cv"]);
  expect(await readState()).toBe("chosen");
});

test("the deletion of a page says that the settings depend on it", async () => {
  const page = await send("POST", "page", "", { slug: "hello", ...PAGE });
  await set({ front_page_en: page.id });
  const { dependents, is_deletable } = (
    await site.app.inject({
      url: `/api/admin/models/${types.get("page")}/objects/${page.id}/dependents/`,
      headers: { authorization: owner.authorization },
    })
  ).json();
  expect(is_deletable).toBe(true);
  expect(dependents).toEqual([
    expect.objectContaining({ verbose_name: "Site settings", count: 1, effect: "detach" }),
  ]);
});

test("the hub shows the owner's projects in their order, and none that is hidden or has no name", async () => {
  await makeProject({
    name: { en: "Second", tr: "İkinci" },
    position: 2,
    keywords: { en: ["Go"], tr: null },
    description: { en: "Text", tr: "Metin" },
    url: "https://a.test/",
    start_date: "2024",
  });
  await makeProject({ name: { en: "First", tr: null }, position: 1 });
  await makeProject({ name: { en: "Hidden", tr: null }, is_hidden: true });
  const { has_sample, projects } = (await site.app.inject("/api/projects/?lang=tr")).json();
  expect(has_sample).toBe(false);
  expect(projects.map(({ name }: { name: string }) => name)).toEqual(["First", "İkinci"]);
  expect(projects[1]).toMatchObject({
    text: "Metin",
    url: "https://a.test/",
    date: "2024 – halen",
    tags: ["Go"],
    pictures: [],
  });
  const page = await site.app.inject("/tr/dev");
  expect(page.body).toContain("İkinci");
  expect(page.body).not.toContain("Hidden");
});

test("a project's picture is on its card in the hub, and not on the CV", async () => {
  const key = `${"a".repeat(32)}.png`;
  await site.database.pool.query(
    "INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, 'a.png', 'image/png', 1)",
    [key],
  );
  await site.database.pool.query('INSERT INTO cv_project (name, picture) VALUES (\'{"en": "Foyer"}\', $1)', [
    key,
  ]);
  site.feed.announce("cv.project");
  const { projects } = (await site.app.inject("/api/projects/")).json();
  expect(projects[0].pictures.at(-1)).toEqual({ src: `/pictures/${key}/768.webp`, width: 768 });
  expect((await site.app.inject("/en/dev")).body).toContain(key);
  expect((await site.app.inject("/en/cv")).body).not.toContain(key);
});

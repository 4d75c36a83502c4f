import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A whole PDF of one empty page; `text` makes it another file. */
export const makePdf = (text = "") =>
  Buffer.from(`%PDF-1.4\n%${text}\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF`);

/** A site with people of the console, and what tests of files do on it. */
export interface FileSite {
  site: TestApp;
  owner: TestPerson;
  staff: TestPerson;
  /** Content type of a model by its name. */
  typeOf(name: string): number;
  call(
    method: Method,
    url: string,
    options?: { body?: object; as?: { authorization: string }; lang?: string },
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** Uploads for a field and gives the answer; the type is read from the bytes. */
  upload(
    content: Buffer,
    options?: {
      model?: string;
      field?: string;
      name?: string;
      as?: { authorization: string };
      lang?: string;
    },
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** Makes a record of a model by its name, and gives it. */
  create(model: string, body: object): Promise<{ id: number; repr: string }>;
  objects(model: string): string;
}

export async function createFileSite(options: Parameters<typeof createTestApp>[0] = {}): Promise<FileSite> {
  const site = await createTestApp(options);
  const owner = await site.signInAs(999, "owner");
  const staff = await site.signInAs(10, "staff");
  const { rows } = await site.database.pool.query<{ id: number; model_name: string }>(
    "SELECT id, model_name FROM content_type",
  );
  const typeOf = (name: string) => rows.find((row) => row.model_name === name)?.id ?? 0;
  const objects = (model: string) => `/api/admin/models/${typeOf(model)}/objects/`;

  const call: FileSite["call"] = async (method, url, { body, as = owner, lang = "en" } = {}) => {
    const headers = { authorization: as.authorization, "accept-language": lang };
    const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  return {
    site,
    owner,
    staff,
    typeOf,
    objects,
    call,
    async upload(
      content,
      { model = "certificate", field = "file", name = "a.png", as = owner, lang = "en" } = {},
    ) {
      const form = new FormData();
      form.set("model", String(typeOf(model)));
      form.set("field", field);
      form.set("file", new Blob([new Uint8Array(content)]), name);
      const sent = new Response(form);
      const answer = await site.app.inject({
        method: "POST",
        url: "/api/admin/files/",
        headers: {
          authorization: as.authorization,
          "accept-language": lang,
          "content-type": sent.headers.get("content-type") ?? "",
        },
        payload: Buffer.from(await sent.arrayBuffer()),
      });
      return { status: answer.statusCode, body: answer.json() };
    },
    async create(model, body) {
      const { status, body: record } = await call("POST", objects(model), { body });
      if (status !== 201) throw new Error(JSON.stringify(record));
      return record;
    },
  };
}

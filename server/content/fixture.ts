import type { ModelDeclaration } from "#server/models/declare.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

export interface Person {
  authorization: string;
  userId: number;
}

/** What a call answered; `body` is undefined where it was empty. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of an answer.
  body: any;
  headers: Record<string, unknown>;
}

/** A site with models of its own, and a superuser who calls it. */
export interface ContentSite {
  site: TestApp;
  owner: Person;
  call(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    options?: { as?: Person; body?: object; lang?: string },
  ): Promise<Answer>;
  /** A page of a model, by its name and the query's. */
  list(model: string, query?: Record<string, string>, lang?: string): Promise<Answer>;
  /** Address of a model's objects. */
  objects(model: string, rest?: string): string;
  /** Publishes a change that a test made behind the server's back, and waits until that has been received. */
  announce(modelKey: string): Promise<void>;
}

/** Query text of the documented names, encoded. */
export function toQuery(query: Record<string, string>): string {
  return `?${new URLSearchParams(query)}`;
}

export async function openContentSite(
  extraModels: readonly ModelDeclaration[],
  setUpSql: string,
): Promise<ContentSite> {
  const site = await createTestApp({ extraModels, setUpSql });
  const owner = await site.signInAs(999);
  const { rows } = await site.database.pool.query<{ id: number; model_name: string }>(
    "SELECT id, model_name FROM content_type",
  );
  const ids = new Map(rows.map((row) => [row.model_name, row.id]));
  const objects = (model: string, rest = "") => `/api/admin/models/${ids.get(model)}/objects/${rest}`;
  const call: ContentSite["call"] = async (method, url, { as = owner, body, lang = "en" } = {}) => {
    const headers = { authorization: as.authorization, "accept-language": lang };
    const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
    return {
      status: answer.statusCode,
      body: answer.body ? JSON.parse(answer.body) : undefined,
      headers: answer.headers,
    };
  };
  return {
    site,
    owner,
    objects,
    call,
    list: (model, query = {}, lang = "en") => call("GET", objects(model, toQuery(query)), { lang }),
    async announce(modelKey) {
      const received = new Promise<void>((resolve) => {
        site.feed.subscribe((key) => key === modelKey && resolve());
      });
      await site.database.pool.query("SELECT pg_notify('foyer_changed', $1)", [modelKey]);
      await received;
    },
  };
}

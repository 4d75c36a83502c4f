import type { LightMyRequestResponse } from "fastify";
import { openProfiles, type Person } from "../profile/fixture.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The whole server, with somebody of each level and the number of each model. */
export async function openAdmin() {
  const profiles = await openProfiles();
  const { pool, site } = profiles;
  const { rows } = await pool.query<{ id: number; model_name: string }>("SELECT * FROM content_type");
  const types = new Map(rows.map(({ id, model_name }) => [model_name, id]));

  const call = (
    as: Pick<Person, "headers"> | undefined,
    method: Method,
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> =>
    site.app.inject({ method, url, headers: { ...as?.headers, ...headers }, ...(payload && { payload }) });

  return {
    ...profiles,
    call,
    /** Numbers of models, by their names. */
    types,
    /** The generic endpoint for rows of a model of accounts. */
    objects: (model: string, rest = "") => `/api/admin/models/${types.get(model)}/objects/${rest}`,
    async findLevelId(level: number): Promise<number> {
      const found = await pool.query<{ id: number }>("SELECT id FROM access_level WHERE level = $1", [level]);
      return found.rows[0]?.id ?? 0;
    },
    /** The account's row, every column of it. */
    async readUser(id: number): Promise<Record<string, unknown> | undefined> {
      const found = await pool.query("SELECT * FROM account_user WHERE id = $1", [id]);
      return found.rows[0];
    },
    /** Mails that wait, as kind and recipient; they are taken away. */
    async takeMails(): Promise<string[]> {
      const taken = await pool.query<{ mail: string }>(
        "WITH taken AS (DELETE FROM mail_message RETURNING *) SELECT kind || ' ' || recipient AS mail FROM taken ORDER BY id",
      );
      return taken.rows.map(({ mail }) => mail);
    },
  };
}

export type AdminFixture = Awaited<ReturnType<typeof openAdmin>>;

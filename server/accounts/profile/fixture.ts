import type { LightMyRequestResponse } from "fastify";
import { loginAnswer } from "#contract/accounts/accounts.ts";
import { createTestApp } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import { QUICK_PASSWORDS } from "#test/quick-passwords.ts";
import { insertAccount } from "../store.ts";

export const PASSWORD = "Correct-Horse-1";

/** A signed-in account of a test. */
export interface Person {
  id: number;
  username: string;
  headers: { authorization: string };
}

export interface AuditRow {
  action_type: string;
  detail: string | null;
  user_id: number | null;
  username: string | null;
  object_id: string | null;
  object_repr: string | null;
  change_message: string;
  changes: Record<string, { before: unknown; after: unknown }> | null;
  ip_address: string | null;
}

type Part = string | Blob;

/** The whole server with a clock that tests move, and people in it. */
export async function openProfiles() {
  const clock = { now: Date.parse("2026-05-01T10:00:00Z") };
  const site = await createTestApp({ now: () => new Date(clock.now) });
  const { pool } = site.database;
  const passwordHash = await QUICK_PASSWORDS.hash(PASSWORD);
  let address = 0;

  async function logIn(username: string, password = PASSWORD, from = `198.51.100.${++address}`) {
    return site.app.inject({
      method: "POST",
      url: "/api/users/login/",
      remoteAddress: from,
      payload: { username, password },
    });
  }

  async function call(
    method: "GET" | "PUT" | "POST" | "DELETE",
    url: string,
    person?: Pick<Person, "headers">,
    payload?: object | Buffer,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    return site.app.inject({
      method,
      url,
      headers: { ...person?.headers, ...headers },
      ...(payload && { payload }),
    });
  }

  return {
    site,
    pool,
    clock,
    logIn,
    call,
    /** An account with a proven address, signed in. `columns` are set by SQL. */
    async addPerson(
      username: string,
      { level = 1, columns = "" }: { level?: number; columns?: string } = {},
    ): Promise<Person> {
      await pool.query(
        `INSERT INTO access_level (level, name) VALUES ($1, '{"en":"Level","tr":"Düzey"}') ON CONFLICT DO NOTHING`,
        [level],
      );
      const email = `${username.toLowerCase()}@example.org`;
      const { id } = await insertAccount(pool, { username, email, passwordHash, level });
      if (columns) await pool.query(`UPDATE account_user SET ${columns} WHERE id = $1`, [id]);
      const { tokens } = loginAnswer.parse((await logIn(username)).json());
      return { id, username, headers: { authorization: `Bearer ${tokens.access_token}` } };
    },
    /** Sends a form as a browser does; several parts of one name are a list. */
    async putForm(person: Pick<Person, "headers">, parts: Record<string, Part | Part[]>) {
      const form = new FormData();
      for (const [name, given] of Object.entries(parts)) {
        for (const part of Array.isArray(given) ? given : [given]) {
          if (typeof part === "string") form.append(name, part);
          else form.append(name, part, "picture.bin");
        }
      }
      const body = new Response(form);
      const type = body.headers.get("content-type") ?? "";
      const payload = Buffer.from(await body.arrayBuffer());
      return call("PUT", "/api/users/profile/", person, payload, { "content-type": type });
    },
    putJson: (person: Pick<Person, "headers">, payload: object) =>
      call("PUT", "/api/users/profile/", person, payload),
    /** Entries since the last call. */
    async takeAudit(): Promise<AuditRow[]> {
      return asLogOwner<AuditRow>(
        pool,
        "WITH taken AS (DELETE FROM audit_entry RETURNING *) SELECT * FROM taken ORDER BY id",
      );
    },
    close: () => site.close(),
  };
}

export type ProfilesFixture = Awaited<ReturnType<typeof openProfiles>>;

/** Field and code of each fault of an answer. */
export function readFaults(answer: LightMyRequestResponse): string[] {
  const { errors } = answer.json() as { errors: { field: string; code: string }[] };
  return errors.map(({ field, code }) => `${field} ${code}`).sort();
}

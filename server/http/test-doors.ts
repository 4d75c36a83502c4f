import { TOTP } from "otpauth";
import { insertAccount } from "#server/accounts/store.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

export const LEVELS = [0, 1, 5, 10, 999] as const;
/** Of a second factor: not asked for, owed with days left, owed too long, and there. */
export const FACTORS = ["none", "due", "overdue", "present"] as const;
export const STEP_UPS = ["recent", "old"] as const;

/** Somebody at a door: null stands for a stranger. */
export interface Cell {
  person: TestPerson | null;
  level: number;
  factor: (typeof FACTORS)[number];
  stepUp: (typeof STEP_UPS)[number];
}

/** A call: its operation by OpenAPI's name, and what it is sent with. */
export interface Call {
  operation: string;
  /** What stands for the names in braces; an object that isn't there where none is said. */
  at?: Record<string, string | number>;
  payload?: object;
}

/** The whole site, with a person for each level, state of the second factor and age of the confirmation. */
export async function openDoors() {
  const site = await createTestApp({ secondFactorLevel: 10 });
  const { pool } = site.database;
  let count = 0;
  const next = () => ++count;
  const owner = await site.signInAs(999, "the_owner");

  const send = (call: Call, authorization: string | undefined) => {
    const [method = "", path = ""] = call.operation.split(" ");
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      String(call.at?.[name] ?? ABSENT[name] ?? GONE),
    );
    return site.app.inject({
      method: method as "GET",
      url,
      headers: { ...(authorization && { authorization }) },
      ...(method !== "GET" && method !== "DELETE" && { payload: call.payload ?? {} }),
    });
  };

  /** The app's code counts as a second factor from here on. */
  const addApp = async ({ authorization }: TestPerson) => {
    const base = "POST /api/users/second-factor/app/";
    const { secret } = (await send({ operation: base }, authorization)).json();
    const payload = { code: new TOTP({ secret }).generate() };
    const { statusCode } = await send({ operation: `${base}confirm/`, payload }, authorization);
    if (statusCode !== 200) throw new Error(`the app was not taken: ${statusCode}`);
  };
  const setDue = (person: TestPerson, days: number | null) =>
    pool.query("UPDATE account_user SET second_factor_due_at = now() + $2 * interval '1 day' WHERE id = $1", [
      person.userId,
      days,
    ]);

  const cells: Cell[] = [];
  for (const level of LEVELS)
    for (const factor of FACTORS)
      for (const stepUp of STEP_UPS) {
        const person = await site.signInAs(level, `at_${level}_${factor}_${stepUp}`);
        if (factor === "present") await addApp(person);
        else await setDue(person, { none: null, due: 7, overdue: -1 }[factor]);
        cells.push({ person, level, factor, stepUp });
      }
  await pool.query(
    `UPDATE account_session SET confirmed_at = now() - interval '10 minutes 1 second',
       factor_shown_at = factor_shown_at - interval '10 minutes 1 second'
     WHERE user_id IN (SELECT id FROM account_user WHERE username LIKE 'at\\_%\\_old')`,
  );
  site.feed.announce("accounts.user");

  return {
    site,
    owner,
    cells,
    send,
    next,
    ...createTargets(site, next, (call) => send(call, owner.authorization)),
  };
}

/** In place of numbers and names that nothing has. */
const GONE = 200_000_000;
const ABSENT: Record<string, string> = { slug: "no-such-room", username: "nobody_has_this" };

type Send = (call: Call) => Promise<{ statusCode: number; json(): { undo: { body: { batch_id: string } } } }>;

/** What calls are about, made anew for each: a call that works changes it. */
function createTargets({ database: { pool } }: TestApp, next: () => number, sendAsOwner: Send) {
  const insert = async (sql: string, ...values: unknown[]): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>(`${sql} RETURNING id`, values);
    return Number(rows[0]?.id);
  };
  const addMail = async () => {
    const key = `mail_${next()}@foyer.example`;
    const id = await insert(
      `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars)
       VALUES ($1, $1, $1, 'test', $1, $1, 'en', '{}')`,
      key,
    );
    return { id, key };
  };
  const addBounce = async () => {
    const { id, key } = await addMail();
    return insert(
      `INSERT INTO mail_bounce (message_id, email_address, mail_kind, source, verdict, bounce_type, bounce_subtype, bounced_at)
       VALUES ($1, $2, 'test', 'ses', 'all', 'Permanent', 'General', now())`,
      id,
      key,
    );
  };
  const addSuppression = () =>
    insert(
      "INSERT INTO mail_suppression (address, scope, reason) VALUES ($1, 'all', 'Asked')",
      `stop_${next()}@foyer.example`,
    );
  const undoable = async (call: Call) => {
    const answer = await sendAsOwner(call);
    if (answer.statusCode !== 200) throw new Error(`${call.operation}: ${answer.statusCode}`);
    return answer.json().undo.body;
  };
  let level = 20;
  const nextLevel = () => ++level;
  return {
    nextLevel,
    addBounce,
    addSuppression,
    undoable,
    async addComplaint() {
      const { id, key } = await addMail();
      return insert(
        `INSERT INTO mail_complaint (message_id, email_address, mail_kind, source, verdict, feedback_type, complained_at)
         VALUES ($1, $2, 'test', 'ses', 'all', 'abuse', now())`,
        id,
        key,
      );
    },
    async addUser(): Promise<number> {
      const username = `target_${next()}`;
      await insertAccount(pool, {
        username,
        email: `${username}@foyer.example`,
        passwordHash: "none",
        level: 0,
      });
      const { rows } = await pool.query<{ id: number }>("SELECT id FROM account_user WHERE username = $1", [
        username,
      ]);
      return Number(rows[0]?.id);
    },
    addLevel: () =>
      insert(
        `INSERT INTO access_level (level, name) VALUES ($1, '{"en":"Level","tr":"Düzey"}')`,
        nextLevel(),
      ),
    async getLevel(level: number): Promise<number> {
      const { rows } = await pool.query<{ id: number }>("SELECT id FROM access_level WHERE level = $1", [
        level,
      ]);
      return Number(rows[0]?.id);
    },
    async getModel(key: string): Promise<number> {
      const { rows } = await pool.query<{ id: number }>(
        "SELECT id FROM content_type WHERE app_label || '.' || model_name = $1",
        [key],
      );
      return Number(rows[0]?.id);
    },
    /** A bulk job of somebody that was stopped. */
    async addJob(userId: number, model: number, data: object): Promise<string> {
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO content_job (id, content_type_id, operation, status, user_id, language, scope, data, snapshot, total_count)
         VALUES (gen_random_uuid(), $1, 'update', 'cancelled', $2, 'en', $3, $4, now(), 1) RETURNING id`,
        [model, userId, { query: {}, exclude_ids: [], max_id: 0 }, data],
      );
      return String(rows[0]?.id);
    },
  };
}

export type Doors = Awaited<ReturnType<typeof openDoors>>;

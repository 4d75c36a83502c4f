import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { LightMyRequestResponse } from "fastify";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { createAuthenticator } from "#server/accounts/factors/test-authenticator.ts";
import { type Call, type Cell, type Doors, type LEVELS, openDoors } from "./test-doors.ts";

/**
 * Every call that needs a signed-in person, by the lowest level that it lets in. Where a call is about any model it is asked of one
 * that names nobody (`cv.skill`); the calls that ask for a recent log-in stand below, with what they are sent.
 */
const PLAIN: Record<(typeof LEVELS)[number], string> = {
  0: `
    GET /api/users/me/
    DELETE /api/users/me/
    POST /api/users/confirm/options/
    POST /api/users/confirm/
    POST /api/users/password/
    POST /voice/auth/change-password
    GET /api/users/sessions/
    DELETE /api/users/sessions/{id}/
    GET /api/users/second-factor/
    PATCH /api/users/second-factor/passkeys/{id}/
    GET /api/users/profile/
    GET /api/users/activity/
    GET /api/users/mail-address/
    POST /api/users/mail-address/try/
  `,
  1: `
    GET /voice/rooms
    POST /voice/rooms
    GET /voice/rooms/{slug}
    PUT /voice/rooms/{slug}
    DELETE /voice/rooms/{slug}
    POST /voice/rooms/{slug}/join
    POST /voice/rooms/{slug}/leave
    GET /voice/rooms/{slug}/token
    PUT /voice/rooms/{slug}/participants/{userId}
    DELETE /voice/rooms/{slug}/participants/{userId}
    GET /voice/rooms/{slug}/bans
    POST /voice/rooms/{slug}/bans
    DELETE /voice/rooms/{slug}/bans/{userId}
    POST /voice/rooms/{slug}/reports
    GET /voice/blocks
    PUT /voice/blocks/{userId}
    DELETE /voice/blocks/{userId}
    PUT /api/users/profile/
    GET /voice/users/voice-preferences
    PUT /voice/users/voice-preferences
    GET /voice/users/notification-preferences
    PUT /voice/users/notification-preferences
    GET /voice/users/privacy-settings
    PUT /voice/users/privacy-settings
    PUT /voice/users/status
    GET /voice/users/online
    GET /voice/users/search
    GET /voice/users/by-username/{username}
    GET /voice/users/phoenix/{id}
  `,
  5: "",
  10: `
    POST /api/admin/files/
    GET /api/admin/permissions/
    GET /api/admin/models/
    GET /api/admin/models/{content_type_id}/
    GET /api/admin/models/{content_type_id}/objects/
    POST /api/admin/models/{content_type_id}/objects/
    GET /api/admin/models/{content_type_id}/objects/{id}/
    PUT /api/admin/models/{content_type_id}/objects/{id}/
    PATCH /api/admin/models/{content_type_id}/objects/{id}/
    POST /api/admin/models/{content_type_id}/objects/{id}/move/
    GET /api/admin/models/{content_type_id}/objects/{id}/history/
    GET /api/admin/models/{content_type_id}/objects/{id}/dependents/
    GET /api/admin/search/
    POST /api/admin/models/{content_type_id}/objects/bulk/preview/
    POST /api/admin/models/{content_type_id}/objects/bulk/
    GET /api/admin/jobs/
    GET /api/admin/jobs/{id}/
    POST /api/admin/jobs/{id}/cancel/
    POST /api/admin/jobs/{id}/resume/
    GET /api/admin/jobs/{id}/failures/
    GET /api/admin/models/{content_type_id}/objects/export/
    POST /api/admin/models/{content_type_id}/objects/export/
    GET /api/admin/exports/{id}/
    GET /api/admin/actions/
    POST /api/admin/cv-imports/
    POST /api/admin/cv-imports/{id}/answers/
    POST /api/admin/cv-imports/{id}/apply/
    POST /api/admin/cv-imports/{id}/undo/
    POST /api/admin/pages/starts/
    POST /api/admin/pages/preview/
    POST /api/mail/messages/resend/
    POST /api/mail/messages/{id}/resend/
    GET /api/mail/bounces/
    GET /api/mail/complaints/
    GET /api/mail/bounces/{id}/
    PATCH /api/mail/bounces/{id}/
    POST /api/mail/bounces/{id}/mark_processed/
    GET /api/mail/complaints/{id}/
    PATCH /api/mail/complaints/{id}/
    POST /api/mail/complaints/{id}/mark_processed/
    POST /api/mail/bounces/batch_process/
    POST /api/mail/complaints/batch_process/
    POST /api/mail/bounces/batch_process/preview/
    POST /api/mail/complaints/batch_process/preview/
    POST /api/mail/bounces/batch_unsubscribe/preview/
    POST /api/mail/complaints/batch_unsubscribe/preview/
    GET /api/mail/stats/
    GET /api/mail/stats/series/
    GET /api/mail/dashboard/
    GET /api/mail/sources/
    POST /api/mail/sources/test/
    GET /api/mail/timeline/
    GET /api/mail/hold/
    POST /api/mail/hold/release/
    POST /api/mail/hold/discard/
    GET /api/admin/users/
    GET /api/users/
    GET /api/users/{id}/
    GET /api/users/access-levels/
    GET /api/users/access-levels/{id}/
    POST /voice/users/{id}/sync
    GET /api/health/
    POST /api/health/sending-domain/
    POST /api/health/version/
    GET /api/admin/dashboard/
  `,
  999: `
    DELETE /api/admin/models/{content_type_id}/objects/{id}/
    POST /api/admin/files/{id}/replace/
    GET /api/admin/cv-imports/
    GET /api/admin/alerts/
    POST /api/admin/alerts/seen/
    GET /api/admin/cv-imports/{id}/
    POST /api/mail/sources/confirmed/
    GET /api/mail/reports/{id}/
    POST /api/mail/reports/{id}/replay/
    POST /api/mail/reports/replay/
    GET /api/admin/sample/
    POST /api/admin/sample/remove/
  `,
};

type Make = (doors: Doors, cell: Cell) => Promise<Omit<Call, "operation">>;
/** A call that asks: of which level on, and what it is sent with; the same operation may stand there for several models. */
interface Asking {
  level: number;
  operation: string;
  make?: Make | undefined;
}
type Door = Asking & { asks: boolean };

const SECOND_FACTOR = "/api/users/second-factor/";
const OBJECTS = "/api/admin/models/{content_type_id}/objects/";
/** As browsers send one, for a ticket that nobody has: whoever kept it would have a factor in the rows behind. */
const NEW_PASSKEY = {
  ticket: "none",
  passkey: createAuthenticator("https://site.test").create({ challenge: "none" }),
};
const REASON = { scope: "all", reason: "Asked for it" };

const account = (name: string) => ({
  username: name,
  email: `${name}@foyer.example`,
  is_email_verified: true,
});
const at =
  (key: string, add?: (doors: Doors) => Promise<number>, payload?: (doors: Doors) => Promise<object>): Make =>
  async (doors) => ({
    at: { content_type_id: await doors.getModel(key), ...(add && { id: await add(doors) }) },
    ...(payload && { payload: await payload(doors) }),
  });
const ofUser = at.bind(null, "accounts.user", ({ addUser }: Doors) => addUser());
const ofLevel = at.bind(null, "accounts.access_level", ({ addLevel }: Doors) => addLevel());
const give = async (doors: Doors) => ({ access_level_id: await doors.getLevel(1) });
const toLevel = async ({ nextLevel }: Doors) => ({ level: nextLevel(), name: { en: "New", tr: "Yeni" } });

/** Models whose rows are about people. */
const PERSONAL = [
  "accounts.user",
  "accounts.invitation",
  "audit.entry",
  "contact.message",
  "mail.message",
  "mail.event",
  "mail.bounce",
  "mail.complaint",
  "mail.suppression",
  "voice.report",
  "voice.restriction",
];

const ASKING: Asking[] = [
  { level: 0, operation: "GET /api/users/export/" },
  { level: 0, operation: `POST ${SECOND_FACTOR}app/` },
  {
    level: 0,
    operation: `POST ${SECOND_FACTOR}app/confirm/`,
    make: async () => ({ payload: { code: "000000" } }),
  },
  { level: 0, operation: `POST ${SECOND_FACTOR}passkeys/options/` },
  {
    level: 0,
    operation: `POST ${SECOND_FACTOR}passkeys/`,
    make: async () => ({ payload: NEW_PASSKEY }),
  },
  { level: 0, operation: `DELETE ${SECOND_FACTOR}passkeys/{id}/` },
  { level: 0, operation: `POST ${SECOND_FACTOR}recovery-codes/` },
  { level: 0, operation: `DELETE ${SECOND_FACTOR}app/` },

  {
    level: 10,
    operation: "POST /api/users/",
    make: async ({ next }) => ({ payload: account(`made_${next()}`) }),
  },
  { level: 10, operation: "PUT /api/users/{id}/", make: ofUser(async () => ({ access_level: 1 })) },
  {
    level: 10,
    operation: "PATCH /api/users/{id}/",
    make: ofUser(async () => ({ is_email_verified: false })),
  },
  { level: 10, operation: "DELETE /api/users/{id}/sessions/", make: ofUser() },
  { level: 999, operation: "DELETE /api/users/{id}/", make: ofUser() },
  {
    level: 999,
    operation: "POST /api/users/access-levels/",
    make: async (doors) => ({ payload: await toLevel(doors) }),
  },
  { level: 999, operation: "PUT /api/users/access-levels/{id}/", make: ofLevel(toLevel) },
  {
    level: 999,
    operation: "PATCH /api/users/access-levels/{id}/",
    make: ofLevel(async () => ({ is_active: false })),
  },
  { level: 999, operation: "DELETE /api/users/access-levels/{id}/", make: ofLevel() },

  {
    level: 10,
    operation: `POST ${OBJECTS}`,
    make: at("accounts.user", undefined, async (doors) => ({
      ...account(`made_${doors.next()}`),
      ...(await give(doors)),
    })),
  },
  {
    level: 10,
    operation: `PUT ${OBJECTS}{id}/`,
    make: ofUser(async (doors) => ({ ...account(`renamed_${doors.next()}`), ...(await give(doors)) })),
  },
  { level: 10, operation: `PATCH ${OBJECTS}{id}/`, make: ofUser(give) },
  {
    level: 10,
    operation: `PATCH ${OBJECTS}{id}/`,
    make: ofUser(async ({ next }) => ({ email: `new_${next()}@foyer.example` })),
  },
  { level: 10, operation: `PATCH ${OBJECTS}{id}/`, make: ofUser(async () => ({ is_active: false })) },
  { level: 999, operation: `DELETE ${OBJECTS}{id}/`, make: ofUser() },
  {
    level: 10,
    operation: `POST ${OBJECTS}bulk/`,
    make: at("accounts.user", undefined, async (doors) => ({
      operation: "update",
      object_ids: [await doors.addUser()],
      data: await give(doors),
    })),
  },
  {
    level: 999,
    operation: `POST ${OBJECTS}bulk/`,
    make: at("accounts.user", undefined, async (doors) => ({
      operation: "delete",
      object_ids: [await doors.addUser()],
    })),
  },
  {
    level: 10,
    operation: "POST /api/admin/jobs/{id}/resume/",
    make: async (doors, { person }) => {
      const model = await doors.getModel("accounts.user");
      return { at: { id: await doors.addJob(person?.userId ?? 0, model, await give(doors)) } };
    },
  },
  { level: 999, operation: `POST ${OBJECTS}`, make: at("accounts.access_level", undefined, toLevel) },
  {
    level: 999,
    operation: `PATCH ${OBJECTS}{id}/`,
    make: ofLevel(async () => ({ name: { en: "Other", tr: "Başka" } })),
  },
  { level: 999, operation: `DELETE ${OBJECTS}{id}/`, make: ofLevel() },
  { level: 10, operation: `POST ${OBJECTS}`, make: at("accounts.invitation", undefined, give) },
  ...PERSONAL.flatMap((key): Asking[] => [
    { level: 10, operation: `GET ${OBJECTS}export/`, make: at(key) },
    {
      level: 10,
      operation: `POST ${OBJECTS}export/`,
      make: at(key, undefined, async () => ({ format: "ndjson" })),
    },
  ]),

  {
    level: 10,
    operation: "POST /api/mail/suppressions/",
    make: async ({ next }) => ({ payload: { ...REASON, addresses: [`a${next()}@foyer.example`] } }),
  },
  {
    level: 10,
    operation: "POST /api/mail/suppressions/import/",
    make: async ({ next }) => ({ payload: { ...REASON, text: `a${next()}@foyer.example` } }),
  },
  {
    level: 10,
    operation: "POST /api/mail/suppressions/lift/",
    make: async ({ addSuppression }) => ({
      payload: { ids: [await addSuppression()], reason: "Asked for it" },
    }),
  },
  {
    level: 10,
    operation: "POST /api/mail/suppressions/undo/",
    make: async ({ next, undoable }) => ({
      payload: await undoable({
        operation: "POST /api/mail/suppressions/",
        payload: { ...REASON, addresses: [`a${next()}@foyer.example`] },
      }),
    }),
  },
  {
    level: 10,
    operation: "POST /api/mail/triage/undo/",
    make: async ({ addBounce, undoable }) => ({
      payload: await undoable({
        operation: "POST /api/mail/bounces/{id}/unsubscribe/",
        at: { id: await addBounce() },
      }),
    }),
  },
  {
    level: 10,
    operation: "POST /api/mail/bounces/{id}/unsubscribe/",
    make: async ({ addBounce }) => ({ at: { id: await addBounce() } }),
  },
  {
    level: 10,
    operation: "POST /api/mail/bounces/batch_unsubscribe/",
    make: async ({ addBounce }) => ({ payload: { bounce_ids: [await addBounce()] } }),
  },
  {
    level: 10,
    operation: "POST /api/mail/complaints/{id}/unsubscribe/",
    make: async ({ addComplaint }) => ({ at: { id: await addComplaint() } }),
  },
  {
    level: 10,
    operation: "POST /api/mail/complaints/batch_unsubscribe/",
    make: async ({ addComplaint }) => ({ payload: { complaint_ids: [await addComplaint()] } }),
  },
];

/** Calls at the same doors that don't ask. */
const UNASKED: Asking[] = [
  {
    level: 10,
    operation: "PATCH /api/users/{id}/",
    make: ofUser(async () => ({ first_name: "Ada", access_level: 0 })),
  },
  { level: 10, operation: `PATCH ${OBJECTS}{id}/`, make: ofUser(async () => ({ first_name: "Ada" })) },
  {
    level: 10,
    operation: `POST ${OBJECTS}bulk/`,
    make: at("accounts.user", undefined, async (doors) => ({
      operation: "update",
      object_ids: [await doors.addUser()],
      data: { first_name: "Ada" },
    })),
  },
  {
    level: 10,
    operation: `POST ${OBJECTS}bulk/preview/`,
    make: at("accounts.user", undefined, async (doors) => ({
      operation: "update",
      object_ids: [await doors.addUser()],
      data: await give(doors),
    })),
  },
  {
    level: 10,
    operation: "POST /api/mail/bounces/batch_unsubscribe/preview/",
    make: async ({ addBounce }) => ({ payload: { bounce_ids: [await addBounce()] } }),
  },
];

/** Ends the session that calls it, so it is tried last. */
const LAST = "DELETE /api/users/sessions/";
/** Everybody's for themselves, and for others from level 10 on: it says no as it does to any user. */
const OWN_OR_STAFF = "POST /voice/users/{id}/sync";
const FACTOR_LEVEL = 10;
const WORKS = "in";

let doors: Doors;
beforeAll(async () => {
  doors = await openDoors();
});
afterAll(() => doors.site.close());

const listPlain = () =>
  Object.entries(PLAIN).flatMap(([level, names]) =>
    names
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .map((operation) => ({ operation, level: Number(level), asks: false })),
  );

/** What stops somebody at a door; past it, whatever the call says of what it was sent. */
function toOutcome(answer: LightMyRequestResponse): string {
  if (answer.statusCode >= 500) return String(answer.statusCode);
  const { code } = answer.statusCode >= 400 ? (answer.json() as { code: string }) : { code: "" };
  return [
    "not_authenticated",
    "session_expired",
    "permission_denied",
    "second_factor_due",
    "step_up_required",
  ].includes(code)
    ? code
    : WORKS;
}

function toExpected({ operation, level, asks }: Door, { person, ...cell }: Cell): string {
  if (!person) return "not_authenticated";
  const owes = cell.factor === "overdue" && cell.level >= FACTOR_LEVEL;
  if ((owes ? 1 : cell.level) < level)
    return owes && operation !== OWN_OR_STAFF ? "second_factor_due" : "permission_denied";
  return asks && cell.stepUp === "old" ? "step_up_required" : WORKS;
}

const STRANGER: Cell = { person: null, level: -1, factor: "none", stepUp: "old" };

/** Every cell of a door whose outcome is another than the table says. */
async function findWrong(door: Door) {
  const model = await doors.getModel("cv.skill");
  const cells = await Promise.all(
    [STRANGER, ...doors.cells].map(async (cell) => {
      const expected = toExpected(door, cell);
      // Of what the guard refuses nothing is read.
      const isRead = cell.level >= Math.min(door.level, ACCESS_LEVEL.admin);
      const call = (isRead && (await door.make?.(doors, cell))) || { at: { content_type_id: model } };
      const answer = await doors.send({ operation: door.operation, ...call }, cell.person?.authorization);
      const { level, factor, stepUp } = cell;
      const outcome = toOutcome(answer);
      // What asks must work once it has been asked: else nothing shows that it was asked last.
      const isUnsure =
        door.make && outcome === WORKS && answer.statusCode >= 400 && !MAY_FAIL.has(door.operation);
      return outcome === expected && !isUnsure
        ? []
        : [
            `${door.operation}, level ${level}, factor ${factor}, ${stepUp}: ${answer.statusCode} ${outcome}, not ${expected}`,
          ];
    }),
  );
  return cells.flat();
}

/** A code that is wrong, and a passkey without a ticket. */
const MAY_FAIL = new Set([`POST ${SECOND_FACTOR}app/confirm/`, `POST ${SECOND_FACTOR}passkeys/`]);

test("every call that needs a signed-in person stands in the table", async () => {
  const { paths } = (await doors.site.app.inject({ url: "/api/openapi.json" })).json() as {
    paths: Record<string, Record<string, { security?: object[] }>>;
  };
  const guarded = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const listed = [...listPlain(), ...ASKING].map(({ operation }) => operation);
  expect([...new Set([...listed, LAST])].sort()).toEqual(guarded.sort());
});

const findAllWrong = async (rows: readonly Door[]) => {
  const wrong: string[] = [];
  for (const door of rows) wrong.push(...(await findWrong(door)));
  return wrong;
};

test("each lets in whom the table says, whatever is owed, and asks only where it says so", async () => {
  expect(await findAllWrong(listPlain())).toEqual([]);
});

test("what somebody who finds a browser open must not do asks for a log-in of the last ten minutes, last of all", async () => {
  expect(await findAllWrong(ASKING.map((door) => ({ ...door, asks: true })))).toEqual([]);
});

test("a change of other fields asks nothing, nor does a look at what would be done", async () => {
  expect(await findAllWrong(UNASKED.map((door) => ({ ...door, asks: false })))).toEqual([]);
});

test("nothing of a call that asks is done", async () => {
  const { person } = doors.cells.find(({ level, stepUp }) => level === 999 && stepUp === "old") ?? {};
  const [id, bounce] = [await doors.addUser(), await doors.addBounce()];
  const read = async () =>
    (
      await doors.site.database.pool.query(
        `SELECT (SELECT to_jsonb(u) - 'search' FROM account_user u WHERE id = $1) AS user,
           (SELECT unsubscribed_by FROM mail_bounce WHERE id = $2), (SELECT count(*) FROM mail_suppression) AS stops,
           (SELECT count(*) FROM audit_entry) AS entries, (SELECT count(*) FROM mail_message) AS mails,
           (SELECT count(*) FROM content_export) AS exports`,
        [id, bounce],
      )
    ).rows;
  const before = await read();
  const calls: Call[] = [
    {
      operation: "PATCH /api/users/{id}/",
      at: { id },
      payload: { access_level: 1, email: "taken@foyer.example" },
    },
    { operation: "POST /api/mail/bounces/{id}/unsubscribe/", at: { id: bounce } },
    { operation: `GET ${OBJECTS}export/`, at: { content_type_id: await doors.getModel("accounts.user") } },
  ];
  for (const call of calls) {
    const answer = await doors.send(call, person?.authorization);
    expect([call.operation, answer.json().code]).toEqual([call.operation, "step_up_required"]);
  }
  expect(await read()).toEqual(before);
});

test("everybody may end their own sessions, at any time", async () => {
  expect(await findWrong({ operation: LAST, level: 0, asks: false })).toEqual([]);
});

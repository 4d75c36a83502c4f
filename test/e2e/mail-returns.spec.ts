import { expect, test } from "@playwright/test";
import * as z from "zod";
import { modelsAnswer, objectsAnswer } from "#contract/content/models.ts";
import { bouncesAnswer } from "#contract/mail/triage.ts";
import { hasPostfix, openPostfix, type Postfix } from "#test/postfix.ts";
import { readSession } from "./sign-in.ts";
import { findFreePort, OWNER, PREPARED, Site } from "./site.ts";

test.skip(!hasPostfix, "postfix is not installed, or this is not root");
// The tests go on from each other.
test.describe.configure({ mode: "default" });

const HOME = "reader.test";
const NOBODY = `nobody@${HOME}`;
const SLOW = "somebody@slow.test";

let site: Site;
let postfix: Postfix;
let token: string;

test.beforeAll(async () => {
  site = new Site({ copyOf: process.env[PREPARED] ?? "" });
  const [port, inbound, nobodyHere] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const routes = { "returns.foyer.test": inbound, "slow.test": nobodyHere };
  postfix = await openPostfix({ port, homeDomain: HOME, routes });
  site.settings = {
    SMTP_URL: postfix.url,
    PUBLIC_URL: "http://foyer.test",
    MAIL_FROM: "Foyer <site@foyer.test>",
    MAIL_BOUNCES: "back@returns.foyer.test",
    MAIL_LISTEN: `127.0.0.1:${inbound}`,
  };
  await site.start();
  const { username, password } = OWNER;
  token = readSession(await call("POST", "/api/users/login/", { username, password })).token;
});
test.afterAll(async () => {
  await site?.remove();
  await postfix?.close();
});

async function call(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
  const answer = await fetch(site.url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Rows of a content model, the newest first. */
async function readRows<Row>(model: string, row: z.ZodType<Row>, search: string): Promise<Row[]> {
  const { models } = modelsAnswer.parse(await call("GET", "/api/admin/models/"));
  const found = models.find((one) => `${one.app_label}.${one.model_name}` === model);
  if (!found) throw new Error(`${model} is not there`);
  const path = `/api/admin/models/${found.content_type_id}/objects/?search=${encodeURIComponent(search)}`;
  const { objects } = objectsAnswer.parse(await call("GET", path));
  return z.array(row).parse(objects);
}

const readStates = async (recipient: string) =>
  (await readRows("mail.message", z.object({ delivery_state: z.string() }), recipient)).map(
    ({ delivery_state }) => delivery_state,
  );

const register = (username: string, email: string) =>
  call("POST", "/api/users/register/", {
    username,
    email,
    password: OWNER.password,
    password_confirm: OWNER.password,
  });

test("mail to nobody is taken by the other server, comes back, and stops the next one", async () => {
  await register("nobody_there", NOBODY);
  await expect.poll(() => readStates(NOBODY)).toEqual(["bounced"]);
  const { results } = bouncesAnswer.parse(await call("GET", `/api/mail/bounces/?search=${NOBODY}`));
  expect(results).toMatchObject([
    {
      email_address: NOBODY,
      bounce_type: "Permanent",
      bounce_subtype: "NoEmail",
      status_code: "5.1.1",
      verdict: "all",
      unsubscribed_by: "server",
      source: "returned",
      mail_kind: "verification_code",
    },
  ]);
  expect(results[0]?.diagnostic_code).toContain("unknown user");
  const suppression = z.object({ address: z.string(), scope: z.string(), source: z.string() });
  expect(await readRows("mail.suppression", suppression, NOBODY)).toMatchObject([
    { address: NOBODY, scope: "all", source: "bounce" },
  ]);

  // What the command prints ends up in the error: it can't send.
  expect(() => site.command("mail", "test", NOBODY)).toThrow(
    "this address is on the list of those that get no mail",
  );
  await expect.poll(() => readStates(NOBODY)).toEqual(["suppressed", "bounced"]);
  const log = await postfix.readLog();
  expect(log.match(/to=<nobody@reader\.test>/g)).toHaveLength(1);
});

test("mail that another server keeps for later is delayed, and stops nothing", async () => {
  await register("somebody_slow", SLOW);
  await expect.poll(() => readStates(SLOW)).toEqual(["delayed"]);
  const { total } = bouncesAnswer.parse(await call("GET", `/api/mail/bounces/?search=${SLOW}`));
  expect(total).toBe(0);
  expect(await readRows("mail.suppression", z.object({}), SLOW)).toEqual([]);
});

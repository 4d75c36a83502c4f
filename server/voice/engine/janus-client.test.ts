import { afterEach, expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import { type JanusClient, type JanusClientDeps, openJanusClient } from "./janus-client.ts";
import { FakeJanus, SILENCE } from "./test-janus.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function connect(
  times: JanusClientDeps["times"] = {},
  prepare: (janus: FakeJanus) => void = () => undefined,
) {
  const janus = new FakeJanus();
  prepare(janus);
  const url = await janus.open();
  open.push(janus);
  const warnings: string[] = [];
  const state = { ups: 0 };
  const client: JanusClient = openJanusClient({
    url,
    secret: "s3cret",
    plugin: "a.plugin",
    onUp: () => {
      state.ups += 1;
    },
    log: { info: () => undefined, warn: (_details: object, text?: string) => warnings.push(text ?? "") },
    times: { retryMs: [5], ...times },
  });
  open.push(client);
  return { janus, url, client, warnings, state };
}

test("a session is made once, with the secret in every request", async () => {
  const { janus, client, state } = await connect();
  expect(await client.waitUntilUp(60_000)).toBe(true);
  expect(janus.received.map((request) => request.janus)).toEqual(["create", "attach"]);
  expect(janus.received.every(({ apisecret }) => apisecret === "s3cret")).toBe(true);
  expect(state.ups).toBe(1);
});

test("an acknowledgement is not the answer, whichever comes first", async () => {
  const { janus, client } = await connect();
  await client.waitUntilUp(60_000);
  janus.answer = ({ janus: kind, transaction }) => {
    if (kind !== "message") return undefined;
    janus.publish({ janus: "ack", transaction });
    return { janus: "event", plugindata: { data: { room: 5 } } };
  };
  expect(await client.ask({ request: "create" })).toEqual({ room: 5 });
});

test("what Janus or the plugin refuses is an error with its code", async () => {
  const { janus, client } = await connect();
  await client.waitUntilUp(60_000);
  janus.answer = () => ({ janus: "error", error: { code: 458, reason: "No such session" } });
  await expect(client.ask({})).rejects.toMatchObject({ code: 458, message: "No such session" });
  janus.answer = () => ({
    janus: "success",
    plugindata: { data: { error_code: 485, error: "No such room" } },
  });
  await expect(client.ask({})).rejects.toMatchObject({ code: 485, message: "No such room" });
});

test("a request without an answer ends by itself, and garbage ends nothing", async () => {
  const { janus, client } = await connect({ askMs: 200 });
  await client.waitUntilUp(60_000);
  janus.answer = ({ janus: kind }) => (kind === "message" ? "no { JSON" : undefined);
  await expect(client.ask({})).rejects.toThrow("no answer to message");
  janus.answer = ({ janus: kind }) => (kind === "message" ? SILENCE : undefined);
  await expect(client.ask({})).rejects.toThrow("no answer to message");
  expect(client.isUp).toBe(true);
});

test("a connection that says nothing any more is given up by its keepalive, and made anew", async () => {
  const { janus, client, state } = await connect({ askMs: 50, keepaliveMs: 20 });
  await client.waitUntilUp(60_000);
  janus.answer = ({ janus: kind }) => (kind === "keepalive" && state.ups < 2 ? SILENCE : undefined);
  await until(() => state.ups === 2);
});

test("behind a restart of Janus there is another session, and what waited for the former one is over", async () => {
  const { janus, url, client, state, warnings } = await connect();
  await client.waitUntilUp(60_000);
  const handle = await client.attach(() => undefined);
  janus.answer = ({ janus: kind }) => (kind === "message" ? SILENCE : undefined);
  const lost = expect(handle.ask({})).rejects.toThrow("the connection is gone");
  await until(() => janus.count("message") === 1);
  await janus.close();
  await lost;
  expect(client.isUp).toBe(false);
  await expect(client.attach(() => undefined)).rejects.toThrow("not connected");
  await handle.detach();
  janus.answer = () => undefined;
  await janus.open(Number(new URL(url).port));
  await until(() => state.ups === 2);
  expect(janus.count("create")).toBe(2);
  // However many tries it took.
  expect(warnings.filter((text) => text.includes("can't be reached")).length).toBeLessThanOrEqual(1);
});

test("a session that Janus has ended on an open connection is made anew", async () => {
  const { janus, client, state } = await connect();
  await client.waitUntilUp(60_000);
  janus.publish({ janus: "timeout", session_id: 1 });
  await until(() => state.ups === 2);
});

test("a handle receives its own hangup, and of no other's", async () => {
  const { janus, client } = await connect();
  await client.waitUntilUp(60_000);
  const hungUp: string[] = [];
  await client.attach(() => hungUp.push("first"));
  await client.attach(() => hungUp.push("second"));
  janus.publish({ janus: "hangup", sender: 4, reason: "DTLS alert" });
  janus.publish({ janus: "hangup", sender: 99 });
  await until(() => hungUp.length > 0);
  expect(hungUp).toEqual(["second"]);
});

test("an engine that is not there is waited for, for as long as one asks", async () => {
  const { client } = await connect({}, (janus) => {
    janus.answer = () => ({ janus: "error", error: { code: 403, reason: "Unauthorized request" } });
  });
  expect(await client.waitUntilUp(50)).toBe(false);
  expect(client.fault).toMatchObject({ code: 403 });
});

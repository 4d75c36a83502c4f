import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import { createLinkedProcesses } from "#test/linked-processes.ts";
import { until } from "#test/until.ts";
import type { ProcessLink } from "../away/homes.ts";
import { CLOSE } from "../transport.ts";
import { openAwaySessions } from "./longpoll-away.ts";
import type { LongPollSessions } from "./longpoll-session.ts";
import {
  type HeldSockets,
  holdSockets,
  openEndpoints,
  openRaw,
  type TestEndpoints,
  toRequestText,
} from "./test-endpoints.ts";

interface Process {
  sockets: HeldSockets;
  endpoints: TestEndpoints;
  base: string;
  kill(): Promise<void>;
}

/** Holds the session. */
let owner: Process;
/** What the client's requests come to. */
let other: Process;
let token: string;

/** What the second process has asked the first one. */
let asked: jest.SpiedFunction<ProcessLink["ask"]>;

async function openBoth(longPollWindowMs: number): Promise<void> {
  const { one, two } = createLinkedProcesses("one", "two");
  asked = jest.spyOn(two.link, "ask");
  const open = async ({ link, carrier }: typeof one): Promise<Process> => {
    const sockets = holdSockets({ rules: { longPollWindowMs } });
    const endpoints = await openEndpoints({ "/socket": sockets }, false, link);
    const base = `http://127.0.0.1:${endpoints.port}/socket/longpoll`;
    return {
      ...{ sockets, endpoints, base },
      async kill() {
        await carrier.close();
        link.send("one.1", "nobody hears", {});
        two.link.send("one.1", "nobody hears", {});
        await settle();
      },
    };
  };
  owner = await open(one);
  other = await open(two);
  await settle();
  const answer = await call(owner, "vsn=2.0.0");
  expect(answer.status).toBe(410);
  token = answer.token;
}
const closeBoth = async () => {
  for (const { endpoints } of [owner, other]) await endpoints.app.close();
};
beforeEach(() => openBoth(600));
afterEach(closeBoth);

interface Answer {
  status: number;
  token: string;
  messages: string[];
}

async function call({ base }: Process, parameters: string): Promise<Answer> {
  return (await (await fetch(`${base}?${parameters}`)).json()) as Answer;
}
const poll = (at: Process, session = token) => call(at, `vsn=2.0.0&token=${session}`);

function post(at: Process, body: string): Promise<Response> {
  const headers = { "content-type": "application/x-ndjson" };
  return fetch(`${at.base}?vsn=2.0.0&token=${token}`, { method: "POST", headers, body });
}

test("a poll gets the messages of its session, whichever process it comes to", async () => {
  const { transport } = owner.sockets.first();
  transport.send("[1]");
  expect(await poll(other)).toEqual({ status: 200, token, messages: ["[1]"] });
  transport.send("[2]");
  expect(await poll(owner)).toEqual({ status: 200, token, messages: ["[2]"] });
  const waiting = poll(other);
  await pause(50);
  transport.send("[3]");
  expect(await waiting).toEqual({ status: 200, token, messages: ["[3]"] });
  expect(await poll(other)).toEqual({ status: 204, token, messages: [] });
  expect(other.sockets.held).toEqual([]);
});

test("a post hands its lines on in order, bytes too", async () => {
  const answer = await post(other, `["ş"]\nAAEC\n[3]\n`);
  expect([answer.status, await answer.json()]).toEqual([200, { status: 200 }]);
  expect(owner.sockets.first().received).toEqual(['["ş"]', Buffer.from([0, 1, 2]), "[3]"]);
});

test("a post that nobody can read ends the session, as where it is held", async () => {
  const answer = await post(other, "[1]\n{oops");
  expect([answer.status, await answer.json()]).toEqual([400, { status: 400 }]);
  expect(owner.sockets.first()).toMatchObject({ received: [], endCount: 1 });
  expect(await (await post(other, "[2]")).json()).toEqual({ status: 410 });
});

test("a client that hung up loses no message, and what it waits for comes where it polls next", async () => {
  const request = toRequestText(`/socket/longpoll?vsn=2.0.0&token=${token}`, {});
  const lost = await openRaw(other.endpoints.port, request);
  await pause(50);
  lost.socket.resetAndDestroy();
  await pause(50);
  owner.sockets.first().transport.send("[1]");
  await pause(20);
  expect((await poll(owner)).messages).toEqual(["[1]"]);
});

test("a session whose process was killed is gone: the client gets another one", async () => {
  await owner.kill();
  const answer = await poll(other);
  expect(answer.status).toBe(410);
  expect(answer.token).not.toBe(token);
  expect(other.sockets.held).toHaveLength(1);
  expect(await (await post(other, "[1]")).json()).toEqual({ status: 410 });
});

test("a poll that waits at a process which is killed is answered at once", async () => {
  const waiting = poll(other);
  await pause(50);
  await owner.kill();
  expect((await waiting).status).toBe(410);
});

test("a poll that waits at a process which stops is answered at once, and its session goes on", async () => {
  await closeBoth();
  await openBoth(600_000);
  const waiting = poll(other);
  await until(() => asked.mock.calls.length > 0);
  await other.endpoints.app.close();
  expect(await waiting).toEqual({ status: 204, token, messages: [] });
  owner.sockets.first().transport.send("[1]");
  expect((await poll(owner)).messages).toEqual(["[1]"]);
});

test("a session that is closed is told so by its next poll, wherever", async () => {
  owner.sockets.first().transport.close(CLOSE.disconnected);
  await until(() => owner.sockets.first().endCount === 1);
  const answer = await poll(other);
  expect([answer.status, answer.token === token]).toEqual([410, false]);
});

test("a token that names a process without such a session gets another one", async () => {
  const forged = `${token.slice(0, -5)}aaaaa`;
  const answer = await poll(other, forged);
  expect([answer.status, answer.token === forged]).toEqual([410, false]);
});

test("a post whose token only names a process is refused before it is read", async () => {
  const forged = `${token.slice(0, -5)}aaaaa`;
  const raw = await openRaw(
    other.endpoints.port,
    toRequestText(`/socket/longpoll?vsn=2.0.0&token=${forged}`, { "content-length": "8000000" }, "POST"),
  );
  await until(() => raw.text.includes('"status":410'));
  raw.socket.destroy();
});

test("posts aren't handed on while megabytes of them are under way", async () => {
  const link = { answer() {}, on() {}, ask: () => new Promise(() => undefined) } as unknown as ProcessLink;
  const sessions = {} as LongPollSessions; // of this process, which has none
  const away = openAwaySessions({ link, sessions, windowMs: 1, take: () => 200 });
  void away.post("one.1", "a", ["x".repeat(1_500_000)]);
  expect(await away.post("one.1", "b", ["x".repeat(600_000)])).toBe("busy");
});

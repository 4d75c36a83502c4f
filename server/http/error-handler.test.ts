import accepts from "@fastify/accepts";
import { afterEach, expect, test } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { installErrorHandler } from "./error-handler.ts";

const apps: FastifyInstance[] = [];

/** What a route that throws this answers. */
async function answerTo(thrown: Error) {
  const app = fastify();
  apps.push(app);
  await app.register(accepts);
  installErrorHandler(app);
  app.get("/", () => {
    throw thrown;
  });
  let foundDatabaseFull = false;
  app.addHook("onResponse", async (request) => {
    foundDatabaseFull = request.foundDatabaseFull === true;
  });
  const answer = await app.inject({ url: "/", headers: { "accept-language": "en" } });
  const retryAfter = answer.headers["retry-after"];
  return { status: answer.statusCode, retryAfter, body: answer.json(), foundDatabaseFull };
}

const toFault = (code: string) => Object.assign(new Error("a fault's own words"), { code });

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

test.each([
  ["53200", "it has no memory left"],
  ["58030", "its disk fails"],
  ["25006", "it takes no writes"],
  ["53300", "it has no connection left"],
  ["55P03", "a lock isn't given up"],
  ["40P01", "two transactions waited for each other"],
  ["40001", "two transactions could not both be"],
  ["57P01", "it stops"],
  ["57P02", "it crashed"],
  ["57P03", "it starts"],
  ["ECONNREFUSED", "nothing listens"],
  ["ETIMEDOUT", "it doesn't answer"],
  ["ENOTFOUND", "its host has no address"],
  ["EAI_AGAIN", "no name server answers"],
  ["EHOSTUNREACH", "no way leads to it"],
  ["ENETUNREACH", "the network is gone"],
])("a database of which %s says that %s is worth another try", async (code) => {
  const answer = await answerTo(toFault(code));
  expect(answer).toMatchObject({ status: 503, retryAfter: "2", body: { code: "unavailable" } });
  expect(JSON.stringify(answer.body)).not.toContain("own words");
});

test.each([
  ["ENOENT", "connect", "open"],
  ["ECONNRESET", "read", undefined],
  ["EPIPE", "write", undefined],
])(
  "so is one whose socket says %s at %s, which is no other fault of that name",
  async (code, syscall, other) => {
    const lost = Object.assign(toFault(code), { syscall });
    expect(await answerTo(lost)).toMatchObject({ status: 503, retryAfter: "2" });
    expect(await answerTo(Object.assign(toFault(code), { syscall: other }))).toMatchObject({ status: 500 });
  },
);

test.each([
  "Connection terminated unexpectedly",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
])("so is what pg calls %j, without a code", async (message) => {
  expect(await answerTo(new Error(message))).toMatchObject({ status: 503, retryAfter: "2" });
});

test.each([
  ["ENOSPC", "for a file", false],
  ["EDQUOT", "for a file within the quota", false],
  ["53100", "for the database", true],
])("no room (%s) %s is told as such, in words of our own", async (code, _what, isDatabases) => {
  const answer = await answerTo(toFault(code));
  expect(answer).toMatchObject({ status: 507, body: { code: "disk_full" } });
  expect(answer.body.message).toMatch(/disk of this site is full/);
  expect(JSON.stringify(answer.body)).not.toContain("own words");
  expect(answer.foundDatabaseFull).toBe(isDatabases);
});

test("a text that the database can't hold is the client's fault", async () => {
  const answer = await answerTo(toFault("22021"));
  expect(answer).toMatchObject({ status: 400, body: { code: "malformed_body" } });
  expect(JSON.stringify(answer.body)).not.toContain("own words");
});

test.each(["23505", "42P01", "ENOENT"])("another fault, such as %s, is our own", async (code) => {
  const answer = await answerTo(toFault(code));
  expect(answer).toMatchObject({ status: 500, retryAfter: undefined, body: { code: "internal" } });
  expect(JSON.stringify(answer.body)).not.toMatch(/own words|stack|node_modules/);
});

import { expect, test } from "@jest/globals";
import { runForRequest } from "./base/actor.ts";
import { createLog, maskEmails } from "./log.ts";

function capture(): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog({ logLevel: "info" }, { write: (line) => void lines.push(line) }) };
}

test("whole e-mail addresses are masked in messages and errors", () => {
  const { lines, log } = capture();
  log.info("mail to ada.lovelace@example.org");
  log.error(
    { err: Object.assign(new Error("Key (email)=(ada@example.org) exists"), { detail: "ada@example.org" }) },
    "failed",
  );
  expect(lines.join("")).not.toMatch(/ada\.lovelace@|ada@/);
  expect(lines.join("")).toContain("a***@example.org");
});

test("secrets are left out wherever they stand", () => {
  const { lines, log } = capture();
  log.info(
    {
      password: "p1",
      body: { refresh_token: "p2" },
      req: { headers: { authorization: "p3", cookie: "p4" } },
    },
    "x",
  );
  expect(lines.join("")).not.toMatch(/p1|p2|p3|p4/);
});

test("masking leaves other text alone", () => {
  expect(maskEmails("user @ host, a@b")).toBe("user @ host, a@b");
});

test("masking a text takes as long as the text is, not its square", () => {
  const text = "a".repeat(3_000_000);
  expect(maskEmails(`${text} ada@example.org`)).toBe(`${text} a***@example.org`);
});

test("a fault has its stack, but for connections that a stop ended", () => {
  const { lines, log } = capture();
  const fail = (message: string, code?: string) =>
    log.error({ err: Object.assign(new Error(message), { code }) }, "failed");
  fail("a fault of ours");
  expect(lines.pop()).toContain("log.test.ts");
  for (const code of ["57P01", "57P03", "EPIPE", "ECONNRESET"]) fail("terminating connection", code);
  fail("Connection terminated unexpectedly");
  expect(lines).toHaveLength(5);
  expect(lines.join("")).not.toContain("log.test.ts");
  expect(lines[0]).toContain("terminating connection");
});

test("what is done for a request of another process is logged under its number, once in each line", async () => {
  const { lines, log } = capture();
  await runForRequest("of-another", async () => log.info("asked"), true);
  // Its own log has the number already.
  await runForRequest("of-this-one", async () => log.child({ reqId: "of-this-one" }).info("here"));
  expect(lines.map((line) => line.match(/"reqId":"[^"]*"/g))).toEqual([
    ['"reqId":"of-another"'],
    ['"reqId":"of-this-one"'],
  ]);
});

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { orHang, until } from "#test/until.ts";
import { insertAccount } from "./accounts/store.ts";
import { SYSTEM_ACTOR } from "./base/actor.ts";
import { printWelcome, runEach } from "./process.ts";
import { createSampleSite, type SampleSite } from "./sample/fixture.ts";
import { removeSample } from "./sample/service.ts";

describe("process", () => {
  test("a step that fails is reported by its name and keeps none of the others from being done", async () => {
    const done: string[] = [];
    const logged: unknown[] = [];
    await runEach(
      { error: (details: unknown) => void logged.push(details) },
      {
        first: async () => done.push("first"),
        broken: async () => {
          throw new Error("no room");
        },
        last: async () => done.push("last"),
      },
    );
    expect(done).toEqual(["first", "last"]);
    expect(logged).toEqual([{ err: new Error("no room"), step: "broken" }]);
  });
});

describe("welcome", () => {
  let site: SampleSite;
  beforeEach(async () => {
    site = await createSampleSite();
  });
  afterEach(() => site.database.close());

  async function readWelcome(mailFolder?: string): Promise<string> {
    const print = jest.spyOn(console, "log").mockImplementation(() => undefined);
    try {
      await printWelcome(
        { pool: site.database.pool, version: "18.4", isEmbedded: true },
        "http://127.0.0.1:3000",
        mailFolder,
        "the-token",
      );
      return print.mock.calls.flat().join("\n");
    } finally {
      print.mockRestore();
    }
  }

  test("a table that can't be read is said, and stops nothing", async () => {
    await site.database.pool.query("ALTER TABLE cv_profile RENAME TO damaged");
    const text = await readWelcome();
    expect(text).toContain("Foyer is ready: http://127.0.0.1:3000");
    expect(text).toMatch(/can't be read: .*cv_profile.*\n.*npm run foyer -- repair/);
  });

  test("while nobody owns the site it prints the link that makes the owner, and the command beside it", async () => {
    await site.start();
    const text = await readWelcome();
    expect(text).toContain("http://127.0.0.1:3000/setup#the-token\n");
    expect(text).toContain("npm run foyer -- create-superuser");
  });

  test("over sample content it names both ways to a CV of one's own", async () => {
    await site.start();
    const text = await readWelcome();
    expect(text).toContain("The CV is sample content");
    expect(text).toContain("npm run foyer -- import resume.json");
    expect(text).toContain("http://127.0.0.1:3000/admin");
    expect(text).toContain("npm run foyer -- sample remove");
  });

  test("without any CV it names the import alone", async () => {
    await site.start();
    await removeSample(site.database.pool, site.storage, SYSTEM_ACTOR);
    const text = await readWelcome();
    expect(text).toContain("Fill your CV from a JSON Resume file");
    expect(text).not.toContain("sample");
  });

  test("to an owner with a CV it says where the site is, and how to stop it", async () => {
    const { pool } = site.database;
    await pool.query("INSERT INTO cv_profile (name) VALUES ('Işıl')");
    await site.start();
    await insertAccount(pool, { username: "ada", email: "ada@example.org", passwordHash: "x", level: 999 });
    expect(await readWelcome()).toBe(`
Foyer is ready: http://127.0.0.1:3000   (its own PostgreSQL 18.4)
  Ctrl-C stops it.
`);
  });

  test("as long as mails are files it says where, and how to send them", async () => {
    await site.start();
    expect(await readWelcome()).not.toContain("SMTP_URL");
    const text = await readWelcome("/srv/foyer/data/mail");
    expect(text).toContain("they are files in /srv/foyer/data/mail\n");
    expect(text).toContain("set SMTP_URL, MAIL_FROM and PUBLIC_URL in .env");
    expect(text).toContain("npm run foyer -- mail test YOU@EXAMPLE.ORG");
  });
});

describe("a server that is told to stop", () => {
  let child: ChildProcess;
  let url: URL;
  let exited: Promise<unknown[]>;
  beforeEach(async () => {
    child = fork("test/stopping-server.ts", { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    exited = once(child, "exit");
    const [address] = await orHang(once(child, "message"));
    url = new URL(String(address));
  });
  afterEach(async () => {
    child.kill("SIGKILL");
    await exited;
  });

  const ask = (path: string) => fetch(new URL(path, url), { headers: { connection: "keep-alive" } });
  const isReady = async () => (await ask("/api/health/ready")).ok;

  /** A request whose body is still to come; the answer, and what sends the rest. */
  async function beginLogIn(): Promise<{ answer: Promise<string>; finish(): void }> {
    const body = JSON.stringify({ username: "nobody", password: "Nothing-1" });
    const socket = connect(Number(url.port), url.hostname);
    const answer = text(socket).catch(String);
    await once(socket, "connect");
    socket.write(
      `POST /api/users/login/ HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    return { answer, finish: () => socket.write(body) };
  }

  test("says so to balancers and answers on, then takes no more, and ends behind its last answer", async () => {
    expect(await isReady()).toBe(true);
    const running = await beginLogIn();
    child.kill("SIGTERM");
    await until(async () => !(await isReady()));
    const answer = await ask("/api/health/live");
    expect([answer.status, answer.headers.get("connection")]).toEqual([204, "close"]);
    const later = await beginLogIn();
    // Sent behind it, so that the server has read that.
    await ask("/api/health/live");

    child.send("drained");
    await until(() =>
      ask("/api/health/live").then(
        () => false,
        () => true,
      ),
    );
    expect(child.exitCode).toBeNull();
    for (const { finish } of [running, later]) finish();
    for (const one of [running, later])
      expect(await orHang(one.answer)).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
    expect(await orHang(exited)).toEqual([0, null]);
  });

  test("ends at once with another signal, whatever still runs", async () => {
    await beginLogIn();
    child.kill("SIGTERM");
    await until(async () => !(await isReady()));
    await until(() => child.kill("SIGTERM") === false || child.exitCode !== null);
    expect(await orHang(exited)).toEqual([1, null]);
  });
});

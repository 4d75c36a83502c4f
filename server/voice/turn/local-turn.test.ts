import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { ConfigError } from "#server/config.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { orHang, until } from "#test/until.ts";
import { openLocalTurn } from "./local-turn.ts";
import { type Allocation, allocate, askBinding } from "./stun-client.ts";
import { openStunLink, type StunLink } from "./stun-link.ts";
import { ATTRIBUTE, type Endpoint, encodeEndpoint, METHOD } from "./stun-message.ts";
import { buildTestCredential, findFreePort, openTestTurn, SILENT, TURNSERVER } from "./test-turn.ts";
import { knowsSecret, startTurnserver } from "./turnserver-process.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const withCoturn = TURNSERVER ? describe : describe.skip;
const open: { close(): unknown }[] = [];
const keep = <Thing extends { close(): unknown }>(thing: Thing) => {
  open.push(thing);
  return thing;
};
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

const toLink = async (port: number, transport: "udp" | "tcp" = "udp") =>
  keep(
    await openStunLink({ scheme: "turn", host: "127.0.0.1", port, transport }, AbortSignal.timeout(30_000)),
  );

/** Lets a peer's packets through, and ours to it. */
const permit = (allocation: Allocation, peer: Endpoint) =>
  allocation.ask(METHOD.permit, [[ATTRIBUTE.peerAddress, encodeEndpoint(peer)]]);

const hear = (link: StunLink) =>
  new Promise<string>((resolve) => {
    link.onMessage = ({ attributes }) => resolve(attributes.get(ATTRIBUTE.data)?.toString() ?? "");
  });

const say = (link: StunLink, peer: Endpoint, text: string) =>
  link.sendIndication(METHOD.send, [
    [ATTRIBUTE.peerAddress, encodeEndpoint(peer)],
    [ATTRIBUTE.data, Buffer.from(text)],
  ]);

const isAlive = (pid: number) => existsSync(`/proc/${pid}/stat`);
/** NaN: there is none. */
const readPid = async (dataDir: string, port: number) =>
  Number(await readFile(join(dataDir, `turn/turnserver-${port}.pid`), "utf8").catch(() => "none"));

/** Somebody else's port. */
async function takePort(): Promise<number> {
  const server = createServer();
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  keep({ close: () => server.close() });
  return port;
}

test("without coturn the owner is shown what to install", async () => {
  const { folder, remove } = await makeTestFolder();
  const opening = openLocalTurn({
    host: "127.0.0.1",
    port: 1,
    minPort: 2,
    maxPort: 3,
    externalIp: undefined,
    dataDir: folder,
    log: SILENT,
    now: () => new Date(),
    findProgram: async () => undefined,
  });
  await expect(opening).rejects.toThrow(/apt install coturn/);
  await remove();
});

test("one that is closed while its relay is being started again ends that relay too", async () => {
  const first = Promise.withResolvers<string>();
  const held = Promise.withResolvers<void>();
  const states: string[] = [];
  let starts = 0;
  const { turn, close } = await openTestTurn({
    findProgram: async () => "no program at all",
    async start() {
      starts += 1;
      if (starts === 1) return { ended: first.promise, stop: async () => undefined };
      await held.promise;
      states.push("started");
      const { promise: ended, resolve } = Promise.withResolvers<string>();
      return {
        ended,
        async stop() {
          states.push("stopped");
          resolve("stopped");
        },
      };
    },
  });
  first.resolve("killed");
  await until(() => starts === 2);
  const closed = turn.close();
  held.resolve();
  await orHang(closed);
  expect(states).toEqual(["started", "stopped"]);
  await close();
});

test("where the port is taken nothing is started or written, and the error says what lets two processes use one relay", async () => {
  const { folder, remove } = await makeTestFolder();
  const file = join(folder, "turn/turnserver.conf");
  await mkdir(join(folder, "turn"));
  await writeFile(file, "of the process that runs");
  const port = await takePort();
  const opening = openTestTurn({
    ...{ port, dataDir: folder },
    findProgram: async () => "no program at all",
    start: () => Promise.reject(new Error("it was started")),
  });
  await expect(opening).rejects.toThrow(ConfigError);
  await expect(opening).rejects.toThrow(
    new RegExp(`port ${port} is taken.*set TURN_SECRET, the same for both`),
  );
  expect(await readdir(join(folder, "turn"))).toEqual(["turnserver.conf"]);
  expect(await readFile(file, "utf8")).toBe("of the process that runs");
  await remove();
});

withCoturn("coturn", () => {
  test.each(["udp", "tcp"] as const)(
    "gives a relayed address over %s and takes it back",
    async (transport) => {
      const { turn, port } = keep(await openTestTurn());
      expect(turn.urls).toEqual([
        `stun:127.0.0.1:${port}`,
        `turn:127.0.0.1:${port}?transport=udp`,
        `turn:127.0.0.1:${port}?transport=tcp`,
      ]);
      const link = await toLink(port, transport);
      expect((await askBinding(link)).address).toBe("127.0.0.1");
      const allocation = await allocate(link, buildTestCredential(turn.secret));
      expect(allocation.relayed.address).toBe("127.0.0.1");
      await allocation.release();
    },
  );

  test("refuses whoever has another secret, and credentials of yesterday", async () => {
    const { turn, port } = keep(await openTestTurn());
    await expect(allocate(await toLink(port), buildTestCredential("another"))).rejects.toMatchObject({
      code: 401,
    });
    const username = "1700000000:7";
    const credential = createHmac("sha1", turn.secret).update(username).digest("base64");
    await expect(allocate(await toLink(port), { username, credential })).rejects.toMatchObject({ code: 401 });
  });

  test("lets two people who both use the relay hear each other, and nobody reach the owner's network", async () => {
    const { turn, port } = keep(await openTestTurn());
    const [linkA, linkB] = [await toLink(port), await toLink(port, "tcp")];
    const a = await allocate(linkA, buildTestCredential(turn.secret, 1));
    const b = await allocate(linkB, buildTestCredential(turn.secret, 2));
    await permit(a, b.relayed);
    await permit(b, a.relayed);
    const [heardByA, heardByB] = [hear(linkA), hear(linkB)];
    say(linkA, b.relayed, "hello from a");
    say(linkB, a.relayed, "hello from b");
    expect([await heardByA, await heardByB]).toEqual(["hello from b", "hello from a"]);

    for (const address of [
      "10.0.0.1",
      "192.168.1.1",
      "172.16.0.1",
      "169.254.169.254",
      "100.64.0.1",
      "127.0.0.53",
      "0.0.0.0",
    ])
      await expect(permit(a, { address, port: 53 })).rejects.toMatchObject({ code: 403 });
    await permit(a, { address: "8.8.8.8", port: 53 });
  });

  test("keeps its secret in a file that nobody else reads until it has started, and in no line of the log", async () => {
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line) => void lines.push(line) });
    const seen: { mode: number; text: string }[] = [];
    const { turn, dataDir, port, close } = await openTestTurn({
      log,
      async start(options) {
        const { mode } = await stat(options.configFile);
        seen.push({ mode: mode & 0o777, text: await readFile(options.configFile, "utf8") });
        return startTurnserver(options);
      },
    });
    expect(seen).toEqual([
      { mode: 0o600, text: expect.stringContaining(`static-auth-secret=${turn.secret}`) },
    ]);
    expect(await readdir(join(dataDir, "turn"))).toEqual([`turnserver-${port}.pid`]);
    await allocate(await toLink(port), buildTestCredential(turn.secret));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.join("")).not.toContain(turn.secret);
    await turn.close();
    expect(await readdir(join(dataDir, "turn"))).toEqual([]);
    await close();
  });

  test("a second process with its secret and its folder uses it, and has one of its own when it is gone", async () => {
    const first = await openTestTurn({ secret: SECRET });
    const { port, dataDir } = first;
    const pid = await readPid(dataDir, port);
    const { turn } = keep(await openTestTurn({ secret: SECRET, port, dataDir, takeOverMs: 20 }));
    expect([turn.urls, turn.isRunning(), turn.lastFault()]).toEqual([first.turn.urls, true, undefined]);
    expect(await readPid(dataDir, port)).toBe(pid);
    await allocate(await toLink(port), buildTestCredential(SECRET));
    await first.turn.close();
    expect(isAlive(pid)).toBe(false);
    await until(() => knowsSecret("127.0.0.1", port, SECRET, new Date()));
    expect([turn.isRunning(), turn.lastFault()]).toEqual([true, undefined]);
  });

  test("a process that only waits for it ends at once, and leaves it running", async () => {
    const first = keep(await openTestTurn({ secret: SECRET }));
    const { port, dataDir } = first;
    const second = await openTestTurn({ secret: SECRET, port, dataDir });
    await orHang(second.turn.close());
    await allocate(await toLink(port), buildTestCredential(SECRET));
    expect(await readPid(dataDir, port)).toBeGreaterThan(0);
  });

  test("one with another secret is no relay of the site", async () => {
    const { port, dataDir } = keep(await openTestTurn({ secret: SECRET }));
    await expect(openTestTurn({ secret: `${SECRET}x`, port, dataDir })).rejects.toThrow(/set TURN_SECRET/);
    await allocate(await toLink(port), buildTestCredential(SECRET));
  });

  test("is started again when it dies, with the same secret, and says why it didn't run", async () => {
    const { turn, port, dataDir } = keep(await openTestTurn());
    const pid = await readPid(dataDir, port);
    process.kill(pid, "SIGKILL");
    await until(() => turn.lastFault() !== undefined);
    expect(turn.lastFault()).toMatch(/^turnserver ended \(/);
    await until(() => turn.isRunning());
    expect(await readPid(dataDir, port)).not.toBe(pid);
    await allocate(await toLink(port), buildTestCredential(turn.secret));
  });

  test("is gone when its process is closed", async () => {
    const { dataDir, port, close } = await openTestTurn();
    const pid = await readPid(dataDir, port);
    expect(isAlive(pid)).toBe(true);
    await close();
    expect(isAlive(pid)).toBe(false);
  });

  test("does not outlive a process that is killed", async () => {
    const { folder, remove } = await makeTestFolder();
    const port = await findFreePort();
    const script = `
      import { openTestTurn } from "${new URL("test-turn.ts", import.meta.url).href}";
      await openTestTurn({ dataDir: ${JSON.stringify(folder)}, port: ${port} });
      console.log("runs");
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: process.cwd(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const pid = await readPid(folder, port);
    child.kill("SIGKILL");
    await until(() => !isAlive(pid));
    await remove();
  });

  (process.getuid?.() === 0 ? test : test.skip)("root's relay becomes another user", async () => {
    const { dataDir, port } = keep(await openTestTurn());
    const pid = String(await readPid(dataDir, port));
    const { stdout } = await promisify(execFile)("ps", ["-o", "uid=", "-p", pid]);
    expect(Number(stdout)).toBeGreaterThan(0);
  });
});

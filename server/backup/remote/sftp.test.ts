import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { parseConfig } from "#server/config.ts";
import { fetchCopy, openPlace } from "../daily/copy.ts";
import { openSftp } from "./sftp.ts";
import { createTestWatch, MINUTE_MS, startSftp } from "./test-sftp.ts";

const NAME = "daily-20261126T033000Z.zip";
const FOLDER = "/backups/foyer";
const PASSWORD = "pa:ss/word";
const BYTES = randomBytes(300_000);

let server: Awaited<ReturnType<typeof startSftp>>;
let folder: string;
let file: string;
const never = new AbortController().signal;

beforeEach(async () => {
  server = await startSftp({ user: "ada", password: PASSWORD, folder: FOLDER });
  folder = await mkdtemp(join(tmpdir(), "foyer-sftp-"));
  file = join(folder, NAME);
  await writeFile(file, BYTES);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** As the process opens it by its settings. */
function open(settings: NodeJS.ProcessEnv = {}, path = FOLDER) {
  const { remote } = parseConfig({
    BACKUP_TO: `sftp://ada:${encodeURIComponent(PASSWORD)}@${server.host}${path}`,
    BACKUP_TO_HOST_KEY: server.fingerprint,
    ...settings,
  }).dailyBackup;
  if (!remote) throw new Error("no address");
  return openPlace(remote);
}

test("a file arrives whole, once; it is listed, fetched back for its owner alone, and removed", async () => {
  const place = open();
  expect(place.title).toBe(`sftp://ada@${server.host}${FOLDER}`);
  await place.put(file, NAME, never);
  expect(server.files.get(`${FOLDER}/${NAME}`)?.equals(BYTES)).toBe(true);
  await place.put(file, NAME, never);
  expect(await place.list()).toEqual([NAME]);
  await rm(file);
  expect(await fetchCopy(place, { wanted: NAME, folder, stop: never })).toBe(file);
  expect((await readFile(file)).equals(BYTES)).toBe(true);
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  await place.remove(NAME);
  await place.check();
  expect(server.files.size).toBe(0);
});

test("what arrives changed is found by reading it back, and never has the file's name", async () => {
  server.state.spoil = (bytes) => Buffer.from(bytes).fill(0, 0, 10);
  await expect(open().put(file, NAME, never)).rejects.toThrow("What arrived differs from what was sent.");
  expect([...server.files.keys()]).toEqual([`${FOLDER}/${NAME}.part`]);
  server.state.spoil = (bytes) => bytes;
  await open().put(file, NAME, never);
  expect(server.files.get(`${FOLDER}/${NAME}`)?.equals(BYTES)).toBe(true);
});

test("a server is let in by its fingerprint alone: none set names the one that was seen, another one warns", async () => {
  const refused = (settings: NodeJS.ProcessEnv) =>
    open(settings)
      .check()
      .then(
        () => "",
        (error: Error) => error.message,
      );
  expect(await refused({ BACKUP_TO_HOST_KEY: "" })).toMatch(
    new RegExp(
      `shows the host key ${server.fingerprint.replaceAll("+", "\\+")} \\(ssh-ed25519\\).*BACKUP_TO_HOST_KEY=SHA256:`,
    ),
  );
  const other = `SHA256:${"A".repeat(43)}`;
  expect(await refused({ BACKUP_TO_HOST_KEY: other })).toContain("somebody stands in between");
  expect(server.files.size).toBe(0);
  await open({ BACKUP_TO_HOST_KEY: `${other}, ${server.fingerprint}` }).check();
});

test("a key opens it in place of a password", async () => {
  const keyFile = join(folder, "key");
  await writeFile(keyFile, server.clientKey, { mode: 0o600 });
  const BACKUP_TO = `sftp://ada@${server.host}${FOLDER}`;
  await open({ BACKUP_TO, BACKUP_TO_KEY_FILE: keyFile }).check();
  const lost = open({ BACKUP_TO, BACKUP_TO_KEY_FILE: join(folder, "none") });
  await expect(lost.check()).rejects.toThrow(/The key .*none \(BACKUP_TO_KEY_FILE\) can't be read.*ENOENT/);
  await writeFile(keyFile, "no key");
  await expect(open({ BACKUP_TO, BACKUP_TO_KEY_FILE: keyFile }).check()).rejects.toThrow("can't be used");
});

test("each fault is told in words, without the password", async () => {
  const wrong = `sftp://ada:other@${server.host}${FOLDER}`;
  await expect(open({ BACKUP_TO: wrong }).check()).rejects.toThrow("The server doesn't let ada in.");
  await expect(open({}, "/elsewhere").list()).rejects.toThrow("There is no folder /elsewhere on the server.");
  await expect(open({ BACKUP_TO: `sftp://ada:x@127.0.0.1:1/x` }).check()).rejects.toThrow(/ECONNREFUSED/);
  server.state.isReadOnly = true;
  await expect(open().check()).rejects.toThrow("The server allows no writing");
  server.files.set(`${FOLDER}/${NAME}`, Buffer.from("of another site"));
  await expect(open().put(file, NAME, never)).rejects.toThrow("Give each site a folder of its own.");
});

test("a stop ends it at once", async () => {
  const stop = new AbortController();
  server.state.onWrite = () => {
    stop.abort();
    return true;
  };
  await expect(open().put(file, NAME, stop.signal)).rejects.toThrow("It was stopped.");
  expect([...server.files.keys()]).not.toContain(`${FOLDER}/${NAME}`);
});

/** As `open`, with a clock that the test moves. */
function openByClock() {
  const clock = createTestWatch();
  const { remote } = parseConfig({
    BACKUP_TO: `sftp://ada:${encodeURIComponent(PASSWORD)}@${server.host}${FOLDER}`,
    BACKUP_TO_HOST_KEY: server.fingerprint,
  }).dailyBackup;
  if (remote?.kind !== "sftp") throw new Error("no address");
  return { place: openSftp(remote, clock.watch), pass: clock.pass };
}

test.each(["onWrite", "onRead"] as const)(
  "a server that answers no longer (%s) and keeps the connection ends the copy after five minutes",
  async (step) => {
    const stalled = Promise.withResolvers<void>();
    server.state[step] = () => {
      stalled.resolve();
      return false;
    };
    const { place, pass } = openByClock();
    const copy = expect(place.put(file, NAME, never)).rejects.toThrow("Nothing moved for 5 minutes, though");
    await stalled.promise;
    pass(5 * MINUTE_MS);
    await copy;
    expect([...server.files.keys()]).not.toContain(`${FOLDER}/${NAME}`);
  },
);

test("a server that is slow isn't given up", async () => {
  const { place, pass } = openByClock();
  for (const step of ["onWrite", "onRead"] as const) {
    let isFirst = true;
    server.state[step] = () => {
      if (isFirst) pass(4 * MINUTE_MS);
      isFirst = false;
      return true;
    };
  }
  await place.put(file, NAME, never);
  expect(server.files.get(`${FOLDER}/${NAME}`)?.equals(BYTES)).toBe(true);
});

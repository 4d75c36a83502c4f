import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mayInstall } from "../debian-packages.mjs";
import { Fault } from "../fault.mjs";
import { ensureTestServers } from "./test-servers.mjs";

let folder;
let said;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foyer-servers-"));
  said = "";
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text) => {
  said += text;
};
const toServers = () => [
  { program: join(folder, "turnserver"), package: "coturn" },
  { program: join(folder, "janus"), package: "janus" },
];
const putAll = async (_name, programs) => {
  for (const { program } of programs) writeFileSync(program, "");
};

test("what is there is not installed again", async () => {
  await putAll("", toServers());
  await ensureTestServers({
    servers: toServers(),
    canInstall: true,
    install: () => Promise.reject(),
    write,
  });
  expect(said).toBe("");
});

test("what is missing is installed, and nothing else", async () => {
  await putAll("", toServers().slice(0, 1));
  const asked = [];
  const install = async (name, programs) => {
    asked.push(name);
    await putAll(name, programs);
  };
  await ensureTestServers({ servers: toServers(), canInstall: true, install, write });
  expect(asked).toEqual(["janus"]);
  expect(said).not.toContain("skipped");
});

test("what Debian asks is answered first", async () => {
  const steps = [];
  const postfix = { program: join(folder, "master"), package: "postfix", answers: "postfix x select y" };
  const install = async (_name, programs) => {
    steps.push("install");
    await putAll("", programs);
  };
  await ensureTestServers({
    servers: [postfix],
    canInstall: true,
    install,
    answer: (lines) => steps.push(lines),
    write,
  });
  expect(steps).toEqual([["postfix x select y"], "install"]);
});

test("a mail server that is there is not taken away for another one", async () => {
  const [sendmail] = toServers();
  await putAll("", [sendmail]);
  const postfix = { program: join(folder, "master"), package: "postfix", butNotBeside: sendmail.program };
  const install = () => Promise.reject(new Error("not to be installed"));
  await ensureTestServers({ servers: [postfix], canInstall: true, install, write });
  expect(said).toMatch(/^Tests that need postfix are skipped/);
});

test("who may not install is told which tests are skipped, and what to do", async () => {
  await ensureTestServers({ servers: toServers(), canInstall: false, install: putAll, write });
  expect(said).toBe(
    "Tests that need coturn and janus are skipped. On Debian, as root: apt-get install coturn janus\n",
  );
});

test("an installation that fails is told, and the tests run without", async () => {
  const install = () => Promise.reject(new Fault("no mirror"));
  await ensureTestServers({ servers: toServers(), canInstall: true, install, write });
  expect(said).toMatch(/^no mirror\nTests that need coturn and janus are skipped/);
});

test.each([
  [true, 0, "NAME=x\nID=debian\n"],
  [false, 1000, "ID=debian\n"],
  [false, 0, "ID=ubuntu\nID_LIKE=debian\n"],
  [false, 0, ""],
])("packages may be installed: %s (uid %d, %j)", (may, uid, release) => {
  expect(mayInstall({ uid, release })).toBe(may);
});

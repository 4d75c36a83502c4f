import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { parseConfig } from "#server/config.ts";
import { SETTING_NAMES } from "#server/settings.ts";
import { buildTurnserverConfig } from "#server/voice/turn/turnserver-config.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const DOCKERFILE = read("container/Dockerfile");
const COMPOSE = read("container/compose.yaml");
const CADDYFILE = read("container/Caddyfile");
const PROBES = [...read("server/health/routes.ts").matchAll(/^ {4}"(\/api\/health\/\w+)",$/gm)].map(
  ([, path = ""]) => path,
);
const EXAMPLE = new Map(
  [...read("container/env.example").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]),
);

/** Lines below a key, up to one that stands as far left. */
function readBlock(text: string, key: string): string[] {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === key);
  const depth = lines[at]?.search(/\S/) ?? 0;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && line.search(/\S/) <= depth);
  return (end < 0 ? rest : rest.slice(0, end)).map((line) => line.trim());
}

/** What is copied out of the repository. */
const COPIED = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
  paths.split(" "),
);

test("what the Dockerfile copies is there, and .dockerignore lets just that in", () => {
  const letIn = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => path);
  expect(COPIED.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect([...new Set(COPIED)].sort()).toEqual(letIn.sort());
});

test("what the server imports is in the image", () => {
  const { imports } = JSON.parse(read("package.json")) as { imports: Record<string, string> };
  const second = DOCKERFILE.slice(DOCKERFILE.lastIndexOf("\nFROM "));
  // The rest is in dist/, or for tests.
  const needed = Object.values(imports).filter((path) => /^\.\/(contract|locales|server)\//.test(path));
  for (const path of needed) expect(second).toMatch(new RegExp(`^COPY ${path.split("/")[1]} `, "m"));
});

test("the image's settings are settings, and Node's flags are those of npm start", () => {
  const own = ["PATH", "NODE_COMPILE_CACHE", "NODE_EXTRA_CA_CERTS", "MALLOC_ARENA_MAX"];
  const names = [...DOCKERFILE.matchAll(/^(?:ENV| {3}) ?(\w+)=/gm)].map(([, name = ""]) => name);
  expect(names).toEqual(expect.arrayContaining(["HOST", "PORT", "FOYER_DATA_DIR"]));
  expect(names.filter((name) => ![...own, ...SETTING_NAMES].includes(name))).toEqual([]);
  const entry = /^ENTRYPOINT (.+)$/m.exec(DOCKERFILE)?.[1] ?? "[]";
  expect(JSON.parse(entry)).toEqual(["node", ...(JSON.parse(read("bin/lib/node-flags.json")) as string[])]);
});

test("health checks ask for addresses that are there", () => {
  expect(PROBES).toEqual(["/api/health/live", "/api/health/ready"]);
  const asked = [DOCKERFILE, CADDYFILE].flatMap((text) => text.match(/^(?!#).*\/api\/health\/\w+/gm) ?? []);
  expect(asked.map((line) => /\/api\/health\/\w+/.exec(line)?.[0])).toEqual(PROBES);
});

test("proxies of the examples number requests themselves, and take away by what visitors would be traced or not", () => {
  const ofCaddy = [
    "header_up X-Request-Id {http.request.uuid}",
    "header_up -traceparent",
    "header_up -tracestate",
  ];
  for (const text of [CADDYFILE, read("README.md"), read("docs/owning.md")])
    expect(text.split("\n").map((line) => line.trim())).toEqual(expect.arrayContaining(ofCaddy));
  const ofNginx = ["X-Request-Id $request_id", 'traceparent ""', 'tracestate ""'];
  for (const rest of ofNginx) expect(read("README.md")).toContain(`    proxy_set_header ${rest};\n`);
});

/** As compose does it with what `.env` holds. */
const fillIn = (text: string, values: ReadonlyMap<string, string>) =>
  text.replaceAll(/\$\{(\w+)(?::[-?][^}]*)?\}/g, (_all, name: string) => values.get(name) ?? "");

test("compose hands on settings alone, by names of the example, and Foyer takes their values", () => {
  const used = [...COMPOSE.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
  expect([...new Set(used)].filter((name) => name !== "FOYER_IMAGE").sort()).toEqual(
    [...EXAMPLE.keys()].sort(),
  );

  const secrets = [...EXAMPLE].map(([name, value]): [string, string] => [
    name,
    /(SECRET|PASSWORD)$/.test(name) ? "0123456789abcdef".repeat(4) : value,
  ]);
  const block = readBlock(COMPOSE.slice(COMPOSE.indexOf("x-foyer")), "environment:");
  const pairs = block.map((line) => /^(\w+): "?(.*?)"?$/.exec(line)).filter((found) => found !== null);
  const environment = Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [name, fillIn(value, new Map(secrets))]),
  );
  expect(Object.keys(environment).filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
  const config = parseConfig(environment);
  expect(config).toMatchObject({ publicUrl: "https://example.org" });
  expect(config.trustProxy).not.toBe(false);
  for (const part of [
    config.databaseUrl,
    config.redisUrl,
    config.fileStore,
    config.keysSecret,
    config.turnSecret,
  ])
    expect(part).toBeDefined();
});

test("each container may do little: nothing to write to but volumes and /tmp, no capabilities but named ones", () => {
  const services = COMPOSE.slice(COMPOSE.indexOf("\nservices:"), COMPOSE.indexOf("\nvolumes:"));
  const keys = [...services.matchAll(/^ {2}([\w-]+:)$/gm)].map(([, key = ""]) => key);
  expect(keys).toEqual(["caddy:", "postgres:", "valkey:", "s3:", "bucket:", "coturn:"]);
  for (const key of ["x-foyer: &foyer", ...keys])
    expect(readBlock(COMPOSE, key)).toEqual(
      expect.arrayContaining([
        "read_only: true",
        "cap_drop: [ALL]",
        'security_opt: ["no-new-privileges:true"]',
      ]),
    );
});

test("no program has a secret among its arguments, which everybody on the machine sees", () => {
  const services = COMPOSE.slice(COMPOSE.indexOf("\nservices:"), COMPOSE.indexOf("\nvolumes:"));
  const secrets = services.split("\n").filter((line) => /\$\{\w+(SECRET|PASSWORD)\b/.test(line));
  expect(secrets.length).toBeGreaterThan(3);
  expect(secrets.filter((line) => !/^ {6}[A-Z_]+: \$\{\w+:\?\}$/.test(line))).toEqual([]);
});

test("Caddy balances the services of compose", () => {
  const upstreams = /\{\$UPSTREAMS:(.+)\}/.exec(CADDYFILE)?.[1]?.split(" ") ?? [];
  const services = [...COMPOSE.matchAll(/^ {2}(foyer-\d): \*foyer$/gm)].map(
    ([, name = ""]) => `${name}:3000`,
  );
  expect(upstreams).toEqual(services);
  expect(DOCKERFILE).toContain("PORT=3000");
});

test("each argument is text: what ends in a colon, or has one before a space, is a key unless it is in quotes", () => {
  const items = [...COMPOSE.matchAll(/^ +- (.+)$/gm)].map(([, item = ""]) => item);
  expect(items.length).toBeGreaterThan(40);
  expect(items.filter((item) => /^[^"'].*:( |$)/.test(item))).toEqual([]);
});

/** Of this machine, or gone from newer versions of coturn, which do so by themselves. */
const NOT_IN_COMPOSE =
  /^(listening-|min-port|max-port|realm|static-auth-secret|pidfile|no-stun-backward-compatibility)/;

test("the relay is as strict as the one that Foyer starts", () => {
  const none = {
    listening: undefined,
    relay: undefined,
    external: undefined,
    allowedPeers: [],
    mayUseLoopback: false,
  };
  const own = buildTurnserverConfig({
    port: 3478,
    minPort: 49_152,
    maxPort: 49_663,
    secret: "",
    addresses: none,
    pidFile: "",
    runAs: undefined,
  });
  const wanted = own
    .trim()
    .split("\n")
    .filter((line) => !NOT_IN_COMPOSE.test(line));
  const args = new Set([...COMPOSE.matchAll(/^ {6}- "?--(.+?)"?$/gm)].map(([, arg = ""]) => arg));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((line) => !args.has(line))).toEqual([]);
});

test("every package that is there for one of the two platforms is there for the other", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { os?: string[]; cpu?: string[] }>;
  };
  const ofX64 = Object.entries(packages).filter(
    ([, { os, cpu }]) => os?.includes("linux") && cpu?.includes("x64"),
  );
  expect(ofX64.length).toBeGreaterThan(3);
  expect(ofX64.map(([path]) => path.replace("x64", "arm64")).filter((path) => !(path in packages))).toEqual(
    [],
  );
});

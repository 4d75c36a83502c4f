import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { parseConfig } from "../config.ts";
import { printUnit } from "./install-service.ts";
import { buildUnit, type UnitOptions } from "./unit.ts";

const ANALYZE = "/usr/bin/systemd-analyze";

const OPTIONS: UnitOptions = {
  title: "example.org",
  root: "/opt/foyer",
  node: process.execPath,
  nodeFlags: ["--max-semi-space-size=4"],
  user: "foyer",
  writable: ["/opt/foyer/data"],
  ports: [3000],
  memory: "75%",
  name: "foyer",
};

const read = (unit: string, key: string) => unit.match(new RegExp(`^${key}=(.*)$`, "m"))?.[1];

test("the site runs under its account, may write to its data alone and gets no rights of root's", () => {
  const unit = buildUnit(OPTIONS);
  expect(read(unit, "User")).toBe("foyer");
  expect(read(unit, "ReadWritePaths")).toBe('"/opt/foyer/data"');
  expect(read(unit, "ProtectSystem")).toBe("strict");
  expect(read(unit, "NoNewPrivileges")).toBe("yes");
  expect(read(unit, "CapabilityBoundingSet")).toBe("");
  expect(read(unit, "ProtectHome")).toBe("yes");
});

test("a port that only root may open gives that one capability", () => {
  expect(read(buildUnit({ ...OPTIONS, ports: [3000, 25] }), "CapabilityBoundingSet")).toBe(
    "CAP_NET_BIND_SERVICE",
  );
  expect(read(buildUnit({ ...OPTIONS, ports: [0, 1024] }), "AmbientCapabilities")).toBe("");
});

test("a clone or data below /home can be reached", () => {
  expect(read(buildUnit({ ...OPTIONS, root: "/home/ada/foyer" }), "ProtectHome")).toBe("no");
  expect(read(buildUnit({ ...OPTIONS, writable: ["/home/ada/data"] }), "ProtectHome")).toBe("no");
  expect(read(buildUnit({ ...OPTIONS, root: "/homepage" }), "ProtectHome")).toBe("yes");
});

test("names with spaces, quotes, percent and dollar signs stay names", () => {
  const unit = buildUnit({ ...OPTIONS, node: '/opt/a "b" $c/50%/node', writable: ["/srv/ışık data/50%"] });
  expect(read(unit, "ExecStart")).toContain('"/opt/a \\"b\\" $$c/50%%/node" ');
  expect(read(unit, "ReadWritePaths")).toBe('"/srv/ışık data/50%%"');
});

test("the folder of the audit log's copy is one that the service may write to", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const config = parseConfig(
    { FOYER_DATA_DIR: "/srv/none/data", AUDIT_SINK: "file:/srv/none/log/audit.log" },
    root,
  );
  const deps = { config, root, run: async () => ({ code: 0, output: "" }), onProgress: () => undefined };
  const unit = await printUnit({ name: "foyer", memory: "1G" }, deps);
  expect(unit).toContain('ReadWritePaths="/srv/none/data" "/srv/none/log"');
});

// Counted as skipped where the machine has no systemd.
(existsSync(ANALYZE) ? test : test.skip)("systemd takes the unit, and calls it little exposed", () => {
  const folder = mkdtempSync(join(tmpdir(), "foyer-unit-"));
  const file = join(folder, "foyer.service");
  try {
    writeFileSync(file, buildUnit({ ...OPTIONS, root: folder, writable: [folder] }));
    expect(execFileSync(ANALYZE, ["verify", file], { encoding: "utf8", stdio: "pipe" })).toBe("");
    const security = execFileSync(ANALYZE, [
      "security",
      "--offline=true",
      "--no-pager",
      "--threshold=25",
      file,
    ]);
    expect(String(security)).toMatch(/exposure level for foyer\.service: 1\.\d OK/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

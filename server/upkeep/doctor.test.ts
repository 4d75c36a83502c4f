import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { parseConfig } from "../config.ts";
import { examine } from "./doctor.ts";
import type { DoctorDeps } from "./doctor-backups.ts";

const NOW = new Date("2026-11-26T12:00:00Z");
const UNIT = "User=foyer\nMemoryMax=1G\n";

let folder: string;
let server: Server;
let url: string;
let ready: number;
let passesSockets: boolean;
let settings: NodeJS.ProcessEnv;
/** What `systemctl show` says. */
let shown: Record<string, string>;
let unit: string;
let copies: DoctorDeps["copies"];
let bucket: DoctorDeps["bucket"];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "foyer-doctor-"));
  mkdirSync(join(folder, "data/backups"), { recursive: true });
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/.foyer-build"), "");
  writeFileSync(join(folder, "foyer.service"), UNIT);
  writeFileSync(join(folder, "data/backups/a.zip"), "");
  utimesSync(join(folder, "data/backups/a.zip"), NOW, NOW);
  [ready, passesSockets, unit, copies, bucket] = [200, true, UNIT, undefined, undefined];
  shown = {
    LoadState: "loaded",
    ActiveState: "active",
    UnitFileState: "enabled",
    NRestarts: "0",
    FragmentPath: join(folder, "foyer.service"),
  };
  server = createServer((request, response) => {
    response
      .writeHead(request.url === "/api/health/live" ? 204 : request.url === "/api/health/ready" ? ready : 400)
      .end();
  });
  server.on("upgrade", (_request, socket) => {
    socket.end(
      passesSockets
        ? "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        : "HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  settings = { PORT: String(port), PUBLIC_URL: url };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** The report's lines, by the thing that each is about. */
async function look(): Promise<{ isWell: boolean; of(title: string): string }> {
  const { lines, isWell } = await examine({
    config: parseConfig({ FOYER_DATA_DIR: "data", ...settings }, folder),
    root: folder,
    service: "foyer",
    run: async (file, [verb]) => {
      if (file === "timedatectl") return { code: 0, output: "yes" };
      if (verb === "cat") return { code: 1, output: "" };
      return {
        code: 0,
        output: Object.entries(shown)
          .map((pair) => pair.join("="))
          .join("\n"),
      };
    },
    now: () => NOW,
    copies,
    bucket,
    printUnit: async ({ user, memory }) => unit.replace("foyer", user).replace("1G", memory),
  });
  return {
    isWell,
    of(title) {
      const at = lines.findIndex((line) => line.slice(2).startsWith(title));
      return lines
        .slice(at, at + 2)
        .filter((line, index) => index === 0 || line.includes("→"))
        .join("\n");
    },
  };
}

test("a site in order has nothing to mend", async () => {
  const { isWell, of } = await look();
  expect(of("Site")).toBe(`✓ Site         It answers at ${url}, and so does its database.`);
  expect(of("Service")).toContain("✓ Service");
  expect(of("Address")).toContain("leads here, sockets too");
  expect(of("Mail")).toContain("· Mail");
  expect(of("Backups")).toContain("of today");
  expect(of("Audit log")).toContain("✓ Audit log    The site adds to the audit log and can't change it.");
  expect(isWell).toBe(true);
});

test("a database whose account may change the audit log is told, until the log has an owner", async () => {
  settings = { ...settings, DATABASE_URL: "postgresql://foyer@127.0.0.1/foyer" };
  expect((await look()).of("Audit log")).toMatch(
    /· Audit log.*found, not refused[\s\S]*→ Set DATABASE_OWNER_URL/,
  );
  settings = { ...settings, DATABASE_OWNER_URL: "postgresql://owner@127.0.0.1/foyer" };
  expect((await look()).of("Audit log")).toContain("✓ Audit log");
});

test("each fault is told with what to do", async () => {
  ready = 503;
  passesSockets = false;
  shown = { ...shown, UnitFileState: "disabled" };
  utimesSync(join(folder, "data/backups/a.zip"), new Date("2026-11-01"), new Date("2026-11-01"));
  rmSync(join(folder, "dist"), { recursive: true });
  const { isWell, of } = await look();
  expect(isWell).toBe(false);
  expect(of("Program")).toMatch(/✗.*not built[\s\S]*→ npm run build/);
  expect(of("Site")).toContain("its database doesn't");
  expect(of("Service")).toMatch(/✗[\s\S]*→ sudo systemctl enable foyer/);
  expect(of("Address")).toMatch(/✗.*passes no WebSockets on[\s\S]*→ Pass "Upgrade"/);
  expect(of("Backups")).toMatch(/✗.*days old/);
});

test("a unit of other settings is to be written anew; an uninstalled service is a choice", async () => {
  unit = "User=foyer\nMemoryMax=1G\nNoNewPrivileges=yes\n";
  expect((await look()).of("Service")).toMatch(/✗[\s\S]*install-service/);
  shown = { LoadState: "not-found" };
  const { isWell, of } = await look();
  expect(of("Service")).toContain("· Service");
  expect(isWell).toBe(true);
});

test("a site that doesn't run, an address that leads nowhere, and a mail server that is away are told", async () => {
  settings = {
    PORT: "1",
    PUBLIC_URL: "http://127.0.0.1:1",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "a@example.org",
  };
  rmSync(join(folder, "data"), { recursive: true });
  const { of } = await look();
  expect(of("Site")).toMatch(/✗.*Nothing answers[\s\S]*→ npm start/);
  expect(of("Address")).toMatch(/✗.*can't be reached/);
  expect(of("Mail")).toMatch(/✗.*ECONNREFUSED/);
  expect(of("Data folder")).toContain("· Data folder");
  expect(of("Backups")).toContain("yet: the site makes one each day at 03:30.");
  settings = { ...settings, BACKUP_DAILY: "false" };
  expect((await look()).of("Backups")).toMatch(/✗.*There is no backup/);
});

test("the other place of backups is tried; what it says is passed on", async () => {
  expect((await look()).of("Copies")).toMatch(/· Copies.*alone[\s\S]*→ Set BACKUP_TO/);
  copies = { title: "s3://host/bucket", check: async () => undefined };
  expect((await look()).of("Copies")).toBe(
    "✓ Copies       s3://host/bucket: a file could be written there and deleted again.",
  );
  copies = { title: "s3://host/bucket", check: () => Promise.reject(new Error("There is no such bucket.")) };
  const { isWell, of } = await look();
  expect(of("Copies")).toMatch(/✗ Copies.*s3:\/\/host\/bucket: There is no such bucket\.[\s\S]*→/);
  expect(isWell).toBe(false);
});

test("the bucket with the files is tried", async () => {
  expect((await look()).of("Files")).toBe("✓ Files        Uploaded files lie in the data folder.");
  bucket = { title: "s3://host/site", check: async () => undefined };
  expect((await look()).of("Files")).toBe(
    "✓ Files        Uploaded files lie in s3://host/site: one could be written there and deleted again.",
  );
  bucket = {
    title: "s3://host/site",
    check: () => Promise.reject(new Error("s3://host/site (S3_URL): it is away.")),
  };
  const { isWell, of } = await look();
  expect(of("Files")).toMatch(/✗ Files.*s3:\/\/host\/site \(S3_URL\): it is away\.[\s\S]*→ Correct S3_URL/);
  expect(isWell).toBe(false);
});

test("a place that nothing is copied to is told", async () => {
  settings = { ...settings, BACKUP_DAILY: "false", BACKUP_TO: "s3://key:secret@host/bucket" };
  copies = { title: "s3://host/bucket", check: async () => undefined };
  const { isWell, of } = await look();
  expect(of("Copies")).toMatch(
    /✗ Copies.*Nothing is copied to s3:\/\/host\/bucket.*[\s\S]*→ Set BACKUP_DAILY=true/,
  );
  expect(isWell).toBe(false);
});

test("a key that isn't there, or that the unit hides from the service, is told with the way, whoever may read it", async () => {
  copies = { title: "sftp://ada@host/x", check: async () => undefined };
  shown = { ...shown, User: "foyer", ProtectHome: "yes", PrivateTmp: "yes" };
  const setKey = (file: string) => {
    settings = { ...settings, BACKUP_TO: "sftp://ada@host/x", BACKUP_TO_KEY_FILE: file };
  };
  const keys = mkdtempSync("/tmp/foyer-doctor-key-");
  const key = join(keys, "backup");
  writeFileSync(key, "");
  const settle = "/etc/foyer-backup.key, set BACKUP_TO_KEY_FILE=/etc/foyer-backup.key";
  try {
    for (const [file, setting] of [
      ["/root/.ssh/foyer-test-none", "ProtectHome"],
      ["/home/ada/.ssh/foyer-test-none", "ProtectHome"],
      [key, "PrivateTmp"],
    ] as const) {
      setKey(file);
      expect((await look()).of("Copies")).toContain(
        `doesn't see the key ${file}: its unit hides that folder (${setting})`,
      );
    }
    expect((await look()).of("Copies")).toContain(`→ sudo install -o foyer -m 600 ${key} ${settle}`);
    shown = { ...shown, PrivateTmp: "no" };
    expect((await look()).of("Copies")).toContain("could be written there");

    rmSync(key);
    const { isWell, of } = await look();
    expect(of("Copies")).toContain(`There is no key ${key} (BACKUP_TO_KEY_FILE)`);
    expect(of("Copies")).toContain(`→ sudo install -o foyer -m 600 YOUR_KEY ${settle}`);
    expect(isWell).toBe(false);
    shown = { ...shown, PrivateTmp: "yes" };
    expect((await look()).of("Copies")).toContain("hides that folder (PrivateTmp). There is no such file.");
  } finally {
    rmSync(keys, { recursive: true });
  }
});

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { podman, succeeds } from "./podman.ts";

const run = promisify(execFile);

const RELEASE = "trixie";
export const BASE = `localhost/foyer-base:${RELEASE}`;
export const IMAGE = "localhost/foyer:bench";
/** Certificate authorities that this machine trusts besides: the way to npm may need them. */
const AUTHORITIES = "usr/local/share/ca-certificates";

/** What debootstrap makes holds what it fetched; debian:…-slim doesn't. */
const LEFT_OUT = [
  "./var/cache/apt/archives/*.deb",
  "./var/lib/apt/lists/*",
  "./usr/share/doc/*",
  "./usr/share/man/*",
  "./usr/share/locale/*",
];

/** Packs a folder, and hands it to podman as an image. */
async function importFolder(folder: string): Promise<void> {
  const tar = spawn("tar", ["-C", folder, ...LEFT_OUT.map((path) => `--exclude=${path}`), "-c", "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const into = spawn("podman", ["import", "-", BASE], { stdio: [tar.stdout, "ignore", "inherit"] });
  const [[packed], [imported]] = await Promise.all([once(tar, "exit"), once(into, "exit")]);
  if (packed !== 0 || imported !== 0) throw new Error(`the base image: tar ${packed}, podman ${imported}`);
}

/** In place of a registry's Debian: a system that debootstrap makes, once. */
export async function ensureBase(): Promise<void> {
  if (await succeeds("image", "exists", BASE)) return;
  const folder = await mkdtemp(join(tmpdir(), "foyer-base-"));
  try {
    await run("debootstrap", ["--variant=minbase", RELEASE, folder], { maxBuffer: 64 * 1024 * 1024 });
    const own = join("/", AUTHORITIES);
    await mkdir(join(folder, AUTHORITIES), { recursive: true });
    if (existsSync(own)) await cp(own, join(folder, AUTHORITIES), { recursive: true });
    await importFolder(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds container/Dockerfile upon it; what didn't change since the last time is taken from there. @returns the image */
export async function buildImage(): Promise<string> {
  await podman(
    ...["build", "--format", "docker", "--network", "host"],
    // A container in which RUN would work is what some machines refuse.
    ...["--isolation", "chroot", "--layers", "--build-arg", `BASE=${BASE}`],
    ...["--file", "container/Dockerfile", "--tag", IMAGE, "."],
  );
  return IMAGE;
}

/** Bytes of an image and of what it is made upon. */
export async function measureImage(): Promise<{ image: number; base: number }> {
  const sizeOf = async (name: string) =>
    Number(await podman("image", "inspect", "--format", "{{.Size}}", name));
  return { image: await sizeOf(IMAGE), base: await sizeOf(BASE) };
}

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
export const PLATFORMS = ["amd64", "arm64"] as const;
/** Where a function takes one, undefined is this machine's own. */
export type Platform = (typeof PLATFORMS)[number];
/** As the qemu-user-static package names them. */
const EMULATORS: Readonly<Record<Platform, string>> = { amd64: "qemu-x86_64", arm64: "qemu-aarch64" };

const toName = (name: string, platform: Platform | undefined) => (platform ? `${name}-${platform}` : name);
const toFlags = (platform: Platform | undefined) => (platform ? ["--arch", platform] : []);
const ownPlatform = async () => (await run("dpkg", ["--print-architecture"])).stdout.trim();

/**
 * The machine runs programs of the platform: it is its own, or an emulator of the qemu-user-static package is set up for it.
 * @throws Error with what to do
 */
export async function requirePlatform(platform: Platform): Promise<void> {
  if ((await ownPlatform()) === platform) return;
  const emulator = join("/proc/sys/fs/binfmt_misc", EMULATORS[platform]);
  if (!existsSync(emulator))
    throw new Error(
      `programs of ${platform} don't run here: apt install qemu-user-static binfmt-support; without systemd also: ` +
        "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && update-binfmts --enable",
    );
}

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
async function importFolder(folder: string, platform: Platform | undefined): Promise<void> {
  const tar = spawn("tar", ["-C", folder, ...LEFT_OUT.map((path) => `--exclude=${path}`), "-c", "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const into = spawn("podman", ["import", ...toFlags(platform), "-", toName(BASE, platform)], {
    stdio: [tar.stdout, "ignore", "inherit"],
  });
  const [[packed], [imported]] = await Promise.all([once(tar, "exit"), once(into, "exit")]);
  if (packed !== 0 || imported !== 0) throw new Error(`the base image: tar ${packed}, podman ${imported}`);
}

/** In place of a registry's Debian: a system that debootstrap makes, once. */
export async function ensureBase(platform?: Platform): Promise<void> {
  if (await succeeds("image", "exists", toName(BASE, platform))) return;
  const folder = await mkdtemp(join(tmpdir(), "foyer-base-"));
  try {
    const args = ["--variant=minbase", ...toFlags(platform), RELEASE, folder];
    await run("debootstrap", args, { maxBuffer: 64 * 1024 * 1024 });
    const own = join("/", AUTHORITIES);
    await mkdir(join(folder, AUTHORITIES), { recursive: true });
    if (existsSync(own)) await cp(own, join(folder, AUTHORITIES), { recursive: true });
    await importFolder(folder, platform);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds container/Dockerfile upon it, by programs of this machine's own; what didn't change since the last time is taken from there. @returns the image */
export async function buildImage(platform?: Platform): Promise<string> {
  const name = toName(IMAGE, platform);
  await podman(
    ...["build", "--format", "docker", "--network", "host"],
    // A container in which RUN would work is what some machines refuse.
    ...["--isolation", "chroot", "--layers", "--build-arg", `BASE=${toName(BASE, platform)}`],
    ...["--build-arg", `BUILD_BASE=${BASE}`],
    ...(platform ? ["--platform", `linux/${platform}`] : []),
    // podman 4 doesn't say it by itself.
    ...["--build-arg", `BUILDPLATFORM=linux/${await ownPlatform()}`],
    ...["--file", "container/Dockerfile", "--tag", name, "."],
  );
  return name;
}

/** Bytes of an image and of what it is made upon. */
export async function measureImage(platform?: Platform): Promise<{ image: number; base: number }> {
  const sizeOf = async (name: string) =>
    Number(await podman("image", "inspect", "--format", "{{.Size}}", name));
  return { image: await sizeOf(toName(IMAGE, platform)), base: await sizeOf(toName(BASE, platform)) };
}

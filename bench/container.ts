import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureCompose } from "./container/compose.ts";
import { buildImage, ensureBase, measureImage, PLATFORMS, requirePlatform } from "./container/image.ts";
import { measureAlone, measureContainers } from "./container/measure.ts";
import { findFreePort, openContainedSite } from "./container/site.ts";
import { type Figure, toMb } from "./socket/figure.ts";

/**
 * `npm run bench:container [-- --compose | --platform arm64]`: builds the image with podman upon a Debian that debootstrap makes, without a registry of images, and runs two
 * processes in it over a PostgreSQL, a Redis and an S3 of this machine, as container/compose.yaml does. As root, on Debian:
 * apt install podman buildah runc debootstrap caddy postgresql redis-server. `--compose`: compose.yaml
 * itself is started, upon images of Debian's packages in the place of those of a registry (and podman-compose, netavark, aardvark-dns, iptables, coturn).
 * `--platform`: the image of another platform is built and started by itself, with an emulator (qemu-user-static).
 * Exit code 1 when something isn't as it should be.
 *
 * No part of `npm test`: it fetches 300 packages of Debian and all of npm's, and needs to be root.
 */
const NEEDED = ["/usr/bin/podman", "/usr/sbin/debootstrap", "/usr/bin/redis-server"];
const missing = NEEDED.filter((path) => !existsSync(path));
if (missing.length > 0) throw new Error(`this needs ${missing.join(", ")}`);

/** Says what takes long, and how long it took. */
async function time<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begin = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  return result;
}

const { values: options } = parseArgs({
  options: { compose: { type: "boolean" }, platform: { type: "string" } },
});
const platform = PLATFORMS.find((known) => known === options.platform);
if (options.platform !== platform) throw new Error(`--platform is one of ${PLATFORMS.join(", ")}`);
if (options.compose && platform) throw new Error("--compose is of this machine's platform");
if (platform) await requirePlatform(platform);

await time("base image", () => ensureBase());
if (platform) await time(`base image for ${platform}`, () => ensureBase(platform));
const image = await time("image", () => buildImage(platform));
const { image: whole, base } = await measureImage(platform);
console.log(`image: ${toMb(whole)}, of which the base ${toMb(base)}`);

function show(figures: readonly Figure[]): void {
  for (const { name, bar, measured, isMet } of figures) {
    const mark = isMet === undefined ? "      " : isMet ? "met   " : "MISSED";
    console.log(`${mark} ${name}\n       ${bar && `bar ${bar}; `}measured ${measured}`);
    if (isMet === false) process.exitCode = 1;
  }
}

if (options.compose) show(await measureCompose());
else {
  const site = await openContainedSite(image);
  try {
    if (platform) show(await measureAlone(site));
    else await measureContainers(site, await findFreePort(), show);
  } finally {
    await site.close();
  }
}

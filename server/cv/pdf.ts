import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as z from "zod/mini";
import { LANGUAGES, type Language, toLanguage } from "#contract/languages.ts";
import { AppError } from "#server/base/errors.ts";
import { createSharedWork, createWorkQueue } from "#server/base/limits.ts";
import type { Floor } from "#server/floor.ts";
import type { App } from "#server/http/zod.ts";

/** As packages call it; the one without windows first, as it needs the least. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];
/** A CV takes two or three seconds. */
const TIME_LIMIT_MS = 30_000;
/** After a failure visitors get the page for this long: a Chromium that doesn't start isn't started for each of them. */
const PAUSE_MS = 60_000;
const MAX_PDF_BYTES = 20_000_000;
/** Browsers show it by a viewer of their own, which other rules would stop. */
const PDF_CSP = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const LOW_PRIORITY = 10;

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The given Chromium, else the first on `PATH`; undefined where there is none. Looked for each time: it may be installed meanwhile. */
async function findChromium(given: string | undefined): Promise<string | undefined> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const paths =
    given === undefined ? folders.flatMap((folder) => NAMES.map((name) => join(folder, name))) : [given];
  for (const path of paths) if (await isExecutable(path)) return path;
  return undefined;
}

/** Whether this process may gain no rights, as in the service's unit: then nothing that it starts can make a sandbox of its own. */
async function isConfined(): Promise<boolean> {
  const status = await readFile("/proc/self/status", "utf8").catch(() => "");
  return /^NoNewPrivs:\s*1$/m.test(status);
}

/** Without network but for the site itself: everything else goes to a proxy that nobody is. As root Chromium has no sandbox. */
function toArguments(folder: string, url: URL, hasSandbox: boolean): string[] {
  return [
    "--headless",
    ...(hasSandbox ? [] : ["--no-sandbox"]),
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
    "--proxy-server=http://127.0.0.1:9",
    `--proxy-bypass-list=<-loopback>;${url.host}`,
    // So high that pictures which load when they are scrolled to are there.
    "--window-size=1200,10000",
    `--user-data-dir=${join(folder, "profile")}`,
    "--no-pdf-header-footer",
    `--print-to-pdf=${join(folder, "cv.pdf")}`,
    url.href,
  ];
}

/** Runs it to its end, or to the limit. It and what it started are gone then. @throws Error where it fails */
async function run(chromium: string, folder: string, url: URL, abandoned: AbortSignal): Promise<void> {
  const hasSandbox = process.getuid?.() !== 0 && !(await isConfined());
  // A group of its own, which is ended as a whole; the environment of the site, with its secrets, is none of its business.
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8" };
  const child = spawn(chromium, toArguments(folder, url, hasSandbox), {
    cwd: folder,
    env,
    detached: true,
    stdio: "ignore",
  });
  const { pid } = child;
  const end = () => {
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  };
  const limit = AbortSignal.any([abandoned, AbortSignal.timeout(TIME_LIMIT_MS)]);
  limit.addEventListener("abort", end, { once: true });
  return new Promise<void>((resolve, reject) => {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`Chromium ended with ${signal ?? code}`)),
    );
  }).finally(() => {
    limit.removeEventListener("abort", end);
    end();
  });
}

const FOLDER_PREFIX = "foyer-print-";
/** Far longer than one prints, in this process or in another one of this account. */
const LEFT_OVER_MS = 60 * 60_000;

/** Takes away what processes that were killed while they printed have left. What can't go keeps nothing else. */
async function removeLeftOver(now: Date, onFault: (error: unknown) => void): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const name of names) {
    const folder = join(tmpdir(), name);
    // Anybody may make a link of such a name there.
    const found = await lstat(folder).catch(() => undefined); // it has just gone
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (Math.abs(now.getTime() - found.mtimeMs) > LEFT_OVER_MS)
      await rm(folder, { recursive: true, force: true }).catch(onFault);
  }
}

/** A page as a PDF. @throws Error where none comes out */
async function print(chromium: string, url: URL, abandoned: AbortSignal): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
  try {
    await run(chromium, folder, url, abandoned);
    const pdf = await readFile(join(folder, "cv.pdf"));
    if (pdf.length > MAX_PDF_BYTES || pdf.toString("latin1", 0, 5) !== "%PDF-")
      throw new Error("what Chromium wrote is no PDF");
    return pdf;
  } finally {
    // A process that was just killed may still write for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The page without its app, and with links that lead to it from wherever the PDF is opened; without a public address there are none. */
function toPrintable(html: string, publicUrl: string | undefined): string {
  const toLink = (tag: string) =>
    tag.replace(/ href="(\/(?!\/)[^"]*)"/, (_href, path: string) =>
      publicUrl === undefined ? "" : ` href="${publicUrl}${path}"`,
    );
  return html.replace(/<script\b[^>]*type="module"[^>]*><\/script>/g, "").replace(/<a\b[^>]*>/g, toLink);
}

/** Anything but `tr` is English, so nothing here is refused. */
const query = z.object({ lang: z.optional(z.unknown()) });

/** The site as a process on this machine reaches it; undefined while it doesn't listen. */
export function toLoopback(addresses: ReturnType<App["addresses"]>): string | undefined {
  const [found] = addresses;
  if (!found || typeof found === "string") return undefined;
  const { address, family, port } = found;
  const loopback = { "0.0.0.0": "127.0.0.1", "::": "::1" }[address] ?? address;
  return `http://${family === "IPv6" ? `[${loopback}]` : loopback}:${port}`;
}

/**
 * `/cv.pdf`: the page of the CV as the machine's own Chromium prints it, one at a time, and again only once the page has changed. Where there
 * is none, where it fails and where several wait already, visitors get the page itself, which prints well from every browser.
 */
export function registerPdf(
  app: App,
  { config, stores, log, now, steadyMs }: Pick<Floor, "config" | "stores" | "log" | "now" | "steadyMs">,
): void {
  const printed = new Map<Language, { version: string; pdf: Buffer }>();
  const queue = createWorkQueue({ slots: 1, maxWaiting: LANGUAGES.length });
  const shared = createSharedWork<Buffer>();
  /** Where Chromium finds the page: nobody else knows the address. */
  const printPath = `/print/${randomBytes(16).toString("base64url")}`;
  const closing = new AbortController();
  let pausedUntil = Number.NEGATIVE_INFINITY;
  app.addHook("onClose", async () => closing.abort());
  app.addHook("onReady", async () => {
    const onFault = (error: unknown) =>
      log.warn(
        { err: error },
        `a folder ${FOLDER_PREFIX}… of a former print can't be removed from ${tmpdir()}`,
      );
    await removeLeftOver(now(), onFault).catch(onFault);
  });

  /** The page's version: what it shows, in one word. Undefined where there is no CV. */
  async function readVersion(lang: Language): Promise<string | undefined> {
    const { statusCode, headers } = await app.inject({ method: "GET", url: `/${lang}/cv` });
    return statusCode === 200 ? headers.etag : undefined;
  }

  async function getPdf(lang: Language): Promise<Buffer | undefined> {
    const version = await readVersion(lang);
    const known = printed.get(lang);
    if (version === undefined || known?.version === version) return known?.pdf;
    const origin = toLoopback(app.addresses());
    if (origin === undefined || steadyMs() < pausedUntil) return undefined;
    const chromium = await findChromium(config.chromiumPath);
    if (chromium === undefined) return undefined;
    const faults = stores.countFaults();
    // Of this version: who asks while an older one is being printed doesn't get that.
    const pdf = await shared.run(`${lang} ${version}`, undefined, () =>
      queue.inSlot(() => print(chromium, new URL(`${printPath}/${lang}`, origin), closing.signal)),
    );
    // Where files could not be had its pictures may be missing: it is printed again for the next who asks.
    if (stores.countFaults() === faults) printed.set(lang, { version, pdf });
    return pdf;
  }

  app.get(
    `${printPath}/:lang`,
    { schema: { hide: true, params: z.object({ lang: z.enum(LANGUAGES) }) } },
    async (request, reply) => {
      const page = await app.inject({ method: "GET", url: `/${request.params.lang}/cv` });
      const policy = page.headers["content-security-policy"];
      if (policy === undefined) reply.removeHeader("Content-Security-Policy");
      else reply.header("Content-Security-Policy", policy);
      return reply
        .code(page.statusCode)
        .type("text/html; charset=utf-8")
        .send(toPrintable(page.body, config.publicUrl));
    },
  );

  app.get(
    "/cv.pdf",
    { schema: { tags: ["cv"], summary: "The CV as a PDF, or the way to its page", querystring: query } },
    async (request, reply) => {
      const lang = toLanguage(request.query.lang);
      const pdf = await getPdf(lang).catch((error: unknown) => {
        if (error instanceof AppError) return undefined; // others are being printed
        pausedUntil = steadyMs() + PAUSE_MS;
        log.warn({ err: error }, "the CV could not be printed; visitors of /cv.pdf get the page");
        return undefined;
      });
      reply.header("Cache-Control", "no-cache");
      if (!pdf) return reply.redirect(`/${lang}/cv`);
      return reply
        .type("application/pdf")
        .header("Content-Disposition", `inline; filename="cv-${lang}.pdf"`)
        .header("Content-Security-Policy", PDF_CSP)
        .send(pdf);
    },
  );
}

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";

/**
 * What is saved must be laid out within this much processor time. 50,000 characters of ordinary text take 80 ms, full of links and
 * emphasis up to 900 in a thread that has just begun on a slow machine; 12,000 of marks alone take 5 s, 48,000 minutes.
 */
const WRITE_LIMIT_MS = 1_500;
/** Of a text that stands there already, from a backup or an older version: once for each start of the server, aside. */
const SHOW_LIMIT_MS = 5_000;
/** Ten times the longest text. References repeat an address wherever they are named. */
const MAX_HTML_CHARS = 500_000;
const HEAP_MB = 192;
/** How often the time of a text under way is looked at. */
const LOOK_EVERY_MS = 20;
/** Characters of texts and HTML that are kept. */
const MAX_KEPT_CHARS = 16_000_000;

const THREAD = "foyer:markdown";

/** Lays Markdown out as HTML. Undefined when it takes more processor time than that, or makes too much of it. */
export type ParseMarkdown = (text: string, limitMs: number) => Promise<string | undefined>;

/** What the thread of its own does; micromark needs cubic time for some texts. */
async function answerTexts(port: NonNullable<typeof parentPort>): Promise<void> {
  const { micromark } = await import("micromark");
  port.on("message", (text: string) => {
    const html = micromark(text);
    port.postMessage(html.length > MAX_HTML_CHARS ? undefined : html);
  });
  port.postMessage("ready");
}

if (!isMainThread && workerData === THREAD && parentPort) await answerTexts(parentPort);

/** One text in a thread of its own, which ends with it. */
async function parseApart(text: string, limitMs: number): Promise<string | undefined> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: THREAD,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  worker.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY" ? resolve(undefined) : reject(error),
  );
  worker.once("exit", () => resolve(undefined));
  let look: NodeJS.Timeout | undefined;
  worker.once("message", async () => {
    worker.once("message", resolve);
    // Not the time that its start takes.
    const begin = await worker.cpuUsage();
    look = setInterval(async () => {
      const used = await worker.cpuUsage(begin).catch(() => undefined); // it has ended meanwhile
      if (used && (used.user + used.system) / 1000 > limitMs) await worker.terminate();
    }, LOOK_EVERY_MS);
    worker.postMessage(text);
  });
  return promise.finally(async () => {
    clearInterval(look);
    await worker.terminate();
  });
}

/** Parses one text after the other, each in a thread of its own. */
export function createMarkdownThread(): ParseMarkdown {
  const queue = pLimit(1);
  return (text, limitMs) => queue(() => parseApart(text, limitMs));
}

/** A text as it is written, its paragraphs apart. */
function toPlainHtml(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const paragraphs = escaped.split(/\n\n+/).filter((part) => part.trim() !== "");
  return paragraphs.map((part) => `<p>${part}</p>`).join("\n");
}

/** Markdown of the owner as HTML. No request of a visitor lays a text out that was laid out before. */
export interface Markdown {
  /** Kept from then on. What takes too long is shown as it is written. */
  toHtml(text: string): Promise<string>;
  /** Of a text that is about to be saved: undefined where it takes too long. */
  lay(text: string): Promise<string | undefined>;
  keep(text: string, html: string): void;
}

export function createMarkdown(deps: {
  parse: ParseMarkdown;
  log: { warn(details: object, message: string): void };
}): Markdown {
  const { parse, log } = deps;
  const kept = new LRUCache<string, string>({
    maxSize: MAX_KEPT_CHARS,
    sizeCalculation: (html, text) => html.length + text.length + 1,
  });
  /** By text: many who ask at once wait for one. */
  const underWay = new Map<string, Promise<string>>();

  async function load(text: string): Promise<string> {
    const html = await parse(text, SHOW_LIMIT_MS);
    if (html === undefined)
      log.warn(
        { characters: text.length },
        "a page's text takes too long to lay out and is shown as it is written: edit the page, the console says what to do",
      );
    const shown = html ?? toPlainHtml(text);
    kept.set(text, shown);
    return shown;
  }

  return {
    async toHtml(text) {
      const known = kept.get(text) ?? underWay.get(text);
      if (known !== undefined) return known;
      const loading = load(text).finally(() => underWay.delete(text));
      underWay.set(text, loading);
      return loading;
    },
    lay: (text) => parse(text, WRITE_LIMIT_MS),
    keep: (text, html) => void kept.set(text, html),
  };
}

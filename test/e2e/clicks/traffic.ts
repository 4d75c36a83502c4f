import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request } from "playwright-core";

/** Calls that change nothing, although they are no GET. */
const READS = /\/(token\/refresh|refresh|preview|export|challenge|verify)\/$/;
/** So many looks at the page, one after another, see nothing going on. */
const QUIET_LOOKS = 3;
const LOOK_EVERY_MS = 80;
/** What is busy for longer keeps itself busy. */
const SETTLE_LIMIT_MS = 60_000;

interface Write {
  /** Method, address and body. */
  call: string;
  /** What a server has refused it has not done: to ask again is no doubling. */
  isRefused: boolean;
}

/** What a page sends, and whether it still does something. */
export interface Traffic {
  /** Since it was last forgotten: whether there were calls that change something, and which one was sent twice. */
  hasWritten(): boolean;
  /**
   * With something else between, the same call can be meant where there were three presses: at one place of an order they move
   * the first row down, the next one, and the first again.
   */
  findDoubled(presses: number): string | undefined;
  forget(): void;
  /** Until no call is under way and the page's processor is idle: `networkidle` is about the first load of a document alone. */
  settle(): Promise<void>;
}

const isWrite = (request: Request) =>
  request.method() !== "GET" && !READS.test(new URL(request.url()).pathname);

/** Whether the last calls repeat those right before them. */
function repeatsItself(calls: readonly string[]): boolean {
  for (let length = 1; 2 * length <= calls.length; length += 1) {
    const before = calls.slice(-2 * length, -length);
    if (calls.slice(-length).every((call, place) => call === before[place])) return true;
  }
  return false;
}

/** Two pictures have been drawn and nothing waits for the processor. */
const idle = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
      }),
  );

export function watchTraffic(page: Page): Traffic {
  const writes = new Map<Request, Write>();
  let repeated: string | undefined;
  let stuttered: string | undefined;
  let sent = 0;
  const open = new Set<Request>();
  page.on("request", (request) => {
    sent += 1;
    // What a document had under way ends with it, not always with a word.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    // An event stream stays open for as long as its page.
    if (request.resourceType() !== "eventsource") open.add(request);
    if (!isWrite(request)) return;
    const call = `${request.method()} ${request.url()} ${request.postData() ?? ""}`;
    const before = [...writes.values()].filter(({ isRefused }) => !isRefused).map((write) => write.call);
    if (before.includes(call)) repeated ??= call;
    if (repeatsItself([...before, call])) stuttered ??= call;
    writes.set(request, { call, isRefused: false });
  });
  page.on("response", (response) => {
    const write = writes.get(response.request());
    if (write && response.status() >= 400) write.isRefused = true;
  });
  page.on("requestfinished", (request) => void open.delete(request));
  page.on("requestfailed", (request) => void open.delete(request));
  return {
    hasWritten: () => writes.size > 0,
    findDoubled: (presses) => (presses > 2 ? stuttered : repeated),
    forget() {
      writes.clear();
      repeated = undefined;
      stuttered = undefined;
    },
    async settle() {
      const end = Date.now() + SETTLE_LIMIT_MS;
      for (let quiet = 0; quiet < QUIET_LOOKS && Date.now() < end; ) {
        const before = sent;
        await sleep(LOOK_EVERY_MS);
        // A document that goes away meanwhile answers with an error: then something is going on.
        const isIdle = await idle(page).then(
          () => true,
          () => page.isClosed(),
        );
        quiet = isIdle && open.size === 0 && sent === before ? quiet + 1 : 0;
      }
    },
  };
}

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { WITH_MICROPHONE } from "./voice-people.ts";

const { executablePath, args } = WITH_MICROPHONE.launchOptions;

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** In which a page says what became of a call. */
interface Evaluated {
  result: { value?: unknown };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

/**
 * One page of Chromium by its own protocol (CDP) alone. Playwright's calls count as the visitor's gestures, so that sound is
 * always let out, and keep its pages shown. Here only `click` is a gesture, and a page can be hidden.
 */
export class RawPage {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;
  #sessionId: string | undefined;

  private constructor(process: ChildProcess, folder: string, socket: WebSocket) {
    this.#process = process;
    this.#folder = folder;
    this.#socket = socket;
    socket.on("message", (data) => {
      const answer: Answer = JSON.parse(String(data));
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  /** A browser of its own, with one page in which `script` runs before every document's own. */
  static async open(script: string): Promise<RawPage> {
    const folder = mkdtempSync(join(tmpdir(), "foyer-raw-browser-"));
    const browser = spawn(
      executablePath ?? "",
      ["--headless", "--remote-debugging-port=0", `--user-data-dir=${folder}`, ...args, "about:blank"],
      // A group of its own: Debian's program is a script that starts the browser.
      { stdio: ["ignore", "ignore", "pipe"], detached: true },
    );
    const page = new RawPage(browser, folder, new WebSocket(await readAddress(browser)));
    await new Promise((resolve, reject) => page.#socket.once("open", resolve).once("error", reject));
    const { targetId } = await page.#send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await page.#send("Target.attachToTarget", { targetId, flatten: true });
    page.#sessionId = sessionId as string;
    await page.#send("Page.enable");
    await page.#send("Page.addScriptToEvaluateOnNewDocument", { source: script });
    return page;
  }

  async #send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(
        JSON.stringify({ id, method, params, ...(this.#sessionId && { sessionId: this.#sessionId }) }),
      );
    });
    this.#waiting.delete(id);
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result ?? {};
  }

  async goto(url: string): Promise<void> {
    await this.#send("Page.navigate", { url });
  }

  /** Without a gesture, unlike Playwright's. */
  async evaluate<Result, Argument>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result> {
    const evaluated = (await this.#send("Runtime.evaluate", {
      // What a bundler's names of functions would leave behind is not there: Playwright only takes types away.
      expression: `(${run})(${argument === undefined ? "undefined" : JSON.stringify(argument)})`,
      awaitPromise: true,
      returnByValue: true,
      userGesture: false,
    })) as unknown as Evaluated;
    const { exceptionDetails, result } = evaluated;
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Result;
  }

  /** All text of the document; "" while there is no document. */
  readText(): Promise<string> {
    return this.evaluate(() => document.body?.textContent ?? "", undefined);
  }

  /** Of the first button with this text, where it can be clicked. */
  async #findButton(name: string): Promise<{ x: number; y: number } | undefined> {
    return this.evaluate((text) => {
      const found = [...document.querySelectorAll("button")].find(
        (button) => button.textContent.trim() === text && !button.disabled,
      );
      found?.scrollIntoView({ block: "center" });
      const box = found?.getBoundingClientRect();
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, name);
  }

  /** By the page's own script: no gesture. @returns whether the button is there. */
  async clickByScript(name: string): Promise<boolean> {
    return this.evaluate((text) => {
      const found = [...document.querySelectorAll("button")].find(
        (button) => button.textContent.trim() === text && !button.disabled,
      );
      found?.click();
      return found !== undefined;
    }, name);
  }

  /** As the visitor does: a gesture. @returns whether the button is there. */
  async click(name: string): Promise<boolean> {
    const at = await this.#findButton(name);
    if (!at) return false;
    for (const type of ["mousePressed", "mouseReleased"])
      await this.#send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 });
    return true;
  }

  /** As another tab, or another window, in front of it. */
  async setHidden(isHidden: boolean): Promise<void> {
    const { windowId } = await this.#send("Browser.getWindowForTarget");
    const windowState = isHidden ? "minimized" : "normal";
    await this.#send("Browser.setWindowBounds", { windowId, bounds: { windowState } });
  }

  async close(): Promise<void> {
    this.#socket.terminate();
    const ended = new Promise((resolve) => this.#process.once("close", resolve));
    process.kill(-(this.#process.pid ?? 0), "SIGKILL");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function readAddress(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    browser.stderr?.on("data", (text) => {
      said += text;
      const found = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    browser.once("error", reject);
    browser.once("exit", () => reject(new Error(`the browser ended:\n${said}`)));
  });
}

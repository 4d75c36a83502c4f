import type { Browser, Locator, Page } from "playwright-core";
import { type Control, DIALOG, fillFields, listControls, toLocator } from "./controls.ts";
import type { Fault } from "./faults.ts";
import { type Act, openStage, type Stage } from "./stage.ts";
import { tryControl } from "./try-control.ts";
import { NoAnswer, within } from "./within.ts";

/** A screen whose controls are tried. */
export interface TriedScreen {
  name: string;
  path: string;
  /** What is clicked before its controls are looked for. */
  open?: (page: Page) => Promise<void>;
  /** Fields are filled first, so that what saves can be pressed. */
  isFilled?: boolean;
}

export interface Trial {
  openBrowser: () => Promise<Browser>;
  rhythms: readonly string[];
  slowdown: number;
  isOwner: boolean;
  /** Leaves out the frame around all screens, such as the header. */
  isFrameLeftOut: boolean;
  /** Kinds of controls that were tried on an earlier screen. */
  seen: Set<string>;
  /** An attempt was given up, and another one begins. */
  onRetry?: ((screen: string, reason: string) => void) | undefined;
}

/** All that one press brings, on a busy machine; what takes longer hangs. */
const TRY_LIMIT_MS = 300_000;
/** A browser that hung gets a new one; so does a control that an earlier press has taken away. */
const ATTEMPTS = 2;

/** A record's form stands in a dialog over its list. */
async function findForm(page: Page): Promise<Locator> {
  const dialog = page.locator(DIALOG).filter({ visible: true }).last();
  return (await dialog.count()) > 0 ? dialog : page.locator("main");
}

const firstLine = (error: unknown) =>
  error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);

/** Tries one screen with each rhythm. */
export class ScreenTrial {
  readonly #screen: TriedScreen;
  readonly #trial: Trial;
  readonly #faults: Fault[] = [];
  #stage: Stage | undefined;
  /** How many controls were pressed. */
  tried = 0;

  constructor(screen: TriedScreen, trial: Trial) {
    this.#screen = screen;
    this.#trial = trial;
  }

  async run(): Promise<Fault[]> {
    try {
      const controls = await this.#attempt(() => this.#listControls());
      for (const rhythm of this.#trial.rhythms)
        for (const control of controls) await this.#tryOne(control, rhythm);
    } catch (error) {
      this.#note({ kind: "not tried", text: firstLine(error) });
    } finally {
      await this.#leave();
    }
    return this.#faults;
  }

  #note(fault: Omit<Fault, "screen">): void {
    this.#faults.push({ screen: this.#screen.name, ...fault });
  }

  /** Within its limit, and once more on a new stage where the first one broke. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await within(TRY_LIMIT_MS, this.#screen.name, work());
      } catch (error) {
        await this.#leave();
        if (attempt === ATTEMPTS) throw error;
        this.#trial.onRetry?.(this.#screen.name, firstLine(error));
      }
  }

  async #leave(): Promise<void> {
    const stage = this.#stage;
    this.#stage = undefined;
    await stage?.close();
  }

  async #listControls(): Promise<Control[]> {
    const { page } = await this.#open();
    const { seen, isFrameLeftOut } = this.#trial;
    const all = await listControls(page);
    // Filled or not, the same button does another thing.
    const key = ({ kind, isInMain }: Control) =>
      isInMain ? `${this.#screen.path} ${this.#screen.isFilled ?? false} ${kind}` : kind;
    const controls = all.filter(
      (control) => !seen.has(key(control)) && (control.isInMain || !isFrameLeftOut),
    );
    for (const control of controls) seen.add(key(control));
    return controls;
  }

  async #tryOne(control: Control, rhythm: string): Promise<void> {
    const about = { control: control.name, rhythm };
    let found: Omit<Fault, "screen">[] = [];
    try {
      await this.#attempt(async () => {
        // An attempt that was given up may go on and find what doesn't count.
        const mine: typeof found = [];
        found = mine;
        const act = await this.#open();
        // An earlier press may have moved it, or taken it away.
        const here = (await listControls(act.page)).find(({ kind }) => kind === control.kind);
        if (!here) throw new Error("isn't there any more");
        await act.cdp.send("Emulation.setCPUThrottlingRate", { rate: this.#trial.slowdown });
        for await (const finding of tryControl(act, toLocator(act.page, here), rhythm))
          mine.push({ ...about, ...finding });
        if (await this.#stage?.hasLostSession()) await this.#leave();
      });
      this.tried += 1;
    } catch (error) {
      found.push({ ...about, kind: "not tried", text: firstLine(error) });
    }
    for (const fault of found) this.#note(fault);
  }

  /** The screen on a new page, at the machine's own speed. */
  async #open(): Promise<Act> {
    this.#stage ??= await openStage(this.#trial.openBrowser, { isOwner: this.#trial.isOwner });
    const act = await this.#stage.next();
    const { page, traffic } = act;
    page.on("pageerror", ({ message }) => this.#note({ kind: "error", text: message }));
    await page.goto(this.#stage.url + this.#screen.path);
    await page.locator("h1").first().waitFor();
    await traffic.settle();
    const isAtLogin = new URL(page.url()).pathname === "/login" && this.#screen.path !== "/login";
    if (isAtLogin) throw new NoAnswer("the session has ended");
    await this.#screen.open?.(page);
    if (this.#screen.isFilled) await fillFields(await findForm(page));
    await traffic.settle();
    return act;
  }
}

import type { Locator, Page, Request } from "playwright-core";
import { type Control, fillFields, listControls, toLocator } from "./controls.ts";
import { press, RHYTHMS } from "./press.ts";
import type { Act, Stage } from "./stage.ts";

/** A screen whose controls are tried. */
export interface TriedScreen {
  name: string;
  path: string;
  /** What is clicked before its controls are looked for. */
  open?: (page: Page) => Promise<void>;
  /** Fields are filled first, so that what saves can be pressed. */
  isFilled?: boolean;
}

/** Calls that change nothing, although they are no GET. */
const READS = /\/(token\/refresh|refresh|preview|export|challenge|verify)\/$/;
const DIALOG = "dialog[open], [role=dialog], [role=alertdialog]";
const SUBMIT = "button[type=submit], .ant-btn-primary, .ant-btn-dangerous";
/** How long a dialog may take to come or go on a slow machine; what hangs is a trap. */
const PATIENCE_MS = 20_000;

const isWrite = (request: Request) =>
  request.method() !== "GET" && !READS.test(new URL(request.url()).pathname);

const findDialog = (page: Page): Locator => page.locator(DIALOG).filter({ visible: true }).last();

/** Tries one screen with each rhythm; controls whose kind is in `seen` were tried on another one. */
export class ScreenTrial {
  readonly #screen: TriedScreen;
  readonly #seen: Set<string>;
  readonly #openStage: () => Promise<Stage>;
  readonly #faults: string[] = [];
  #stage!: Stage;
  #act!: Act;
  #writes: string[] = [];
  /** How many controls were pressed. */
  tried = 0;

  constructor(screen: TriedScreen, seen: Set<string>, openNewStage: () => Promise<Stage>) {
    this.#screen = screen;
    this.#seen = seen;
    this.#openStage = openNewStage;
  }

  get #page(): Page {
    return this.#act.page;
  }

  /** @returns what is wrong, a line each. */
  async run(rhythms: readonly string[]): Promise<string[]> {
    this.#stage = await this.#openStage();
    await this.#open();
    // Filled or not, the same button does another thing.
    const prefix = this.#screen.isFilled ? "filled " : "";
    const all = await listControls(this.#page);
    const controls = all.filter(({ kind }) => !this.#seen.has(prefix + kind));
    for (const { kind } of controls) this.#seen.add(prefix + kind);
    for (const rhythm of rhythms)
      for (const control of controls) await this.#tryOne(control, all.length, rhythm);
    await this.#stage.close();
    return this.#faults;
  }

  async #tryOne(control: Control, count: number, rhythm: string): Promise<void> {
    try {
      await this.#open();
      // An earlier press has changed what is there, perhaps deleted it.
      if ((await listControls(this.#page)).length !== count) {
        await this.#stage.close();
        this.#stage = await this.#openStage();
        await this.#open();
      }
      await this.#tryControl(control, rhythm);
    } catch (error) {
      this.#note(control, rhythm, error instanceof Error ? error.message.split("\n")[0] : String(error));
    }
  }

  #note({ name }: Control, rhythm: string, fault: string | undefined): void {
    if (fault) this.#faults.push(`${this.#screen.name}: “${name}”, ${rhythm}: ${fault}`);
  }

  async #open(): Promise<void> {
    await this.#load();
    if (new URL(this.#page.url()).pathname === "/login" && this.#screen.path !== "/login") {
      await this.#stage.signIn();
      await this.#load();
    }
    await this.#screen.open?.(this.#page);
    if (this.#screen.isFilled) await fillFields(this.#page.locator("main"));
  }

  async #load(): Promise<void> {
    this.#act = await this.#stage.next();
    this.#page.on("request", (request) => {
      if (isWrite(request))
        this.#writes.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`);
    });
    this.#page.on("pageerror", ({ message }) => void this.#faults.push(`${this.#screen.name}: ${message}`));
    await this.#page.goto(this.#stage.url + this.#screen.path);
    await this.#page.locator("h1").first().waitFor();
    await this.#page.waitForLoadState("networkidle");
  }

  async #press(control: Locator, rhythm: string): Promise<string | undefined> {
    this.#writes = [];
    await press(this.#act.cdp, control, RHYTHMS[rhythm] ?? []);
    await this.#page.waitForLoadState("networkidle");
    const doubled = this.#writes.find((write, index) => this.#writes.indexOf(write) !== index);
    return doubled && `written twice: ${doubled.slice(0, 200)}`;
  }

  async #tryControl(control: Control, rhythm: string): Promise<void> {
    this.tried += 1;
    const fault = (text: string | undefined) => this.#note(control, rhythm, text);
    const locator = toLocator(this.#page, control);
    const before = this.#page.url();
    const hadDialog = await findDialog(this.#page).isVisible();
    fault(await this.#press(locator, rhythm));
    const isOpen = !hadDialog && (await findDialog(this.#page).isVisible());
    if (isOpen) {
      fault(await this.#leaveDialog(before));
      fault(await this.#opensAgain(locator));
      fault(await this.#tryDialog(rhythm));
    } else if (!hadDialog && this.#page.url() === before && this.#writes.length === 0) {
      fault(await this.#opensOnlyOnce(locator));
    }
  }

  /** Escape closes, and the address is what it was. */
  async #leaveDialog(before: string): Promise<string | undefined> {
    await this.#page.keyboard.press("Escape");
    const isGone = await findDialog(this.#page)
      .waitFor({ state: "hidden", timeout: PATIENCE_MS })
      .then(
        () => true,
        () => false,
      );
    if (!isGone) return "Escape doesn't close what it opened";
    await this.#page.waitForLoadState("networkidle");
    return this.#page.url() === before ? undefined : `after Escape the address is ${this.#page.url()}`;
  }

  async #opensAgain(locator: Locator): Promise<string | undefined> {
    await this.#press(locator, "once");
    const isOpen = await findDialog(this.#page)
      .waitFor({ timeout: PATIENCE_MS })
      .then(
        () => true,
        () => false,
      );
    return isOpen ? undefined : "opens nothing the second time";
  }

  /** Nothing is open: then nothing may be opened by one click either, or the second click has closed it. */
  async #opensOnlyOnce(locator: Locator): Promise<string | undefined> {
    if (!(await locator.isVisible()) || !(await locator.isEnabled())) return undefined;
    await this.#press(locator, "once");
    return (await findDialog(this.#page).isVisible())
      ? "what one click opens, this one leaves closed"
      : undefined;
  }

  /** Fills what is asked and presses what saves. */
  async #tryDialog(rhythm: string): Promise<string | undefined> {
    const dialog = findDialog(this.#page);
    if (!(await dialog.isVisible())) return undefined;
    await fillFields(dialog);
    const submit = dialog.locator(SUBMIT).filter({ visible: true }).last();
    if ((await submit.count()) === 0 || !(await submit.isEnabled())) return undefined;
    return this.#press(submit, rhythm);
  }
}

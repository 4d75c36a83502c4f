import type { Browser } from "playwright-core";
import { listTriedScreens } from "./screens.ts";
import { openStage } from "./stage.ts";
import { ScreenTrial, type TriedScreen } from "./try-screen.ts";

export interface TryOptions {
  /** A running prepared site, which tells what screens there are. */
  url: string;
  /** Names of RHYTHMS. */
  rhythms: readonly string[];
  /** How many times slower the page's processor is. */
  slowdown: number;
  /** Which screens; all where not said. */
  isWanted?: (screen: TriedScreen) => boolean;
  onScreen?: (name: string, tried: number, faults: readonly string[]) => void;
}

/**
 * Presses every control of every screen in each rhythm; one that many screens have, such as those of the header, on the first of them.
 * @returns what is wrong, a line each.
 */
export async function tryAll(browser: Browser, options: TryOptions): Promise<string[]> {
  const { url, rhythms, slowdown, isWanted = () => true, onScreen } = options;
  const { strangers, owners } = await listTriedScreens(url);
  const faults: string[] = [];
  for (const [screens, isOwner] of [[strangers, false] as const, [owners, true] as const]) {
    const seen = new Set<string>();
    for (const screen of screens.filter(isWanted)) {
      const trial = new ScreenTrial(screen, seen, () => openStage(browser, { slowdown, isOwner }));
      const found = await trial.run(rhythms);
      onScreen?.(screen.name, trial.tried, found);
      faults.push(...found);
    }
  }
  return faults;
}

import type { Browser } from "playwright-core";
import type { Fault } from "./faults.ts";
import { listTriedScreens } from "./screens.ts";
import { ScreenTrial, type TriedScreen } from "./try-screen.ts";

export interface TryOptions {
  /** A running prepared site, which lists what screens there are. */
  url: string;
  /** Names of RHYTHMS. */
  rhythms: readonly string[];
  /** How many times slower the page's processor is. */
  slowdown: number;
  /** Leaves out the frame around all screens, such as the header. */
  isFrameLeftOut?: boolean;
  /** Which screens; all where not said. */
  isWanted?: (screen: TriedScreen) => boolean;
  onScreen?: (name: string, tried: number, faults: readonly Fault[]) => void;
  onRetry?: (screen: string, reason: string) => void;
}

/**
 * Presses every control of every screen in each rhythm; one that many screens have, such as those of the header, on the first of them.
 * @param openBrowser A press may hang a browser or end its session: the trial goes on in a new one.
 */
export async function tryAll(openBrowser: () => Promise<Browser>, options: TryOptions): Promise<Fault[]> {
  const {
    url,
    rhythms,
    slowdown,
    isWanted = () => true,
    isFrameLeftOut = false,
    onScreen,
    onRetry,
  } = options;
  const { strangers, owners } = await listTriedScreens(url);
  const faults: Fault[] = [];
  for (const [screens, isOwner] of [[strangers, false] as const, [owners, true] as const]) {
    const seen = new Set<string>();
    for (const screen of screens.filter(isWanted)) {
      const trial = new ScreenTrial(screen, {
        openBrowser,
        rhythms,
        slowdown,
        isOwner,
        isFrameLeftOut,
        seen,
        onRetry,
      });
      const found = await trial.run();
      onScreen?.(screen.name, trial.tried, found);
      faults.push(...found);
    }
  }
  return faults;
}

import type { Player } from "./player.ts";

/** What clients do against a server; the transcript is what they saw. */
export interface Scenario {
  /** Its number, and the name of its file. */
  id: string;
  title: string;
  play(player: Player): Promise<void>;
}

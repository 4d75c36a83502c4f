import type { Config } from "../config.ts";
import type { Run } from "./system.ts";

/** What was found of one thing: `good`, `note` (nothing to do, or by choice), `bad` with what to do about it. */
export interface Verdict {
  state: "good" | "note" | "bad";
  text: string;
  todo?: string;
}

export interface DoctorDeps {
  config: Config;
  /** The clone. */
  root: string;
  service: string;
  run: Run;
  now: () => Date;
  /** Where copies of backups go (BACKUP_TO); `check` writes there and rejects with what is wrong. */
  copies: { title: string; check(): Promise<void> } | undefined;
  /** The unit as this version writes it, for the settings that hold and what was chosen at its installation. */
  printUnit(chosen: { user: string; memory: string }): Promise<string>;
}

export const good = (text: string): Verdict => ({ state: "good", text });
export const note = (text: string, todo?: string): Verdict => ({
  state: "note",
  text,
  ...(todo && { todo }),
});
export const bad = (text: string, todo: string): Verdict => ({ state: "bad", text, todo });

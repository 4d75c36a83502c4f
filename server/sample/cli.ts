import type { Command } from "commander";
import type pg from "pg";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { type RemovedModel, removeSample } from "./service.ts";

function formatRemoved(outcomes: readonly RemovedModel[]): string[] {
  const found = outcomes.filter(({ removed }) => removed.length > 0);
  if (found.length === 0) return [];
  const lines = found.map(
    ({ label, removed }) => `  ${label.padEnd(16)}${String(removed.length).padStart(2)}`,
  );
  return ["Removed the sample content:", ...lines];
}

function formatKept(outcomes: readonly RemovedModel[]): string[] {
  const lines = outcomes.flatMap(({ label, kept }) => kept.map(({ title }) => `  ${label}: ${title}`));
  return lines.length === 0 ? [] : ["Kept, because it was edited since it came:", ...lines];
}

/** What `foyer sample remove` did, as lines for a terminal. */
function formatRemoval(outcomes: readonly RemovedModel[]): string {
  const lines = [...formatRemoved(outcomes), ...formatKept(outcomes)];
  return `${lines.join("\n") || "Nothing is left of the sample content."}\n`;
}

/** Adds `sample remove`. */
export function registerSampleCommands(
  program: Command,
  open: () => Promise<{
    pool: pg.Pool;
    storage: { delete(key: string): Promise<void> };
    close(): Promise<void>;
  }>,
): void {
  const sample = program.command("sample").description("the sample content that Foyer came with");
  sample
    .command("remove")
    .description("remove the sample content; what you edited stays")
    .action(async () => {
      const { pool, storage, close } = await open();
      try {
        const text = formatRemoval(await removeSample(pool, storage, SYSTEM_ACTOR));
        program.configureOutput().writeOut?.(text);
      } finally {
        await close();
      }
    });
}

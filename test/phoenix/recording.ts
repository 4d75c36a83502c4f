import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** One line of a transcript, without its time. */
export interface RecordedLine {
  /** Name of the client; lines of plain HTTP have none. */
  conn?: string;
  dir: "c2s" | "s2c" | "api" | "server";
  kind?: "text" | "binary" | "upgrade" | "close" | "http" | "http_error";
  [detail: string]: unknown;
}

export interface TranscriptHeader {
  scenario: string;
  title: string;
  server: string;
  client: string;
}

/** What one scenario saw, each line with the milliseconds since it began. */
export class Recording {
  #lines: ({ t: number } & RecordedLine)[] = [];
  readonly #startedAt = Date.now();
  #isOver = false;

  add(line: RecordedLine): void {
    if (!this.#isOver) this.#lines.push({ t: Date.now() - this.#startedAt, ...line });
  }

  get length(): number {
    return this.#lines.length;
  }

  get lines(): readonly RecordedLine[] {
    return this.#lines;
  }

  /** Keeps the first and the last lines of a scenario whose middle says nothing. */
  keepEnds(first: number, last: number): void {
    this.#lines = this.#lines.filter((_, i) => i < first || i > this.#lines.length - last);
  }

  /** What the clients' clean-up does is no part of the scenario. */
  stop(): void {
    this.#isOver = true;
  }

  async save(directory: string, header: TranscriptHeader): Promise<void> {
    const lines = [header, ...this.#lines].map((line) => JSON.stringify(line));
    await writeFile(join(directory, `${header.scenario}.jsonl`), `${lines.join("\n")}\n`);
  }
}

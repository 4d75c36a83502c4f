import type { Answerer } from "./questions.ts";

export type Handler = (body: unknown, from: string) => void;

/**
 * This process among those of its site. An address stands for one presence without a gap: who was cut off comes back under another one, so that
 * nobody takes up what the others have given up. Nothing here throws for a process that is gone.
 */
export interface Link {
  /** Where the others reach this process. Another one after each gap. */
  readonly self: string;
  /** Whether it is heard. The carrier may be up and refuse. */
  readonly isIn: boolean;
  /** Addresses of all that are there, this one too, in one order everywhere. */
  list(): readonly string[];
  /** Of these, those that aren't about to stop. This one alone, where it knows no other. */
  listStaying(): readonly string[];
  /** Which of those that stay keeps what has this name. */
  findHome(name: string): string;
  /** @returns false: it isn't there */
  send(to: string, kind: string, body: unknown): boolean;
  sendToAll(kind: string, body: unknown): void;
  /** Of each kind there is one handler. */
  on(kind: string, handler: Handler): void;
  /** @returns what the other one's `answer` gave. @throws ProcessGoneError, without an answer after `timeoutMs` (3 s) too */
  ask(to: string, kind: string, body: unknown, timeoutMs?: number): Promise<unknown>;
  answer(kind: string, answerer: Answerer): void;
  /** A process was heard of, is about to stop, or is gone; or this one was cut off, or came back. Behind `onGone`. */
  onChange(listener: () => void): void;
  onGone(listener: (address: string) => void): void;
  /** Says that this process is about to stop: it is reached as before, but gets nothing new to keep. */
  retire(): void;
  close(): Promise<void>;
}

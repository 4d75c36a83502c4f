import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Where a command reads and writes. */
export interface Terminal {
  environment: NodeJS.ProcessEnv;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** What a person at the terminal can put right; its message is the one line they read. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** Asks questions one after the other; what is typed is not shown. Undefined when the person gives up (Ctrl-C, Ctrl-D). */
async function askHidden(terminal: Terminal, questions: readonly string[]): Promise<string[] | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: terminal.input, output: nowhere, terminal: true });
  const lines = prompt[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      terminal.output.write(question);
      const line = await lines.next();
      terminal.output.write("\n");
      if (line.done) return undefined;
      answers.push(line.value);
    }
    return answers;
  } finally {
    prompt.close();
  }
}

/** The password of a new account: `FOYER_PASSWORD`, else asked for twice. @throws CommandError. */
export async function readPassword(terminal: Terminal): Promise<string> {
  const given = terminal.environment.FOYER_PASSWORD;
  if (given) return given;
  if (!terminal.input.isTTY) {
    throw new CommandError("no password: set FOYER_PASSWORD, or run this in a terminal to be asked for it");
  }
  const answers = await askHidden(terminal, ["Password: ", "Password again: "]);
  if (!answers) throw new CommandError("cancelled");
  if (answers[0] !== answers[1]) throw new CommandError("the two passwords differ");
  return answers[0] ?? "";
}

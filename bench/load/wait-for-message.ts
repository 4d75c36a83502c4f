import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** The next message of a child process. @throws Error when it ends before that. */
export async function waitForMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the child process ended with ${code ?? signal}`);
  });
  ended.catch(() => undefined); // it is ended on purpose later
  const [message] = await Promise.race([once(child, "message"), ended]);
  return message as Message; // what the child sends
}

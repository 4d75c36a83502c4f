import { connect } from "node:net";

const TIMEOUT_MS = 10_000;
/** No server has that much to say before it is asked anything. */
const MAX_ANSWER_LENGTH = 16_384;

/** Whether a mail server offers to encrypt. Nothing is sent through it. @throws Error when it can't be asked */
export async function offersStartTls(host: string, port: number, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  const socket = connect({ host, port, signal: AbortSignal.timeout(timeoutMs) });
  let isGreeted = false;
  let answer = "";
  // Leaving the loop closes the connection.
  for await (const chunk of socket.setEncoding("latin1")) {
    answer += chunk;
    if (answer.length > MAX_ANSWER_LENGTH) break;
    // The last line of an answer has a blank behind its number.
    const status = /^(\d)\d\d(?: .*)?\r?\n/m.exec(answer)?.[1];
    if (status === undefined) continue;
    if (status !== "2") break;
    if (isGreeted) return /^250[ -]STARTTLS\b/im.test(answer);
    isGreeted = true;
    answer = "";
    socket.write("EHLO [127.0.0.1]\r\n");
  }
  throw new Error("The mail server did not say what it offers.");
}

import type { Transcript } from "./compare.ts";

const ANSWER = /^H 200 (\{.*\})$/s;

function readMessages(frame: string): string[] | undefined {
  const body = ANSWER.exec(frame)?.[1];
  const answer: { status?: number; messages?: string[] } = body ? JSON.parse(body) : {};
  return answer.status === 200 ? answer.messages : undefined;
}

/**
 * The same transcript with what all polls brought in one list, behind the other answers: how messages spread over polls is
 * a matter of milliseconds, also between two runs of one server.
 */
export function joinPolls(transcript: Transcript): Transcript {
  const others: string[] = [];
  const messages: string[] = [];
  for (const frame of transcript.get("http") ?? []) {
    const brought = readMessages(frame);
    if (brought) messages.push(...brought);
    else others.push(frame);
  }
  return new Map([...transcript, ["http", [...others, ...messages]]]);
}

import type { FastifyReply } from "fastify";

/** Aborted when the client goes while its answer is still being made: what runs for it is of no use. */
export function toAbortSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { raw } = reply;
  raw.once("close", () => {
    if (!raw.writableEnded) controller.abort();
  });
  return controller.signal;
}

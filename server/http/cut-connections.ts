import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * In a stop, cuts each connection that carries no request, and others behind their answer. Node would wait for those that said
 * nothing yet, or half a request, or left HTTP, and would keep answered ones alive. Hooks of `preClose` run in order: whoever
 * takes leave on a connection that left HTTP comes before.
 */
export function cutConnectionsOnClose(app: FastifyInstance): void {
  /** Requests under way on each: a client may send the next one before its answer. */
  const counts = new Map<Socket, number>();
  let isStopping = false;

  function change(socket: Socket, difference: 1 | -1): void {
    const count = counts.get(socket);
    if (count === undefined) return;
    counts.set(socket, count + difference);
    if (isStopping && count + difference === 0) socket.destroySoon();
  }
  function onClose(this: Socket): void {
    counts.delete(this);
  }
  app.server.on("connection", (socket: Socket) => {
    counts.set(socket, 0);
    socket.once("close", onClose);
  });
  app.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    change(socket, 1);
    response.once("close", () => change(socket, -1));
  });
  app.addHook("preClose", async () => {
    isStopping = true;
    for (const [socket, count] of counts) if (count === 0) socket.destroy();
  });
}

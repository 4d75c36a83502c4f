import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

/** Loaded into the server before everything else: each connection that it opens over a network is a line of a file. */
const file = process.env.FOYER_BENCH_SOCKETS;
const connect = Socket.prototype.connect;
Socket.prototype.connect = function counted(...args) {
  const [first] = args.flat();
  const target = typeof first === "object" && first !== null ? first : { port: first };
  // The database is a socket of the file system.
  if (file && target.path === undefined)
    appendFileSync(file, `${target.host ?? "localhost"}:${target.port}\n`);
  return connect.apply(this, args);
};

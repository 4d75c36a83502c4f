import { setTimeout } from "node:timers/promises";
import pg from "pg";

const SHARE = 0.25;
const LONGEST_MS = 40;
const { connect } = pg.Pool.prototype;

/** Some connections are handed out late, so that of requests that begin together now this one, now that one is first. */
pg.Pool.prototype.connect = function connectLate(callback) {
  if (Math.random() > SHARE) return connect.call(this, callback);
  return setTimeout(Math.random() * LONGEST_MS).then(() => connect.call(this, callback));
};

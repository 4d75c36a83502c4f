import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { openMailSink } from "#test/mail-sink.ts";
import { openTestOutbox, sendDue, type TestOutbox } from "./test-outbox.ts";
import { SENDER_VARIABLE } from "./test-sender.ts";
import { createSmtpTransport } from "./transports.ts";
import { createOutboxWorker } from "./worker.ts";

/** By which others go on with what a killed process had in hand. */
const LEASE_MS = 10_000;

let outbox: TestOutbox;
beforeEach(async () => {
  outbox = await openTestOutbox();
});
afterEach(() => outbox.close());

test("a mail whose process is killed before it was handed over is sent by another one, once its lease of ten seconds is over", async () => {
  await outbox.mail.queue(outbox.pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });
  // It takes connections, and never greets.
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const connected = once(silent, "connection") as Promise<[Socket]>;
  const { port } = silent.address() as AddressInfo; // it listens on TCP
  const child = spawn(process.execPath, [join(import.meta.dirname, "test-sender.ts")], {
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      [SENDER_VARIABLE]: JSON.stringify({
        connection: outbox.database.connection,
        smtpUrl: `smtp://127.0.0.1:${port}`,
      }),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [socket] = await connected;
  child.kill("SIGKILL");
  await Promise.all([once(child, "exit"), once(socket.resume(), "close")]);
  silent.close();

  const sink = await openMailSink();
  const transport = createSmtpTransport(sink.url);
  const other = createOutboxWorker({ ...outbox.toDeps(transport), isShared: true });
  expect(await other.lease(outbox.pool)).toEqual([]);
  outbox.clock.now += LEASE_MS;
  await sendDue(outbox.toDeps(transport), other);
  expect(sink.accepted).toHaveLength(1);
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", attempts: 2 }]);
  await transport.close();
  await sink.close();
});

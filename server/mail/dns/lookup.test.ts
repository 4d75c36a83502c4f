import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { offersStartTls } from "./lookup.ts";

const servers: Server[] = [];

/** A mail server that greets, and gives `answer` to what comes next. Undefined: it says nothing. */
async function openServer(greeting: string | undefined, answer = "") {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {}); // the other side hangs up when it has received enough
    if (greeting) socket.write(greeting);
    socket.on("data", (data) => {
      received.push(data.toString());
      socket.end(answer);
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, received };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => once(server.close(), "close")));
});

test.each([
  ["220 mx ESMTP\r\n", "250-mx\r\n250-SIZE 1000\r\n250-STARTTLS\r\n250 HELP\r\n", true],
  ["220-mx\r\n220 welcome\r\n", "250-mx\r\n250 starttls\r\n", true],
  ["220 mx\r\n", "250-mx\r\n250 XSTARTTLS\r\n", false],
  ["220 mx STARTTLS\r\n", "250 mx\r\n", false],
])("a server of %j that offers %j", async (greeting, answer, isOffered) => {
  const { port, received } = await openServer(greeting, answer);
  expect(await offersStartTls("127.0.0.1", port)).toBe(isOffered);
  expect(received).toEqual(["EHLO [127.0.0.1]\r\n"]);
});

test.each([
  ["refuses us", "554 go away\r\n", ""],
  ["refuses the question", "220 mx\r\n", "502 what?\r\n"],
  ["hangs up", "220 mx\r\n", ""],
  ["never ends its greeting", "220-mx\r\n".repeat(5_000), ""],
])("a server that %s can't be asked", async (_, greeting, answer) => {
  const { port } = await openServer(greeting, answer);
  await expect(offersStartTls("127.0.0.1", port)).rejects.toThrow("did not say");
});

test("a server that says nothing is left when the time is over", async () => {
  const { port } = await openServer(undefined);
  await expect(offersStartTls("127.0.0.1", port, 1)).rejects.toThrow();
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Channel } from "#server/socket/channel.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { openSocketClient, type SocketClient } from "#test/socket-client.ts";
import { makeScratchCopy, readRecipe, type ScratchCopy } from "./scratch-copy.ts";

const CHANNEL = "server/site/bell-channel.ts";
const SOCKETS = "server/open-sockets.ts";

let copy: ScratchCopy;
let site: TestApp;
beforeAll(async () => {
  copy = makeScratchCopy(["server", "contract", "locales"]);
  for (const [file, text] of readRecipe("A new channel")) copy.write(file, text);
  const { bellChannel } = await copy.load<{ bellChannel: Channel }>(CHANNEL);
  site = await createTestApp({ channels: [bellChannel] });
});
afterAll(async () => {
  await site.close();
  copy.remove();
});

test("the recipe touches three files: the server names each channel in one place, and loads", async () => {
  copy.insert(SOCKETS, 'from "./http/zod.ts";\n', 'import { bellChannel } from "./site/bell-channel.ts";\n');
  copy.insert(SOCKETS, " channels: [", "bellChannel, ");
  expect(copy.listTouched()).toEqual(["contract/bell.ts", SOCKETS, CHANNEL]);
  expect(await copy.runModule('import "#server/open-sockets.ts"; console.log("loaded");')).toBe("loaded\n");
});

test("its channel can be joined by staff, says what it was sent, and refuses what its schema doesn't take", async () => {
  const url = `${(await site.listen()).replace("http", "ws")}/socket/websocket?vsn=2.0.0`;
  const connect = async (level: number, username: string): Promise<SocketClient> => {
    const { accessToken } = await site.signInAs(level, username);
    return openSocketClient(`${url}&token=${accessToken}`);
  };
  const [ada, grace, alan] = [await connect(10, "ada"), await connect(10, "grace"), await connect(1, "alan")];
  for (const staff of [ada, grace]) expect(await staff.join("bell:front")).toBe("ok");
  expect(await alan.join("bell:front")).toBe("unauthorized");

  ada.send("1", "2", "bell:front", "ring", { text: "x".repeat(101) });
  ada.send("1", "3", "bell:front", "ring", { text: "Endpoint" });
  const [rung] = await grace.take("rung");
  expect(rung?.[4]).toEqual({ text: "Endpoint", by: expect.any(Number) });
  const replies = await ada.take("phx_reply", 3);
  expect(replies.map(([, , , , payload]) => payload.status)).toEqual(["ok", "error", "ok"]);

  for (const client of [ada, grace, alan]) client.close();
  await Promise.all([ada, grace, alan].map((client) => client.waitForClose()));
});

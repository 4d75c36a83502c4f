import type { HttpAnswer, Player } from "./player.ts";
import type { Scenario } from "./scenario.ts";

const LINES = { "content-type": "application/x-ndjson" };
const JSON_TYPE = { "content-type": "application/json" };

const toLines = (...messages: unknown[][]): string =>
  messages.map((message) => JSON.stringify(message)).join("\n");

function requireToken(answer: HttpAnswer): string {
  const token = answer.json?.token;
  if (!token) throw new Error("The answer to a first poll has no token");
  return token;
}

/** The npm client polls with the global fetch; there is no option for another. */
async function recordFetch(player: Player, run: () => Promise<void>): Promise<void> {
  const { recording } = player;
  const realFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const { method, headers, body = null } = init ?? {};
    recording.add({ dir: "c2s", kind: "http", method, url: String(input), headers, body });
    try {
      const response = await realFetch(input, init);
      const text = await response.clone().text();
      recording.add({ dir: "s2c", kind: "http", status: response.status, body: text });
      return response;
    } catch (error) {
      recording.add({ dir: "s2c", kind: "http_error", message: (error as Error).name });
      throw error;
    }
  };
  try {
    await run();
  } finally {
    globalThis.fetch = realFetch;
  }
}

/** One session: empty poll, tokens by query and by header, a batch, content types, binary, too many lines. */
async function playSession(player: Player): Promise<string> {
  const token = requireToken(await player.http("GET", "/socket/longpoll?vsn=2.0.0&user_id=raw"));
  const url = `/socket/longpoll?vsn=2.0.0&user_id=raw&token=${encodeURIComponent(token)}`;
  await player.http("GET", url);
  await player.http("POST", url, {
    headers: LINES,
    body: toLines(
      ["1", "1", "voice:room:r33", "phx_join", {}],
      ["1", "2", "voice:room:r33", "echo", { a: 1 }],
      [null, "3", "phoenix", "heartbeat", {}],
    ),
  });
  await player.pause(150);
  await player.http("GET", url);

  const byHeader = { "x-phoenix-longpoll-token": token };
  await player.http("POST", "/socket/longpoll?vsn=2.0.0", {
    headers: { ...LINES, ...byHeader },
    body: toLines(["1", "4", "voice:room:r33", "echo", { hdr: 1 }]),
  });
  await player.http("GET", "/socket/longpoll?vsn=2.0.0", { headers: byHeader });

  const json = toLines(["1", "5", "voice:room:r33", "echo", { json: 1 }]);
  await player.http("POST", url, { headers: JSON_TYPE, body: json });
  await player.http("GET", url);

  const binary = [0, 1, 1, 14, 9, 49, 54, ...Buffer.from("voice:room:r33bin_reply"), 7, 7];
  await player.http("POST", url, { headers: LINES, body: Buffer.from(binary).toString("base64") });
  await player.pause(80);
  await player.http("GET", url);

  const many = Array.from({ length: 105 }, (_, i) => [null, `b${i}`, "phoenix", "heartbeat", {}]);
  await player.http("POST", url, { headers: LINES, body: toLines(...many) });
  await player.pause(50);
  const answer = await player.http("GET", url);
  const data = { replies: answer.json?.messages?.length };
  player.recording.add({ dir: "api", event: "batch of 105 lines", data });
  return url;
}

async function playFaults(player: Player, url: string): Promise<void> {
  await player.http("GET", "/socket/longpoll?vsn=2.0.0&token=garbage");
  await player.http("POST", "/socket/longpoll?vsn=2.0.0&token=garbage", { headers: LINES, body: "[]" });
  await player.http("POST", "/socket/longpoll?vsn=2.0.0", { headers: LINES, body: "[]" });
  await player.http("POST", url, { headers: LINES, body: "{oops" });
  await player.pause(100);
  await player.http("GET", url);

  const other = requireToken(await player.http("GET", "/socket/longpoll?vsn=2.0.0&user_id=raw2"));
  const otherUrl = `/socket/longpoll?vsn=2.0.0&token=${encodeURIComponent(other)}`;
  await player.http("POST", otherUrl, { headers: LINES, body: "[oops" });
  await player.pause(100);
  await player.http("GET", otherUrl);
}

async function playOtherEndpoints(player: Player): Promise<void> {
  await player.http("OPTIONS", "/socket/longpoll", {
    headers: {
      "access-control-request-headers": "content-type, x-phoenix-authtoken",
      origin: "http://localhost",
    },
  });
  await player.http("PUT", "/socket/longpoll");
  await player.http("GET", "/socket/longpoll?vsn=2.0.0&token=bad");
  await player.http("GET", "/socket/longpoll?vsn=9.0.0");

  const version1 = requireToken(await player.http("GET", "/socket/longpoll?user_id=v1"));
  const url = `/socket/longpoll?token=${encodeURIComponent(version1)}`;
  const heartbeat = JSON.stringify({ topic: "phoenix", event: "heartbeat", payload: {}, ref: "1" });
  await player.http("POST", url, { headers: JSON_TYPE, body: heartbeat });
  await player.http("GET", url);

  const expiring = requireToken(await player.http("GET", "/socket/longpoll?vsn=2.0.0&user_id=exp"));
  await player.pause(6500);
  await player.http("GET", `/socket/longpoll?vsn=2.0.0&token=${encodeURIComponent(expiring)}`);
}

export const LONGPOLL_SCENARIOS: readonly Scenario[] = [
  {
    id: "31-longpoll-npm",
    title:
      "npm LongPoll transport: connect, join, push with reply, batch, broadcast from another client, leave",
    play: (player) =>
      recordFetch(player, async () => {
        const polling = player.npmLongPoll("L", { user_id: "lp" });
        const channel = player.channel(polling, "voice:room:r31");
        await player.join(polling, channel);
        const hasReceived = (eventName: string) =>
          player.waitFor((lines) => lines.some(({ event }) => event === eventName));
        await hasReceived("on:roster_snapshot");
        await player.push(polling, channel, "echo", { a: 1 });
        channel.push("noreply", { n: 1 });
        channel.push("noreply", { n: 2 });
        await player.push(polling, channel, "echo", { n: 3 });
        const other = player.npm("W", { user_id: "ws" });
        const otherChannel = player.channel(other, "voice:room:r31");
        await player.join(other, otherChannel);
        otherChannel.push("speaking", { is_speaking: true });
        await hasReceived("on:participant_speaking");
        await player.settle(polling, channel, "leave", channel.leave());
        // A poll that brings nothing ends after 2 s.
        await player.waitFor((lines) => lines.some(({ body }) => String(body).includes('"status":204')));
        polling.socket.disconnect();
        await player.sleep(100);
      }),
  },
  {
    id: "33-longpoll-raw",
    title:
      "raw long-poll HTTP: new session, header token, empty poll 204, unknown token, POST without token, bad JSON POST, multi-line batch, content types, OPTIONS, PUT, V1",
    async play(player) {
      const url = await playSession(player);
      await playFaults(player, url);
      await playOtherEndpoints(player);
    },
  },
];

import { sendArray } from "./player.ts";
import type { RecordedLine } from "./recording.ts";
import type { Scenario } from "./scenario.ts";

const MALFORMED: readonly [name: string, frame: string][] = [
  ["not-json", "{oops"],
  ["json-string", '"hi"'],
  ["short-array", '[null,"1","phoenix"]'],
  ["object-v1-on-v2", '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}'],
  ["empty", ""],
  ["six-elements", '[null,"1","phoenix","heartbeat",{},"extra"]'],
  ["topic-number", '[null,"1",5,"phx_join",{}]'],
  ["payload-null-heartbeat", '[null,"1","phoenix","heartbeat",null]'],
  ["payload-string-join", '["1","1","voice:room:r22","phx_join","str"]'],
  ["payload-array-join", '["1","1","voice:room:r22","phx_join",[1]]'],
];

const ORIGINS: readonly [name: string, origin: string][] = [
  ["same", "http://localhost"],
  ["wild", "https://a.example.com"],
  ["evil", "http://evil.test"],
  ["port", "http://localhost:9999"],
  ["null", "null"],
];

/** Handshakes, versions, closes and limits of a WebSocket. */
export const SOCKET_SCENARIOS: readonly Scenario[] = [
  {
    id: "10-heartbeat",
    title: "client heartbeats (200 ms interval) and ping()",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" }, { heartbeatIntervalMs: 200 });
      // The client gives a reply no longer than its interval: a slow machine would be taken for a dead server.
      Object.assign(a.socket, { heartbeatTimeout: () => undefined });
      const countReplies = (lines: readonly RecordedLine[]) =>
        lines.filter(({ dir, kind }) => dir === "s2c" && kind === "text").length;
      await player.waitFor((lines) => countReplies(lines) === 1);
      a.socket.ping(() => player.recording.add({ conn: "A", dir: "api", event: "ping rtt" }));
      await player.waitFor((lines) => countReplies(lines) === 4);
    },
  },
  {
    id: "13-socket-refused",
    title: "connect returns {:error,_}, :error, unsupported vsn, invalid vsn",
    async play(player) {
      await player.raw("bad", "/socket/websocket?vsn=2.0.0&token=bad");
      await player.raw("err", "/socket/websocket?vsn=2.0.0&token=colon_error");
      await player.raw("vsn3", "/socket/websocket?vsn=3.0.0");
      await player.raw("vsnX", "/socket/websocket?vsn=abc");
      const npm = player.npm("npm", { token: "bad" }, { reconnectAfterMs: () => 150 });
      // Not for a time: how many tries fit into it is the machine's affair.
      const isRefusal = ({ conn, kind }: RecordedLine) => conn === "npm" && kind === "http";
      await player.waitFor((lines) => lines.filter(isRefusal).length === 3);
      npm.socket.disconnect();
      await player.pause(50);
    },
  },
  {
    id: "22-malformed-text",
    title: "malformed or odd text frames, one connection each",
    async play(player) {
      for (const [name, frame] of MALFORMED) {
        const raw = await player.raw(name);
        raw.send(frame);
        await Promise.race([raw.hasClosed, player.pause(250)]);
        if (raw.readyState === raw.OPEN) raw.terminate();
      }
    },
  },
  {
    id: "25-idle-timeout",
    title: "no traffic on a socket with timeout 1500 ms",
    async play(player) {
      const raw = await player.raw("A", "/short/websocket?vsn=2.0.0");
      await player.pause(1000);
      sendArray(raw, null, "1", "phoenix", "heartbeat", {});
      await Promise.race([raw.hasClosed, player.pause(4000)]);
    },
  },
  {
    id: "26-oversize-frame",
    title: "frame larger than max_frame_size (1,000,000)",
    async play(player) {
      const raw = await player.raw("A");
      player.recording.add({ conn: "A", dir: "c2s", kind: "text", note: "1,000,100 byte heartbeat frame" });
      raw.sendUnrecorded(JSON.stringify([null, "1", "phoenix", "heartbeat", { x: "a".repeat(1_000_060) }]));
      await Promise.race([raw.hasClosed, player.pause(2000)]);
    },
  },
  {
    id: "27-check-origin",
    title: "origin allowed, wildcard allowed, foreign refused, null refused, absent allowed",
    async play(player) {
      for (const [name, origin] of ORIGINS) {
        const raw = await player.raw(name, undefined, { headers: { Origin: origin } });
        raw.terminate();
        await player.pause(30);
      }
      const absent = await player.raw("absent");
      absent.terminate();
      for (const origin of ["http://localhost", "http://evil.test"]) {
        await player.http("GET", "/socket/longpoll?vsn=2.0.0", { headers: { origin } });
      }
    },
  },
  {
    id: "28-auth-token-subprotocol",
    title: "authToken option of the npm client; wrong subprotocols",
    async play(player) {
      const a = player.npm("A", {}, { authToken: "tok/+=e?" });
      const channel = player.channel(a, "voice:room:r28");
      await player.join(a, channel);
      const url = "/socket/websocket?vsn=2.0.0";
      await player.raw("onlytoken", url, {}, ["base64url.bearer.phx.YWJj"]);
      await player.raw("other", url, {}, ["graphql-ws"]);
      await player.raw("phoenixonly", url, {}, ["phoenix"]);
      await player.raw("badb64", url, {}, ["phoenix", "base64url.bearer.phx.!!!"]);
      await player.raw("urlsafe", url, {}, ["phoenix", "base64url.bearer.phx._-8"]);
    },
  },
  {
    id: "29-v1-serializer",
    title: "vsn=1.0.0 and no vsn: V1 JSON objects",
    async play(player) {
      for (const query of ["vsn=1.0.0&user_id=v1", "user_id=v1b"]) {
        const raw = await player.raw(query.slice(0, 9), `/socket/websocket?${query}`);
        const send = (topic: string, event: string, payload: object, ref: string, more = {}) =>
          raw.send(JSON.stringify({ topic, event, payload, ref, ...more }));
        send("phoenix", "heartbeat", {}, "1");
        send("voice:room:r29", "phx_join", {}, "2");
        await player.pause(150);
        send("voice:room:r29", "echo", { a: 1 }, "3");
        send("voice:room:r29", "shout", { b: 1 }, "4");
        send("voice:room:r29", "raise", {}, "5");
        await player.pause(120);
        send("voice:room:r29", "phx_join", {}, "6", { join_ref: "6" });
        await player.pause(100);
        send("voice:room:r29", "phx_leave", {}, "7", { join_ref: "6" });
        await player.pause(100);
        raw.terminate();
      }
      const bad = await player.raw("bad", "/socket/websocket?vsn=1.0.0");
      bad.send('{"topic":"phoenix","event":"heartbeat"}');
      await Promise.race([bad.hasClosed, player.pause(300)]);
      const array = await player.raw("arr", "/socket/websocket?vsn=1.0.0");
      sendArray(array, null, "1", "phoenix", "heartbeat", {});
      await Promise.race([array.hasClosed, player.pause(300)]);
    },
  },
  {
    id: "34-http-on-websocket-path",
    title: "plain GET, POST and HEAD on /socket/websocket; unknown path",
    async play(player) {
      await player.http("GET", "/socket/websocket?vsn=2.0.0");
      await player.http("POST", "/socket/websocket?vsn=2.0.0");
      await player.http("GET", "/socket");
      await player.http("GET", "/nothing/websocket");
      await player.http("GET", "/socket/websocket?vsn=2.0.0", {
        headers: {
          connection: "upgrade",
          upgrade: "websocket",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
          "sec-websocket-version": "12",
        },
      });
    },
  },
];

/** Played only against a server whose process may be ended. */
export const SHUTDOWN_SCENARIO: Scenario = {
  id: "39-server-shutdown",
  title: "SIGTERM to the server: close codes seen by an idle socket, a joined socket and a long poll",
  async play(player) {
    if (player.serverPid === undefined)
      throw new Error("Scenario 39 needs the server's process id (PEERPID)");
    const a = player.npm("A", { user_id: "u1" }, { reconnectAfterMs: () => 10_000 });
    const channel = player.channel(a, "voice:room:r39");
    await player.join(a, channel);
    const idle = await player.raw("idle");
    const session = await player.http("GET", "/socket/longpoll?vsn=2.0.0");
    const token = encodeURIComponent(session.json?.token ?? "");
    const poll = player.http("GET", `/socket/longpoll?vsn=2.0.0&token=${token}`);
    await player.pause(200);
    player.recording.add({ dir: "server", event: "SIGTERM" });
    process.kill(player.serverPid, "SIGTERM");
    await Promise.race([idle.hasClosed, player.pause(8000)]);
    await Promise.race([poll, player.pause(3000)]);
    await player.pause(300);
  },
};

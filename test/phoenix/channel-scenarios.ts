import { type RawSocket, sendArray } from "./player.ts";
import type { Scenario } from "./scenario.ts";

const toBytes = (...bytes: number[]): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Joins, pushes, broadcasts and presence. */
export const CHANNEL_SCENARIOS: readonly Scenario[] = [
  {
    id: "01-join-ok",
    title: "join, reply ok, roster_snapshot, presence_state, presence_diff, then disconnect",
    async play(player) {
      const a = player.npm("A", { user_id: "u1", username: "Ada" });
      const channel = player.channel(a, "voice:room:r01", { display_name: "Ada" });
      player.watchPresence(a, channel);
      await player.join(a, channel);
      await player.pause(200);
      await new Promise<void>((resolve) => a.socket.disconnect(resolve));
      await player.pause(200);
    },
  },
  {
    id: "02-join-error",
    title: "join refused by channel; client schedules rejoin, we leave",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const channel = player.channel(a, "voice:room:missing");
      await player.join(a, channel);
      await player.pause(1300);
      channel.leave();
      await player.pause(100);
    },
  },
  {
    id: "03-join-crash",
    title: "exception in join",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const channel = player.channel(a, "voice:room:crash");
      await player.join(a, channel);
      channel.leave();
      await player.pause(50);
    },
  },
  {
    id: "04-unmatched-topic",
    title: "join of a topic no channel handles",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const channel = player.channel(a, "nope:1");
      await player.join(a, channel);
      channel.leave();
      await player.pause(50);
    },
  },
  {
    id: "05-duplicate-join-raw",
    title:
      "same topic joined twice on one socket with raw frames: order of phx_close and reply; push with old and new join_ref",
    async play(player) {
      const raw = await player.raw("A");
      sendArray(raw, "1", "1", "voice:room:r05", "phx_join", {});
      await player.pause(150);
      sendArray(raw, "2", "2", "voice:room:r05", "phx_join", { again: true });
      await player.pause(200);
      sendArray(raw, "1", "3", "voice:room:r05", "echo", { old: 1 });
      sendArray(raw, "2", "4", "voice:room:r05", "echo", { new: 1 });
      await player.pause(150);
    },
  },
  {
    id: "06-duplicate-join-npm",
    title: "two Channel objects for one topic on one npm socket",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const first = player.channel(a, "voice:room:r06", { n: 1 });
      await player.join(a, first);
      await player.pause(80);
      const second = player.channel(a, "voice:room:r06", { n: 2 });
      await player.join(a, second);
      await player.pause(150);
      await player.push(a, second, "echo", { x: 1 });
    },
  },
  {
    id: "08-push-replies",
    title: "ok, error, custom status, empty ok, slow reply vs client timeout",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const channel = player.channel(a, "voice:room:r08");
      await player.join(a, channel);
      await player.push(a, channel, "echo", { a: [1, "ü", null] });
      await player.push(a, channel, "fail", {});
      await player.push(a, channel, "custom_status", {});
      await player.push(a, channel, "slow", {}, 150);
      await player.pause(500);
    },
  },
  {
    id: "09-push-noreply",
    title: "push without reply",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const channel = player.channel(a, "voice:room:r09");
      await player.join(a, channel);
      channel.push("noreply", { x: 1 });
      await player.pause(200);
    },
  },
  {
    id: "11-broadcast",
    title: "speaking to others only; shout to all including the sender; binary stays out",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const b = player.npm("B", { user_id: "u2" });
      const channelOfA = player.channel(a, "voice:room:r11");
      const channelOfB = player.channel(b, "voice:room:r11");
      await player.join(a, channelOfA);
      await player.join(b, channelOfB);
      await player.pause(120);
      channelOfA.push("speaking", { is_speaking: true });
      await player.pause(80);
      await player.push(a, channelOfA, "shout", { hi: 1 });
      await player.pause(100);
    },
  },
  {
    id: "12-presence-two-tabs",
    title: "two tabs of one user, another user, mute = presence update, one tab leaves, socket drops",
    async play(player) {
      const enter = async (name: string, userId: string) => {
        const client = player.npm(name, { user_id: userId, username: userId });
        const channel = player.channel(client, "voice:room:r12");
        player.watchPresence(client, channel);
        await player.join(client, channel);
        await player.pause(150);
        return { client, channel };
      };
      await enter("W", "watcher");
      const tab1 = await enter("T1", "u9");
      const tab2 = await enter("T2", "u9");
      await player.push(tab1.client, tab1.channel, "mute", {});
      await player.pause(150);
      await player.settle(tab2.client, tab2.channel, "leave", tab2.channel.leave());
      await player.waitFor((lines) =>
        lines.some(({ conn, data }) => conn === "T1" && String(data).includes('"joins":{}')),
      );
      // The types leave out the connection, which `connect` has made.
      (tab1.client.socket as unknown as { conn: RawSocket }).conn.terminate();
      await player.pause(60);
      tab1.client.socket.disconnect();
      await player.pause(150);
    },
  },
  {
    id: "15-unknown-event",
    title: "event with no handler clause: crash in plain Phoenix",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" }, { rejoinAfterMs: () => 200 });
      const channel = player.channel(a, "voice:room:r15");
      await player.join(a, channel);
      await player.pause(50);
      channel.push("no_such_event", { x: 1 });
      await player.pause(400);
    },
  },
  {
    id: "17-stale-join-ref",
    title: "stale join_ref on push and on phx_leave: silently dropped; null join_ref accepted; numeric refs",
    async play(player) {
      const raw = await player.raw("A");
      sendArray(raw, "7", "7", "voice:room:r17", "phx_join", {});
      await player.pause(120);
      sendArray(raw, "6", "8", "voice:room:r17", "echo", { stale: 1 });
      sendArray(raw, "6", "9", "voice:room:r17", "phx_leave", {});
      sendArray(raw, null, "10", "voice:room:r17", "echo", { nil: 1 });
      sendArray(raw, 7, 11, "voice:room:r17", "echo", { num: 1 });
      await player.pause(100);
      sendArray(raw, null, "12", "voice:room:r17", "phx_leave", {});
      await player.pause(100);
      sendArray(raw, 21, 21, "voice:room:r17", "phx_join", {});
      await player.pause(100);
      sendArray(raw, 21, 22, "voice:room:r17", "echo", { num: 2 });
      sendArray(raw, "21", "23", "voice:room:r17", "echo", { str: 2 });
      await player.pause(100);
    },
  },
  {
    id: "18-join-null-refs",
    title: "phx_join with null refs",
    async play(player) {
      const raw = await player.raw("A");
      sendArray(raw, null, null, "voice:room:r18", "phx_join", {});
      await player.pause(120);
      sendArray(raw, null, "2", "voice:room:r18", "echo", { a: 1 });
      await player.pause(100);
      sendArray(raw, null, "3", "voice:room:r18b", "phx_join", {});
      await player.pause(120);
      sendArray(raw, "3", "4", "voice:room:r18b", "echo", { a: 1 });
      sendArray(raw, null, "5", "voice:room:r18b", "echo", { a: 2 });
      await player.pause(100);
    },
  },
  {
    id: "21-disconnect-broadcast",
    title: "server-side disconnect of a user's sockets -> close 1001; npm client reconnects and rejoins",
    async play(player) {
      const a = player.npm("A", { user_id: "u21" }, { reconnectAfterMs: () => 100 });
      const channel = player.channel(a, "voice:room:r21");
      await player.join(a, channel);
      await player.pause(80);
      channel.push("disconnect_me", {});
      await player.pause(600);
    },
  },
  {
    id: "24-binary",
    title: "binary push, reply, server push, broadcast",
    async play(player) {
      const a = player.npm("A", { user_id: "u1" });
      const channel = player.channel(a, "voice:room:r24");
      await player.join(a, channel);
      await player.pause(80);
      await player.push(a, channel, "bin_reply", toBytes(1, 2, 3, 255));
      channel.push("bin_push", toBytes(9, 8));
      await player.pause(80);
      channel.push("bin_bcast", toBytes());
      await player.pause(100);
    },
  },
  {
    id: "30-signalling-relay",
    title: "offer, answer, ice-candidate to one target user (both of its tabs), not to others",
    async play(player) {
      const enter = async (name: string, userId: string) => {
        const client = player.npm(name, { user_id: userId });
        const channel = player.channel(client, "voice:room:r30");
        await player.join(client, channel);
        return channel;
      };
      const a = await enter("A", "ua");
      const b1 = await enter("B1", "ub");
      await enter("B2", "ub");
      await enter("C", "uc");
      await player.pause(120);
      a.push("offer", { target_user_id: "ub", offer: { type: "offer", sdp: "v=0" } });
      await player.pause(60);
      b1.push("answer", { target_user_id: "ua", answer: { type: "answer", sdp: "v=0" } });
      a.push("ice-candidate", {
        target_user_id: "ub",
        candidate: "candidate:1",
        sdp_mid: "0",
        sdp_mline_index: 0,
      });
      await player.pause(120);
    },
  },
  {
    id: "35-too-many-channels",
    title: "101st channel on one socket",
    async play(player) {
      const raw = await player.raw("A");
      for (let i = 1; i <= 101; i++) sendArray(raw, String(i), String(i), `bench:${i}`, "phx_join", {});
      await player.pause(600);
      player.recording.keepEnds(6, 6);
    },
  },
];

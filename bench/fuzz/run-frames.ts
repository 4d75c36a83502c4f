import { isUtf8 } from "node:buffer";
import { Agent } from "node:http";
import { LOBBY_TOPIC } from "#contract/voice/rooms.ts";
import { buildTextFrame } from "../socket/frame.ts";
import { toFuzzFrames } from "../socket/fuzz-frames.ts";
import { type Fuzzer, type FuzzWords, toFuzzBinary, toFuzzText } from "../socket/fuzz-text.ts";
import { openFuzzClient } from "../socket/light-client.ts";
import { callPoll, openPollSession } from "../socket/poll-client.ts";
import { createSeededRandom } from "../socket/seeded-random.ts";
import { createRawClient } from "./wire.ts";

/** A fuzz of the product's channels, and what came of it so far. */
export interface FrameFuzz {
  port: number;
  seed: number;
  words: FuzzWords;
  /** Of rooms that there are. */
  topics: readonly [string, ...string[]];
  /** Access token of an account. */
  signIn(): Promise<string>;
  /** Frames still to be sent. */
  left: number;
  connections: number;
  /** How connections ended and what posts were answered. */
  ends: Map<string, number>;
  faults: string[];
}

const FRAMES_PER_CONNECTION = 40;
const FLOOD_JOINS = 150;
const FRAMES_PER_TURN = 4;
const LINES_PER_POST = 6;
/** Each under the limit of handshakes. */
const ADDRESSES = 1_500;
const AT_ONCE = 40;
const PEOPLE = 24;
const TOKEN_MS = 5 * 60_000;
/** How a server may end the connection of such a client: by its own end, the protocol of WebSocket, or a message that can't be read. */
const GOOD_CODES: ReadonlySet<number | undefined> = new Set([undefined, 1000, 1002, 1007, 1008, 1009, 1011]);
/** Taken, refused, a body that can't be read, a session that is gone or ends, and one that is too large or of another type. */
const GOOD_STATUSES: ReadonlySet<number> = new Set([200, 204, 400, 403, 408, 410, 413, 415, 429]);

const count = ({ ends }: FrameFuzz, end: string) => ends.set(end, (ends.get(end) ?? 0) + 1);

interface Start {
  fuzzer: Fuzzer;
  token: string;
  localAddress: string;
}

/** What the server says is a message of the protocol. */
function checkText(text: string): void {
  const message: unknown = JSON.parse(text);
  if (!Array.isArray(message) || message.length !== 5) throw new Error(`a server sent ${text.slice(0, 200)}`);
}

function toFloodFrames({ random, words, topic }: Fuzzer): Buffer[] {
  return Array.from({ length: FLOOD_JOINS }, (_, index) => {
    const joined = random.chance(50) ? topic : random.pick(words?.foreignTopics ?? [LOBBY_TOPIC]);
    return buildTextFrame(JSON.stringify([String(index), String(index), joined, "phx_join", {}]));
  });
}

/** One connection that sends frames until the server has enough of it. */
async function fuzzWebSocket(fuzz: FrameFuzz, { fuzzer, token, localAddress }: Start): Promise<void> {
  const { random, topic } = fuzzer;
  const { client, ended, hasRead } = await openFuzzClient({
    port: fuzz.port,
    token,
    localAddress,
    onText: checkText,
  });
  if (random.chance(85)) client.send(JSON.stringify(["1", "1", topic, "phx_join", {}]));
  if (random.chance(85))
    client.send(JSON.stringify(["1", "2", topic, "ready", { protocol_version: "1.0.0" }]));
  const isFlood = random.chance(5);
  for (let sent = 0; sent < FRAMES_PER_CONNECTION && fuzz.left > 0; ) {
    const frames = isFlood
      ? toFloodFrames(fuzzer)
      : Array.from({ length: FRAMES_PER_TURN }, () => toFuzzFrames(fuzzer)).flat();
    for (const frame of frames) client.sendBytes(frame);
    sent += frames.length;
    fuzz.left -= frames.length;
    if (!(await hasRead())) break;
  }
  client.cut();
  const code = await ended;
  if (!GOOD_CODES.has(code)) throw new Error(`a connection was closed with ${code}`);
  count(fuzz, `close ${code ?? "without a frame"}`);
}

function toLine(fuzzer: Fuzzer): Buffer {
  const { random } = fuzzer;
  if (random.chance(8)) return random.bytes(random.below(80));
  const text = toFuzzText(fuzzer);
  if (random.chance(70) && text.toString().startsWith("[") && isUtf8(text)) return text;
  return Buffer.from(toFuzzBinary(fuzzer).toString("base64"));
}

/** One session of the long poll that posts lines until the server ends it. */
async function fuzzPoll(fuzz: FrameFuzz, { fuzzer, token: accessToken, localAddress }: Start): Promise<void> {
  const { random, topic } = fuzzer;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = { port: fuzz.port, localAddress, agent };
  try {
    const token = await openPollSession({ ...call, accessToken });
    const post = async (body: Buffer, contentType: string, sessionToken: string) => {
      const answer = await callPoll({ ...call, method: "POST", token: sessionToken, contentType, body });
      if (!GOOD_STATUSES.has(answer.status)) throw new Error(`a post was answered ${answer.status}`);
      answer.messages?.forEach(checkText);
      count(fuzz, `post ${answer.status}`);
      return answer.status === 200;
    };
    await post(Buffer.from(JSON.stringify(["1", "1", topic, "phx_join", {}])), "application/x-ndjson", token);
    for (let sent = 0, isOpen = true; sent < FRAMES_PER_CONNECTION && isOpen && fuzz.left > 0; ) {
      const lines = 1 + random.below(LINES_PER_POST);
      const body = Buffer.concat(
        Array.from({ length: lines }, () => toLine(fuzzer)).flatMap((line) => [line, Buffer.from("\n")]),
      );
      const type = random.chance(90)
        ? "application/x-ndjson"
        : random.pick(["text/plain", "application/json", "a"]);
      isOpen = await post(body, type, random.chance(97) ? token : random.bytes(32).toString("base64url"));
      sent += lines;
      fuzz.left -= lines;
    }
  } finally {
    agent.destroy();
  }
}

/** A handshake that isn't one. */
async function fuzzHandshake(fuzz: FrameFuzz, { fuzzer, token }: Start): Promise<void> {
  const { random } = fuzzer;
  const encoded = Buffer.from(token).toString("base64url");
  const path = random.pick(["/socket/websocket", "/socket/longpoll", "/socket", "/socket/websocket/a", "/"]);
  const query = random.pick([
    "?vsn=2.0.0",
    "?vsn=1.0.0",
    "?vsn=",
    "?vsn[]=2.0.0",
    `?token=${token}`,
    "?%00",
    "?%",
    "",
  ]);
  const lines = [
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${random.pick(["", "a", random.bytes(16).toString("base64"), "a".repeat(5_000)])}`,
    `Sec-WebSocket-Version: ${random.pick(["13", "8", "-1", ""])}`,
    `Sec-WebSocket-Protocol: ${random.pick([
      "phoenix",
      `phoenix, base64url.bearer.phx.${encoded.slice(1)}`,
      `phoenix, base64url.bearer.phx.${encoded}, base64url.bearer.phx.${encoded}`,
      "base64url.bearer.phx.",
      "base64url.bearer.phx.=",
      ",,,",
      "a".repeat(6_000),
    ])}`,
    `Sec-WebSocket-Extensions: ${random.pick(["permessage-deflate", "permessage-deflate; server_max_window_bits=99", ";;"])}`,
    `Origin: ${random.pick(["null", "https://evil.example", "http://127.0.0.1", "a"])}`,
  ].filter(() => random.chance(85));
  const method = random.pick(["GET", "GET", "GET", "POST", "PUT", "DELETE", "OPTIONS"]);
  const head = [`${method} ${path}${query} HTTP/1.1`, "Host: 127.0.0.1", ...lines, "\r\n"].join("\r\n");
  const client = createRawClient(fuzz.port);
  const answer = await client.send(Buffer.from(head), method, true);
  client.close();
  fuzz.left -= 1;
  if (answer && answer.status >= 500 && answer.status !== 501)
    throw new Error(`a handshake was answered ${answer.head}`);
  count(fuzz, `handshake ${answer?.status ?? "closed"}`);
}

/** Sends all frames that are left; what went wrong stands in `faults`. */
export async function runFrames(fuzz: FrameFuzz): Promise<void> {
  const tokens = new Map<number, { token: Promise<string>; since: number }>();
  const findToken = (person: number) => {
    const found = tokens.get(person);
    if (found && Date.now() - found.since < TOKEN_MS) return found.token;
    const token = fuzz.signIn();
    tokens.set(person, { token, since: Date.now() });
    return token;
  };

  async function runOne(): Promise<void> {
    const turn = fuzz.connections++;
    const random = createSeededRandom(fuzz.seed * 1_000_003 + turn);
    const address = turn % ADDRESSES;
    const start = {
      fuzzer: { random, topic: random.pick(fuzz.topics), words: fuzz.words },
      token: await findToken(turn % PEOPLE),
      localAddress: `127.1.${Math.floor(address / 250)}.${1 + (address % 250)}`,
    };
    const kind = random.below(100);
    const run = kind < 68 ? fuzzWebSocket : kind < 90 ? fuzzPoll : fuzzHandshake;
    try {
      await run(fuzz, start);
    } catch (error) {
      fuzz.faults.push(`connection ${turn}, ${run.name}: ${error}`);
      fuzz.left -= 1; // where nobody listens any more, it ends all the same
    }
  }
  const work = async () => {
    while (fuzz.left > 0) await runOne();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

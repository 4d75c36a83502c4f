import { isUtf8 } from "node:buffer";
import { Agent } from "node:http";
import { toFuzzFrames } from "./fuzz-frames.ts";
import { type Fuzzer, toFuzzBinary, toFuzzText } from "./fuzz-text.ts";
import { type LightClient, openFuzzClient } from "./light-client.ts";
import { callPoll, openPollSession, type PollAnswer } from "./poll-client.ts";
import { MAX_OBSERVER_ID, OBSERVED_ROOM, toTopic } from "./room-channel.ts";
import { createSeededRandom } from "./seeded-random.ts";

/** A fuzz over one server, with what came of it so far. */
export interface Fuzz {
  port: number;
  tokens: readonly string[];
  /** Each connection draws from numbers of its own, so that what it sends doesn't hang on the others. */
  seed: number;
  /** Frames still to be sent, over each transport. */
  left: { webSocket: number; poll: number };
  connections: number;
  /** How connections ended, and what posts were answered. */
  ends: Map<string, number>;
}

const ROOMS = 40;
const FRAMES_PER_CONNECTION = 40;
const MESSAGES_PER_TURN = 2;
const LINES_PER_POST = 6;
/** Under the limit of handshakes of each, however many connections are opened in a minute. */
const ADDRESSES = 1500;
const JOIN_REF = "1";
/** How a server may end the connection of such a client: by its own end, the protocol of WebSocket, or a message that can't be read. */
const GOOD_CODES: ReadonlySet<number | undefined> = new Set([undefined, 1000, 1002, 1007, 1009, 1011]);
/** Taken, a body that can't be read, a session that is gone, and one that ends with a message that can't be read. */
const GOOD_STATUSES: ReadonlySet<number> = new Set([200, 204, 400, 408, 410]);
const OBSERVED_TOPIC = toTopic(OBSERVED_ROOM);

function count(fuzz: Fuzz, end: string): void {
  fuzz.ends.set(end, (fuzz.ends.get(end) ?? 0) + 1);
}

function startFuzzer(fuzz: Fuzz) {
  const turn = fuzz.connections++;
  const address = turn % ADDRESSES;
  return {
    fuzzer: {
      random: createSeededRandom(fuzz.seed + turn),
      topic: toTopic(`fuzz-${turn % ROOMS}`),
    } satisfies Fuzzer,
    token: fuzz.tokens[MAX_OBSERVER_ID + (turn % (fuzz.tokens.length - MAX_OBSERVER_ID))] ?? "",
    localAddress: `127.1.${Math.floor(address / 250)}.${1 + (address % 250)}`,
  };
}

type CheckText = (text: string) => void;

/**
 * Replies to its own messages are all that a client may hear of a room that it isn't in. A mutated join may enter any room but
 * the observed one: an answer says so, and the roster behind it.
 */
function createTextCheck(): CheckText {
  const answered = new Set<unknown>();
  const inside = new Set<unknown>();
  return (text) => {
    const message = JSON.parse(text);
    if (!Array.isArray(message) || message.length !== 5)
      throw new Error(`a server sent ${text.slice(0, 200)}`);
    const [, , topic, event, payload] = message;
    if (event === "phx_reply") {
      if (payload.status === "ok" && topic !== OBSERVED_TOPIC) answered.add(topic);
    } else if (event === "roster_snapshot" && answered.has(topic)) inside.add(topic);
    else if (!inside.has(topic)) throw new Error(`a stranger got ${text.slice(0, 200)}`);
  };
}

/** Sends frames until the server closes, or waits for the rest of one. The pong says that it has read them all. */
async function sendFrames(fuzz: Fuzz, fuzzer: Fuzzer, client: LightClient, hasRead: () => Promise<boolean>) {
  for (let sent = 0; sent < FRAMES_PER_CONNECTION && fuzz.left.webSocket > 0; ) {
    for (let message = 0; message < MESSAGES_PER_TURN; message++) {
      const frames = toFuzzFrames(fuzzer);
      for (const frame of frames) client.sendBytes(frame);
      sent += frames.length;
      fuzz.left.webSocket -= frames.length;
    }
    if (!(await hasRead())) return;
  }
}

/** One connection that sends frames until the server has enough of it. */
async function fuzzWebSocket(fuzz: Fuzz): Promise<void> {
  const { fuzzer, token, localAddress } = startFuzzer(fuzz);
  const { client, ended, hasRead } = await openFuzzClient({
    port: fuzz.port,
    token,
    localAddress,
    onText: createTextCheck(),
  });
  if (fuzzer.random.chance(75))
    client.send(JSON.stringify([JOIN_REF, JOIN_REF, fuzzer.topic, "phx_join", {}]));
  await sendFrames(fuzz, fuzzer, client, hasRead);
  client.cut();
  const code = await ended;
  if (!GOOD_CODES.has(code)) throw new Error(`a connection was closed with ${code}`);
  count(fuzz, `close ${code ?? "without a frame"}`);
}

function checkAnswer({ httpStatus, status, messages = [] }: PollAnswer, checkText: CheckText): void {
  if (httpStatus !== (status === 400 ? 400 : 200) || !GOOD_STATUSES.has(status))
    throw new Error(`a poll was answered ${httpStatus} with ${status}`);
  messages.forEach(checkText);
}

function toLine(fuzzer: Fuzzer, isJunk: boolean): Buffer {
  const { random } = fuzzer;
  if (isJunk && random.chance(50)) return random.bytes(random.below(80));
  const text = toFuzzText(fuzzer);
  if (random.chance(70) && (isJunk || (text.toString().startsWith("[") && isUtf8(text)))) return text;
  return Buffer.from(toFuzzBinary(fuzzer).toString("base64"));
}

/** One line that is neither text nor base64 and none is taken: most bodies are without. */
function toBody(fuzzer: Fuzzer, lines: number): Buffer {
  const isJunk = fuzzer.random.chance(15);
  const parts = Array.from({ length: lines }, () => toLine(fuzzer, isJunk));
  return Buffer.concat(parts.flatMap((line) => [line, Buffer.from("\n")]).slice(0, -1));
}

/** One session that posts lines until the server ends it. */
async function fuzzPoll(fuzz: Fuzz, agent: Agent): Promise<void> {
  const { fuzzer, token: accessToken, localAddress } = startFuzzer(fuzz);
  const { random } = fuzzer;
  const call = { port: fuzz.port, localAddress, agent };
  const token = await openPollSession({ ...call, accessToken });
  const join = Buffer.from(JSON.stringify([JOIN_REF, JOIN_REF, fuzzer.topic, "phx_join", {}]));
  const checkText = createTextCheck();
  checkAnswer(await callPoll({ ...call, method: "POST", token, body: join }), checkText);
  let isOpen = true;
  for (let sent = 0; sent < FRAMES_PER_CONNECTION && isOpen && fuzz.left.poll > 0; ) {
    const lines = 1 + random.below(LINES_PER_POST);
    const body = toBody(fuzzer, lines);
    const contentType = random.chance(90) ? "application/x-ndjson" : "text/plain";
    const answer = await callPoll({
      ...call,
      method: "POST",
      token: random.chance(97) ? token : random.bytes(32).toString("base64url"),
      contentType,
      body,
    });
    checkAnswer(answer, checkText);
    count(fuzz, `post ${answer.status}`);
    isOpen = answer.status === 200;
    sent += lines;
    fuzz.left.poll -= lines;
    // The reply to the join is there at the least.
    if (sent === lines && answer.status === 200)
      checkAnswer(await callPoll({ ...call, method: "GET", token }), checkText);
  }
}

const WEB_SOCKETS_AT_ONCE = 16;
const POLLS_AT_ONCE = 6;

/** Sends all frames that are left. @throws Error on anything that a server must not do */
export async function runFuzz(fuzz: Fuzz): Promise<void> {
  const repeatWebSocket = async () => {
    while (fuzz.left.webSocket > 0) await fuzzWebSocket(fuzz);
  };
  const repeatPoll = async () => {
    while (fuzz.left.poll > 0) {
      // Of its own, because each session comes from another address.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await fuzzPoll(fuzz, agent);
      agent.destroy();
    }
  };
  await Promise.all([
    ...Array.from({ length: WEB_SOCKETS_AT_ONCE }, repeatWebSocket),
    ...Array.from({ length: POLLS_AT_ONCE }, repeatPoll),
  ]);
}

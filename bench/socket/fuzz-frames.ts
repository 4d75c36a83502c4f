import { buildFrame, OPCODE } from "./frame.ts";
import { type Fuzzer, mutate, toFuzzBinary, toFuzzText, toValidText } from "./fuzz-text.ts";

const CONTINUATION = OPCODE.continuation;

/** A message in pieces, as it may come and as it may not. */
function toFragments(fuzzer: Fuzzer): Buffer[] {
  const { random } = fuzzer;
  const text = toFuzzText(fuzzer);
  const cut = random.below(text.length + 1);
  const first = buildFrame({ opcode: OPCODE.text, payload: text.subarray(0, cut), isFinal: false });
  const last = buildFrame({ opcode: CONTINUATION, payload: text.subarray(cut) });
  const ping = buildFrame({ opcode: OPCODE.ping, payload: random.bytes(random.below(8)) });
  return random.pick<() => Buffer[]>([
    () => [first, last],
    () => [first, ping, last],
    () => [first, first],
    () => [last],
    () => [first],
    () => [first, buildFrame({ opcode: OPCODE.text, payload: text }), last],
  ])();
}

function toControl({ random }: Fuzzer): Buffer {
  const code = Buffer.alloc(2);
  code.writeUInt16BE(random.below(0x1_00_00));
  return random.pick<() => Buffer>([
    () => buildFrame({ opcode: OPCODE.ping, payload: random.bytes(random.below(126)) }),
    () => buildFrame({ opcode: OPCODE.pong, payload: random.bytes(random.below(126)) }),
    () => buildFrame({ opcode: OPCODE.ping, payload: random.bytes(200) }),
    () => buildFrame({ opcode: OPCODE.ping, payload: random.bytes(4), isFinal: false }),
    () => buildFrame({ opcode: OPCODE.close, payload: Buffer.concat([code, random.bytes(4)]) }),
    () => buildFrame({ opcode: OPCODE.close, payload: random.bytes(1) }),
    () => buildFrame({ opcode: OPCODE.close, payload: Buffer.alloc(0) }),
  ])();
}

/** A good message in a frame that no client may send. */
function toBadHeader(fuzzer: Fuzzer): Buffer {
  const { random } = fuzzer;
  const payload = Buffer.from(toValidText(fuzzer));
  const opcode = OPCODE.text;
  return random.pick<() => Buffer>([
    () => buildFrame({ opcode, payload, isMasked: false }),
    () => buildFrame({ opcode, payload, reserved: 1 + random.below(7) }),
    () => buildFrame({ opcode: random.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]), payload }),
    () => buildFrame({ opcode, payload, claimedLength: 65_537 + random.below(100_000) }),
    () => buildFrame({ opcode, payload, claimedLength: 2 ** 40 + random.below(1000) }),
    () => buildFrame({ opcode, payload, claimedLength: random.below(payload.length) }),
  ])();
}

/** What one client sends next: one frame, several that belong together, or bytes that are none. */
export function toFuzzFrames(fuzzer: Fuzzer): Buffer[] {
  const { random } = fuzzer;
  const kind = random.below(100);
  if (kind < 62) return [buildFrame({ opcode: OPCODE.text, payload: toFuzzText(fuzzer) })];
  if (kind < 74) return [buildFrame({ opcode: OPCODE.binary, payload: toFuzzBinary(fuzzer) })];
  if (kind < 82) return toFragments(fuzzer);
  if (kind < 88) return [toControl(fuzzer)];
  if (kind < 93) return [toBadHeader(fuzzer)];
  if (kind < 96) return [random.bytes(1 + random.below(200))];
  return [mutate(random, buildFrame({ opcode: OPCODE.text, payload: Buffer.from(toValidText(fuzzer)) }))];
}

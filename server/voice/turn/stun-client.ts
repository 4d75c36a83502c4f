import { StunError, type StunLink } from "./stun-link.ts";
import {
  ATTRIBUTE,
  type Attribute,
  CLASS,
  deriveKey,
  type Endpoint,
  hasIntegrity,
  METHOD,
  type Method,
  readEndpoint,
  readErrorCode,
  type StunMessage,
} from "./stun-message.ts";

/** A relayed address that a server holds for us. */
export interface Allocation {
  /** Where the relay takes in what others send. */
  relayed: Endpoint;
  /** Asks in the name of the allocation. @throws StunError with the code of a refusal */
  ask(method: Method, attributes: readonly Attribute[]): Promise<StunMessage>;
  /** Gives it back; one that isn't stays for ten minutes. */
  release(): Promise<void>;
}

/** What names and passwords are checked with, as the server said in its refusal. */
interface Challenge {
  realm: string;
  nonce: Buffer;
  key: Buffer;
}

const UNAUTHENTICATED = 401;
const STALE_NONCE = 438;
/** 17 is UDP's number; three bytes are reserved. RFC 8656, 18.7. */
const UDP = Buffer.from([17, 0, 0, 0]);

const isSuccess = ({ type }: StunMessage) => (type & CLASS.error) === CLASS.success;

function toRefusal(answer: StunMessage): StunError {
  const code = readErrorCode(answer);
  return new StunError(code === undefined ? "the answer can't be read" : `refused with ${code}`, code);
}

/** Our address as the server sees it. @throws StunError */
export async function askBinding(link: StunLink): Promise<Endpoint> {
  const answer = await link.ask(METHOD.binding);
  if (!isSuccess(answer)) throw toRefusal(answer);
  const endpoint = readEndpoint(answer, ATTRIBUTE.mappedAddress);
  if (!endpoint) throw new StunError("the answer has no address");
  return endpoint;
}

/** Takes a relayed address for UDP. @throws StunError: 401 a wrong name or password, 486 or 508 no room */
export async function allocate(
  link: StunLink,
  { username, credential }: { username: string; credential: string },
): Promise<Allocation> {
  let challenge: Challenge | undefined;

  /** The server's refusal says what to sign with, at first and whenever its nonce has become old. */
  function learn(refusal: StunMessage): void {
    const realm = refusal.attributes.get(ATTRIBUTE.realm)?.toString("utf8");
    const nonce = refusal.attributes.get(ATTRIBUTE.nonce);
    if (realm === undefined || !nonce) throw toRefusal(refusal);
    challenge = { realm, nonce, key: deriveKey(username, realm, credential) };
  }

  async function ask(
    method: Method,
    attributes: readonly Attribute[],
    hasLearnt = false,
  ): Promise<StunMessage> {
    const signed: readonly Attribute[] = challenge
      ? [
          [ATTRIBUTE.username, Buffer.from(username)],
          [ATTRIBUTE.realm, Buffer.from(challenge.realm)],
          [ATTRIBUTE.nonce, challenge.nonce],
        ]
      : [];
    const { key } = challenge ?? {};
    const answer = await link.ask(method, [...attributes, ...signed], key);
    if (isSuccess(answer)) {
      // A relay that doesn't know the password is another one than the one that was asked.
      if (key && hasIntegrity(answer, key)) return answer;
      throw new StunError("the answer isn't signed");
    }
    const code = readErrorCode(answer);
    const isChallenge = (code === UNAUTHENTICATED && !key) || code === STALE_NONCE;
    if (!isChallenge || hasLearnt) throw toRefusal(answer);
    learn(answer);
    return ask(method, attributes, true);
  }

  const answer = await ask(METHOD.allocate, [[ATTRIBUTE.transport, UDP]]);
  const relayed = readEndpoint(answer, ATTRIBUTE.relayedAddress);
  if (!relayed) throw new StunError("the answer has no relayed address");
  return {
    relayed,
    ask,
    async release() {
      await ask(METHOD.refresh, [[ATTRIBUTE.lifetime, Buffer.alloc(4)]]);
    },
  };
}

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();
const encode = (data: Buffer | string) => Buffer.from(data).toString("base64url");

/** Of CBOR (RFC 8949): byte strings, and the head of one. */
const toBytes = (bytes: Buffer) =>
  Buffer.concat([
    bytes.length < 256
      ? Buffer.from([0x58, bytes.length])
      : Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ]);
const toText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/** A COSE key of ES256: `{ 1: 2, 3: -7, -1: 1, -2: x, -3: y }`. */
function toCose(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = (text: string) => toBytes(Buffer.from(text, "base64url"));
  return Buffer.concat([
    Buffer.from("a501020326200121", "hex"),
    point(x),
    Buffer.from("22", "hex"),
    point(y),
  ]);
}

const PRESENT = 1;
const VERIFIED = 4;
const HAS_KEY = 0x40;

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

/** Stands for a security key or a phone: makes passkeys and answers challenges, as browsers would for `origin`. */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let count = 0;
  const toData = (rpId: string, flags: number, rest = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, rest]);
  };
  const toClientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  return {
    id: encode(id),
    /** How often it was used, by its own count. */
    setCount: (next: number) => {
      count = next;
    },
    create(options: object) {
      const { challenge, rp } = options as Options;
      const length = Buffer.from([0, id.length]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, toCose(publicKey)]);
      const data = toData(rp?.id ?? "", PRESENT | VERIFIED | HAS_KEY, credential);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        toText("fmt"),
        toText("none"),
        toText("attStmt"),
        Buffer.from([0xa0]),
        toText("authData"),
        toBytes(data),
      ]);
      return {
        id: encode(id),
        rawId: encode(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: encode(toClientData("webauthn.create", challenge, origin)),
          attestationObject: encode(attestation),
          transports: ["internal"],
        },
      };
    },
    get(options: object, { from = origin, isVerified = true }: { from?: string; isVerified?: boolean } = {}) {
      const { challenge, rpId = "" } = options as Options;
      count++;
      const clientData = toClientData("webauthn.get", challenge, from);
      const data = toData(rpId, isVerified ? PRESENT | VERIFIED : PRESENT);
      return {
        id: encode(id),
        rawId: encode(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: encode(clientData),
          authenticatorData: encode(data),
          signature: encode(sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey)),
        },
      };
    },
  };
}

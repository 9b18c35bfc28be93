/**
 * An authenticator in software: real keys, real signatures, real CBOR, as a browser would hand them to a page. Its
 * options tell how to misbehave.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

export interface Ceremony {
  challenge: string;
  origin: string;
  rpId: string;
  /** Default true. */
  userVerified?: boolean;
}

export interface SoftwarePasskey {
  credentialId: string;
  create(ceremony: Ceremony, userHandle: string): object;
  get(ceremony: Ceremony, more?: { userHandle?: string; signWith?: SoftwarePasskey }): object;
  /** Sets the count of signatures back, as a copy of the authenticator has it. */
  countFrom(count: number): void;
  privateKey: KeyObject;
}

const userPresent = 0x01;
const userVerifiedFlag = 0x04;
const attestedData = 0x40;

export function softwarePasskey(): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  const credentialId = id.toString("base64url");
  let count = 0;
  let handle = "";

  function authenticatorData(ceremony: Ceremony, flags: number, rest: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const verified = ceremony.userVerified === false ? 0 : userVerifiedFlag;
    return Buffer.concat([
      createHash("sha256").update(ceremony.rpId).digest(),
      Buffer.from([userPresent | verified | flags]),
      counter,
      rest,
    ]);
  }

  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const credential = (response: object) => ({
    id: credentialId,
    rawId: credentialId,
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
    response,
  });

  return {
    credentialId,
    privateKey,
    countFrom(start) {
      count = start;
    },
    create(ceremony, userHandle) {
      handle = userHandle;
      const coseKey = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      );
      const idLength = Buffer.from([id.length >> 8, id.length & 0xff]);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, id, coseKey]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authenticatorData(ceremony, attestedData, attested)],
      ]);
      return credential({
        clientDataJSON: clientData("webauthn.create", ceremony).toString("base64url"),
        attestationObject: cbor(attestation).toString("base64url"),
        transports: ["internal", "hybrid"],
      });
    },
    get(ceremony, { userHandle = handle, signWith } = {}) {
      count += 1;
      const data = authenticatorData(ceremony, 0, Buffer.alloc(0));
      const client = clientData("webauthn.get", ceremony);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      return credential({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, signWith?.privateKey ?? privateKey).toString("base64url"),
        userHandle,
      });
    },
  };
}

/** As much of CBOR (RFC 8949) as an authenticator needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (!(value instanceof Map)) throw new Error(`no CBOR for ${typeof value}`);
  const members = [...(value as Map<unknown, unknown>)].flatMap(([key, member]) => [cbor(key), cbor(member)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}

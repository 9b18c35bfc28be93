/**
 * An `ssh-agent` in the test's own process. It holds keys of the kinds that need a security key, made in software, and can
 * be told to sign wrongly.
 */
import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { createServer, type Socket } from "node:net";

export interface AgentKey {
  /** As in `authorized_keys`. */
  line: string;
  blob: Buffer;
  /** The whole signature, with the name of its algorithm. */
  sign(data: Buffer): Buffer;
}

export interface SoftwareAgent {
  path: string;
  close(): Promise<void>;
}

export interface SecurityKeyOptions {
  /** Without it nobody has touched the key. */
  flags?: number;
  application?: string;
}

const named = (data: Buffer | string) => {
  const bytes = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();

export function makeSecurityKey(kind: "ed25519" | "ecdsa", options: SecurityKeyOptions = {}): AgentKey {
  const { flags = 1, application = "ssh:" } = options;
  const tail = Buffer.from([flags, 0, 0, 0, 7]);
  const signed = (data: Buffer) => Buffer.concat([sha256(application), tail, sha256(data)]);
  if (kind === "ed25519") {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const name = "sk-ssh-ed25519@openssh.com";
    const blob = Buffer.concat([named(name), named(member(publicKey, "x")), named(application)]);
    return keyOf(name, blob, (data) =>
      Buffer.concat([named(name), named(sign(null, signed(data), privateKey)), tail]),
    );
  }
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = "sk-ecdsa-sha2-nistp256@openssh.com";
  const point = Buffer.concat([Buffer.from([4]), member(publicKey, "x"), member(publicKey, "y")]);
  const blob = Buffer.concat([named(name), named("nistp256"), named(point), named(application)]);
  return keyOf(name, blob, (data) => {
    const numbers = sign("sha256", signed(data), { key: privateKey, dsaEncoding: "ieee-p1363" });
    const body = Buffer.concat([
      named(positive(numbers.subarray(0, 32))),
      named(positive(numbers.subarray(32))),
    ]);
    return Buffer.concat([named(name), named(body), tail]);
  });
}

/** In its shortest form, and never taken for a negative one. */
function positive(number: Buffer): Buffer {
  let start = 0;
  while (start < number.length - 1 && number[start] === 0) start += 1;
  const bare = number.subarray(start);
  return bare[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bare]) : bare;
}

export function makePlainKey(): AgentKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const blob = Buffer.concat([named("ssh-ed25519"), named(member(publicKey, "x"))]);
  return keyOf("ssh-ed25519", blob, (data) =>
    Buffer.concat([named("ssh-ed25519"), named(sign(null, data, privateKey))]),
  );
}

function member(key: KeyObject, name: "x" | "y"): Buffer {
  return Buffer.from(key.export({ format: "jwk" })[name] ?? "", "base64url");
}

function keyOf(name: string, blob: Buffer, signer: AgentKey["sign"]): AgentKey {
  return { line: `${name} ${blob.toString("base64")}`, blob, sign: signer };
}

const message = { identities: 11, identitiesAnswer: 12, sign: 13, signAnswer: 14, failure: 5 } as const;

export async function startAgent(path: string, keys: readonly AgentKey[]): Promise<SoftwareAgent> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
        const end = 4 + received.readUInt32BE(0);
        answer(socket, received.subarray(4, end), keys);
        received = received.subarray(end);
      }
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { path, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function answer(socket: Socket, request: Buffer, keys: readonly AgentKey[]): void {
  const say = (type: number, ...parts: Buffer[]) =>
    socket.write(named(Buffer.concat([Buffer.from([type]), ...parts])));
  if (request[0] === message.identities) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(keys.length);
    say(message.identitiesAnswer, count, ...keys.flatMap(({ blob }) => [named(blob), named("agent")]));
    return;
  }
  if (request[0] !== message.sign) return void say(message.failure);
  const keyEnd = 5 + request.readUInt32BE(1);
  const data = request.subarray(keyEnd + 4, keyEnd + 4 + request.readUInt32BE(keyEnd));
  const key = keys.find(({ blob }) => blob.equals(request.subarray(5, keyEnd)));
  if (key) say(message.signAnswer, named(key.sign(data)));
  else say(message.failure);
}

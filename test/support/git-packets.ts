/** Git's wire and pack formats by hand, for requests that no client sends. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { ApiAnswer, ApiServer } from "./api-server.ts";

export const zeroId = "0".repeat(40);
export const flush = Buffer.from("0000");
export const delimiter = Buffer.from("0001");

export function packet(content: string | Buffer): Buffer {
  const body = Buffer.from(content);
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, "0")), body]);
}

export const objectTypes = { commit: 1, tree: 2, blob: 3, tag: 4, refDelta: 7 } as const;
export type ObjectType = keyof typeof objectTypes;

export function objectId(type: ObjectType, body: Buffer | string): string {
  const bytes = Buffer.from(body);
  return createHash("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Seven bits at a time, the lowest first, as deltas have their sizes. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 0x80);
  }
}

export interface PackEntry {
  type: ObjectType;
  body: Buffer | string;
  /** What its head says instead of the body's length. */
  claims?: number;
  /** Of a delta. */
  base?: string;
}

function headOf(type: ObjectType, size: number): Buffer {
  const first = (objectTypes[type] << 4) | (size % 16);
  const rest = Math.floor(size / 16);
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first | 0x80]), varint(rest)]);
}

/** A whole pack with the right checksum; `count` is what its head says instead of the number of entries. */
export function packOf(entries: readonly PackEntry[], count: number = entries.length): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const parts = entries.flatMap(({ type, body, claims, base }) => [
    headOf(type, claims ?? Buffer.byteLength(body)),
    Buffer.from(base ?? "", "hex"),
    deflateSync(Buffer.from(body)),
  ]);
  return sealed(Buffer.concat([head, ...parts]));
}

/** With its checksum behind it. */
export function sealed(pack: Buffer): Buffer {
  return Buffer.concat([pack, createHash("sha1").update(pack).digest()]);
}

export interface HandMadeUpdate {
  ref: string;
  after: string;
  before?: string;
}

/** The body of a push. */
export function pushOf(updates: readonly HandMadeUpdate[], pack: Buffer, capabilities = ""): Buffer {
  const lines = updates.map(({ ref, after, before = zeroId }, at) =>
    packet(`${before} ${after} ${ref}${at === 0 ? `\0 report-status ${capabilities}` : ""}\n`),
  );
  return Buffer.concat([...lines, flush, pack]);
}

export interface GitRequest {
  /** `OWNER/REPO` */
  name: string;
  service: "upload-pack" | "receive-pack";
  body: Buffer;
  token?: string;
  version?: number;
  headers?: Record<string, string>;
}

/** One exchange over HTTPS, as it is. */
export function sendGit(server: ApiServer, request: GitRequest): Promise<ApiAnswer> {
  const { name, service, body, token, version = 0, headers } = request;
  return server.api("POST", `//${name}.git/git-${service}`, {
    ...(token === undefined ? {} : { token }),
    body,
    headers: {
      "Content-Type": `application/x-git-${service}-request`,
      ...(version > 0 ? { "Git-Protocol": `version=${version}` } : {}),
      ...headers,
    },
  });
}

/** A request for these objects and no history of ours, in the words of the version. */
export function fetchOf(version: number, lines: readonly string[], more: readonly string[] = []): Buffer {
  if (version === 2)
    return Buffer.concat([
      packet("command=fetch"),
      packet("object-format=sha1"),
      delimiter,
      ...[...lines, ...more, "done"].map((line) => packet(`${line}\n`)),
      flush,
    ]);
  return Buffer.concat([
    ...lines.map((line, at) => packet(at === 0 && line.length === 45 ? `${line} ofs-delta\n` : `${line}\n`)),
    ...more.map((line) => packet(`${line}\n`)),
    flush,
    packet("done\n"),
  ]);
}

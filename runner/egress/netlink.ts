/** Bytes of netlink messages: attributes, messages and transactions of the kernel's packet filter. */

const headerBytes = 16;
const nested = 0x8000;
const subsystem = 10;
const batch = { begin: 0x10, end: 0x11 } as const;

/** Flags of a message. */
export const messageFlag = {
  request: 0x1,
  acknowledge: 0x4,
  dump: 0x300,
  create: 0x400,
  append: 0x800,
} as const;

/** Numbers of what is asked of nf_tables. */
export const nftMessage = {
  newTable: 0,
  deleteTable: 2,
  newChain: 3,
  newRule: 6,
  listRules: 7,
  newSet: 9,
} as const;

/** Tables for IPv4 and IPv6 alike. */
const inetFamily = 1;

/** One attribute, padded to four bytes as the kernel wants it. */
export function attribute(type: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(align(4 + value.length));
  bytes.writeUInt16LE(4 + value.length, 0);
  bytes.writeUInt16LE(type, 2);
  value.copy(bytes, 4);
  return bytes;
}

export function nestedAttribute(type: number, parts: readonly Buffer[]): Buffer {
  return attribute(type | nested, Buffer.concat(parts));
}

export function textAttribute(type: number, text: string): Buffer {
  return attribute(type, Buffer.from(`${text}\0`));
}

/** A number in network order, as nf_tables has them. */
export function numberAttribute(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return attribute(type, bytes);
}

export function byteAttribute(type: number, value: number): Buffer {
  return attribute(type, Buffer.from([value]));
}

export function longAttribute(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return attribute(type, bytes);
}

/** A request to nf_tables before it has its place in a frame. */
export interface NftRequest {
  type: number;
  flags: number;
  /** In words, for the message when the kernel refuses it. */
  what: string;
  attributes: readonly Buffer[];
}

/** What is sent to the kernel at once; the answers name requests by their sequence number. */
export interface Frame {
  bytes: Buffer;
  /** By sequence number, what was asked. */
  asked: ReadonlyMap<number, string>;
}

/** A frame whose requests take effect all together, or not at all. The last one is acknowledged. */
export function transaction(requests: readonly NftRequest[]): Frame {
  const asked = new Map<number, string>();
  const parts = requests.map((request, index) => {
    const isLast = index === requests.length - 1;
    asked.set(index + 1, request.what);
    return message(request, index + 1, isLast ? messageFlag.acknowledge : 0);
  });
  return { bytes: Buffer.concat([edge(batch.begin), ...parts, edge(batch.end)]), asked };
}

/** A frame with one question. */
export function question(request: NftRequest): Frame {
  return { bytes: message(request, 1, 0), asked: new Map([[1, request.what]]) };
}

function message(request: NftRequest, sequence: number, flags: number): Buffer {
  const body = Buffer.concat([Buffer.from([inetFamily, 0, 0, 0]), ...request.attributes]);
  const type = (subsystem << 8) | request.type;
  return withHeader({ type, flags: messageFlag.request | request.flags | flags, sequence }, body);
}

function edge(type: number): Buffer {
  return withHeader({ type, flags: messageFlag.request, sequence: 0 }, Buffer.from([0, 0, 0, subsystem]));
}

function withHeader(
  { type, flags, sequence }: { type: number; flags: number; sequence: number },
  body: Buffer,
): Buffer {
  const bytes = Buffer.alloc(align(headerBytes + body.length));
  bytes.writeUInt32LE(headerBytes + body.length, 0);
  bytes.writeUInt16LE(type, 4);
  bytes.writeUInt16LE(flags, 6);
  bytes.writeUInt32LE(sequence, 8);
  body.copy(bytes, headerBytes);
  return bytes;
}

function align(length: number): number {
  return Math.ceil(length / 4) * 4;
}

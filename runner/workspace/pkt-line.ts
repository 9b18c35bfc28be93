/**
 * Git's packet lines: four hexadecimal digits of length, then that many bytes less four. Lengths 0 to 2 are marks
 * without bytes. Source: gitprotocol-common(5).
 */
export type Packet = { kind: "data"; bytes: Buffer } | { kind: "flush" | "delimiter" | "end" };

const marks = ["flush", "delimiter", "end"] as const;

export function packet(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`;
}

export const delimiterPacket = "0001";
export const flushPacket = "0000";

/** Throws at what is no packet, and when the stream ends inside one. */
export async function* readPackets(source: AsyncIterable<Buffer>): AsyncGenerator<Packet> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      const size = sizeAt(rest, at);
      if (size === undefined) break;
      const mark = marks[size];
      if (mark !== undefined) yield { kind: mark };
      else if (at + size > rest.length) break;
      else yield { kind: "data", bytes: rest.subarray(at + 4, at + size) };
      at += Math.max(size, 4);
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Error("the stream ends inside a packet");
}

function sizeAt(bytes: Buffer, at: number): number | undefined {
  if (bytes.length - at < 4) return undefined;
  const digits = bytes.toString("latin1", at, at + 4);
  const size = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(size < 3 || (size >= 4 && size <= 65_520))) throw new Error("not a packet line");
  return size;
}

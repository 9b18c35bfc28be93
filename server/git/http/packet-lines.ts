/** What a Git client says, packet by packet, read as Git reads it. */

export interface PacketLine {
  line: string;
  /** Where in the buffer the line begins. */
  at: number;
}

/** What is no packet, or not all of one, ends the list; Git itself will complain. */
export function* eachPacket(packets: Buffer): Generator<PacketLine> {
  let at = 0;
  while (at + 4 <= packets.length) {
    const length = lengthAt(packets, at);
    if (length === undefined) return;
    yield { line: packets.toString("latin1", at + 4, at + length), at: at + 4 };
    // Lengths below 4 are the separators, which have no content.
    at += Math.max(4, length);
  }
}

/** Hands on what has come in whole packets, and keeps the piece of the last one for later. What is no packet is handed on. */
export function createWholePackets(): (chunk: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const all = Buffer.concat([rest, chunk]);
    let at = 0;
    while (at + 4 <= all.length) {
      const length = lengthAt(all, at);
      const end = length === undefined ? all.length : at + Math.max(4, length);
      if (end > all.length) break;
      at = end;
    }
    rest = all.subarray(at);
    return all.subarray(0, at);
  };
}

function lengthAt(packets: Buffer, at: number): number | undefined {
  const length = Number.parseInt(packets.toString("latin1", at, at + 4), 16);
  return Number.isNaN(length) ? undefined : length;
}

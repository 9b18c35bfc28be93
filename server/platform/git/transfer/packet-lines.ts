/** Reads a Git client's data packet by packet, like Git. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../app-error.ts";

/** Where a packet's content begins and ends, and the length that it says: below 4 for separators. False: no more, please. */
export type TakePacket = (start: number, end: number, length: number) => boolean | void;

/** More than 16 MiB of wants or haves are; packets of nothing would be four million. */
export const maxPackets = 400_000;
/** About a millisecond's work. Everybody else waits meanwhile. */
export const packetsInOneTurn = 2_000;

export function tooManyPackets(): AppError {
  return new AppError("payload_too_large", { message: "The request has too many packets." });
}

/**
 * Gives others their turns of the event loop. What is no packet ends the list; Git itself will complain. Throws
 * `payload_too_large` for more packets than anybody needs.
 */
export async function readPackets(packets: Buffer, take: TakePacket): Promise<void> {
  let at = 0;
  for (let count = 1; at + 4 <= packets.length; count += 1) {
    const length = lengthAt(packets, at);
    if (length === undefined) return;
    if (count > maxPackets) throw tooManyPackets();
    const start = at + 4;
    // Separators have no content.
    at = Math.max(start, at + length);
    if (take(start, Math.min(at, packets.length), length) === false) return;
    if (count % packetsInOneTurn === 0) await nextTurn();
  }
}

/** Whether a client of the older versions has named all that it has: what comes then is the pack. */
export async function hasDone(packets: Buffer): Promise<boolean> {
  let isDone = false;
  await readPackets(packets, (start, end) => {
    const line = packets.toString("latin1", start, Math.min(end, start + "done\n".length + 1));
    isDone = line === "done" || line === "done\n";
    return !isDone;
  });
  return isDone;
}

/** Passes on whole packets, and keeps the piece of the last one for later. Anything that is not a packet is passed on. */
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

/** Without making text of it: there are hundreds of thousands in a large request. */
function lengthAt(packets: Buffer, at: number): number | undefined {
  let length = 0;
  for (let n = 0; n < 4; n += 1) {
    const digit = hexDigit(packets[at + n]!);
    if (digit === undefined) return undefined;
    length = length * 16 + digit;
  }
  return length;
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : undefined;
}

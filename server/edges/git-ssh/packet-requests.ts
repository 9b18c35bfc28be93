/**
 * Splits what a Git client sends on a lasting connection into requests: packets up to the one that flushes. Under protocol
 * 2 each request stands for itself.
 */
import { AppError } from "../../platform/app-error.ts";
import { createByteBuffer } from "../../platform/git/processes/byte-buffer.ts";
import { maxPackets, tooManyPackets } from "../../platform/git/transfer/packet-lines.ts";
import type { RequestMemory } from "../../platform/git/processes/request-memory.ts";

export interface PacketRequests {
  /** The requests that this piece completes. Throws `bad_request` for anything but packets, and like `RequestRoom.grow`. */
  push(chunk: Buffer): Buffer[];
  /** The received part of the incomplete request; to be called once. */
  rest(): Buffer;
}

export function createPacketRequests(room: Pick<RequestMemory, "grow">): PacketRequests {
  const request = createByteBuffer();
  let packets = 0;
  let head = "";
  /** Missing bytes of the current packet. */
  let left = 0;

  /** Continues from `at`; returns where the request or the piece ends, and which of the two. */
  function scan(chunk: Buffer, start: number): { end: number; complete: boolean } {
    let at = start;
    while (at < chunk.length) {
      if (left > 0) {
        const step = Math.min(left, chunk.length - at);
        left -= step;
        at += step;
        continue;
      }
      head += String.fromCharCode(chunk[at]!);
      at += 1;
      if (head.length < 4) continue;
      const length = packetLength(head);
      head = "";
      packets += 1;
      if (packets > maxPackets) throw tooManyPackets();
      if (length === 0) return { end: at, complete: true };
      left = Math.max(0, length - 4);
    }
    return { end: at, complete: false };
  }

  return {
    push(chunk) {
      const requests: Buffer[] = [];
      let start = 0;
      while (start < chunk.length) {
        const { end, complete } = scan(chunk, start);
        room.grow(request.size() + end - start);
        request.add(chunk.subarray(start, end));
        start = end;
        if (!complete) continue;
        requests.push(request.take());
        packets = 0;
      }
      return requests;
    },
    rest: () => request.take(),
  };
}

/** 0: flush; 1 and 2 are separators within a request. */
function packetLength(head: string): number {
  const length = /^[0-9a-fA-F]{4}$/.test(head) ? Number.parseInt(head, 16) : -1;
  if (length < 0 || length === 3)
    throw new AppError("bad_request", { message: "This is not Git's protocol." });
  return length;
}

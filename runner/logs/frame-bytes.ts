/** Log bytes as a binary frame, compressed where that pays; compression runs beside the event loop. */
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { encodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { StreamBytes } from "./log-stream.ts";

const compress = promisify(zstdCompress);
/** Below this, compressing costs more time than it saves. */
const compressFromBytes = 1024;
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export async function frameBytes(channel: number, part: StreamBytes): Promise<Uint8Array> {
  const { bytes } = part;
  const packed = bytes.length > compressFromBytes ? await compress(bytes, fast) : bytes;
  const compressed = packed.length < bytes.length;
  return encodeLogFrame({
    channel,
    offset: part.offset,
    firstLine: part.firstLine,
    rawLength: bytes.length,
    compressed,
    timeRuns: part.timeRuns,
    payload: compressed ? packed : bytes,
  });
}

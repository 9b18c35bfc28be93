/**
 * The frames in which the daemon sends what a container prints: one byte for the stream, three zeros, the length of the payload
 * (32 bits, big endian), the payload. Source: "Attach to a container" of the Docker Engine API.
 */

const headerBytes = 8;
const lengthAt = 4;

/** The payloads of all frames, one piece for each that came: a service may print a line a frame, a million times a second. */
export async function* payloads(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(headerBytes);
  let headerKnown = 0;
  /** Of the payload of the present frame. */
  let missing = 0;
  for await (const piece of source) {
    const payload = Buffer.allocUnsafe(piece.length);
    let size = 0;
    for (let at = 0; at < piece.length;) {
      if (missing > 0) {
        const taken = piece.copy(payload, size, at, at + missing);
        size += taken;
        at += taken;
        missing -= taken;
        continue;
      }
      const taken = piece.copy(header, headerKnown, at);
      headerKnown += taken;
      at += taken;
      if (headerKnown < headerBytes) continue;
      headerKnown = 0;
      missing = header.readUInt32BE(lengthAt);
    }
    if (size > 0) yield payload.subarray(0, size);
  }
}

/** What comes behind the first `count` bytes. */
export async function* behind(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of source) {
    const skipped = Math.min(left, piece.length);
    left -= skipped;
    if (skipped < piece.length) yield piece.subarray(skipped);
  }
}

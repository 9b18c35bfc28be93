/** Caches travel and are stored as tar archives compressed with Zstandard. */
import { Readable, type Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";

/** The time of a job counts more than the last tenth of the size. */
const level = 1;
const pieceBytes = 512 * 1024;

/** A piece of `source` must stay as it is until it is read. */
export function compressed(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  return through(source, createZstdCompress({ params, chunkSize: pieceBytes }));
}

/** Throws `RangeError` for bytes that are not compressed so. */
export async function* decompressed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* through(source, createZstdDecompress({ chunkSize: pieceBytes }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith("ZSTD_") || code === "Z_BUF_ERROR")
      throw new RangeError("its compression is damaged", { cause: error });
    throw error;
  }
}

function through(source: AsyncIterable<Buffer>, stream: Duplex): AsyncIterable<Buffer> {
  // A failure destroys the stream, whose reader sees it.
  pipeline(Readable.from(source, { objectMode: false, highWaterMark: pieceBytes }), stream).catch(
    () => undefined,
  );
  return stream as AsyncIterable<Buffer>;
}

/** The bytes of uploaded exports in object storage. */
import { Readable } from "node:stream";
import { AppError } from "../../../../platform/app-error.ts";
import type { ObjectStore } from "../../../../platform/objects/object-store.ts";

const folder = "import-archives/";

export type ArchiveBytes = ReturnType<typeof createArchiveBytes>;

export function createArchiveBytes(objects: ObjectStore) {
  const keyOf = (id: string) => `${folder}${id}`;
  return {
    /** Bytes that were kept. Throws `payload_too_large`, `validation_failed` for no `.tar.gz` file, and what `source` throws. */
    async keep(id: string, source: AsyncIterable<Buffer>, maxBytes: number): Promise<number> {
      let size = 0;
      async function* counted() {
        for await (const piece of begunAsGzip(source)) {
          size += piece.length;
          if (size > maxBytes) throw tooLarge(maxBytes);
          yield piece;
        }
      }
      await objects.put(keyOf(id), Readable.from(counted(), { objectMode: false }));
      return size;
    },
    /** Rejects with `ObjectNotFound`. */
    open: (id: string) => objects.get(keyOf(id)),
    remove: (id: string) => objects.delete(keyOf(id)),
    /** All that is stored. */
    async *ids(): AsyncGenerator<string> {
      for await (const { key } of objects.list(folder)) yield key.slice(folder.length);
    },
  };
}

const gzipBeginning = Buffer.from([0x1f, 0x8b]);

/** Whoever sends a wrong file is told at its beginning, not after gigabytes. */
async function* begunAsGzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = Buffer.alloc(0);
  let isGzip = false;
  for await (const piece of source) {
    if (isGzip) {
      yield piece;
      continue;
    }
    first = Buffer.concat([first, piece]);
    if (first.length < gzipBeginning.length) continue;
    if (!first.subarray(0, gzipBeginning.length).equals(gzipBeginning)) throw noArchive();
    isGzip = true;
    yield first;
  }
  if (!isGzip) throw noArchive();
}

const noArchive = () =>
  new AppError("validation_failed", {
    message: "The file is no .tar.gz archive, as GitHub and GitLab export them.",
  });

export const tooLarge = (maxBytes: number): AppError =>
  new AppError("payload_too_large", { message: `An archive can have at most ${maxBytes} bytes.` });

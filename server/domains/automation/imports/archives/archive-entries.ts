/** The files of a `.tar.gz` archive that somebody uploaded, one after the other, within bounds. Nothing is written anywhere. */
import { once } from "node:events";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { extract, type Extract } from "tar-stream";
import { SourceProblem } from "../source-problem.ts";

export interface ArchiveEntry {
  /** As the archive has it, without `./`: of no use as a path of a file. */
  path: string;
  sizeBytes: number;
  /** May be left unread. */
  bytes: AsyncIterable<Buffer>;
}

export interface ArchiveBounds {
  /** Unpacked. */
  maxBytes: number;
  maxEntries: number;
}

/** Only regular files. Throws `SourceProblem` for what is no such archive or too much, what `source` throws, and the signal's reason. */
export async function* archiveEntries(
  source: Readable,
  bounds: ArchiveBounds,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const left = new AbortController();
  const ends = AbortSignal.any([signal, left.signal]);
  const tar = extract();
  const gunzip = createGunzip();
  let lost: Error | undefined;
  source.once("error", (error) => (lost = error));
  // What goes wrong is thrown by the entries.
  tar.on("error", () => undefined);
  pipeline(source, gunzip, () => undefined);
  void feed(gunzip, tar, { maxBytes: bounds.maxBytes, signal: ends }).catch((error: Error) =>
    tar.destroy(error),
  );
  let entries = 0;
  try {
    for await (const entry of tar) {
      entries += 1;
      if (entries > bounds.maxEntries)
        throw new SourceProblem(`The archive has more than ${bounds.maxEntries} files.`);
      const { name, size, type } = entry.header;
      if (type === "file" || type === "contiguous-file")
        yield {
          path: name.replace(/^(?:\.?\/)+/, ""),
          sizeBytes: size ?? 0,
          bytes: entry as AsyncIterable<Buffer>,
        };
      entry.resume();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (lost) throw lost;
    throw error instanceof SourceProblem ? error : new SourceProblem(broken, { cause: error });
  } finally {
    left.abort();
    source.destroy();
    gunzip.destroy();
  }
}

const broken =
  "The archive is damaged, or was not uploaded as a whole: it is no .tar.gz file that can be read to its end.";

async function feed(
  gunzip: Gunzip,
  tar: Extract,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<void> {
  let bytes = 0;
  for await (const piece of gunzip as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes)
      throw new SourceProblem(`The archive has more than ${maxBytes} bytes when it is unpacked.`);
    if (!tar.write(piece)) await once(tar, "drain", { signal });
  }
  tar.end(undefined);
}

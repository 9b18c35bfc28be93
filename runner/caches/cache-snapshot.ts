/** What a cache holds, on the runner's own disk: written while the job waits, and read once it does not wait any more. */
import { open, rm, statfs, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

export interface SnapshotRoom {
  maxBytes: number;
  /** With less free on the disk, nothing more is written. */
  minFreeBytes: number;
}

export interface CacheSnapshot {
  path: string;
  sizeBytes: number;
  /** There was room for all of it. */
  isWhole: boolean;
  /** All of it, once; where it is not whole, what is not written comes from the source. The file may be removed meanwhile. */
  pieces(): AsyncGenerator<Buffer>;
  /** Never rejects. */
  remove(): Promise<void>;
}

const pieceBytes = 1024 * 1024;
/** How much is written between two looks at the disk. */
const lookBytes = 64 * 1024 * 1024;

/** Pieces must stay as they are. Throws what the source throws, and what the disk says; nothing is left then. */
export async function takeSnapshot(
  path: string,
  source: AsyncIterable<Buffer>,
  room: SnapshotRoom,
): Promise<CacheSnapshot> {
  const incoming = source[Symbol.asyncIterator]();
  const remove = () => rm(path, { force: true }).catch(() => undefined);
  try {
    const { sizeBytes, unwritten } = await write(path, incoming, room);
    async function* pieces(): AsyncGenerator<Buffer> {
      try {
        yield* readSnapshot(path);
        if (unwritten === null) return;
        yield unwritten;
        for (let next = await incoming.next(); next.done !== true; next = await incoming.next())
          yield next.value;
      } finally {
        await incoming.return?.();
      }
    }
    return { sizeBytes, isWhole: unwritten === null, path, pieces, remove };
  } catch (error) {
    await incoming.return?.();
    await remove();
    throw error;
  }
}

/** Throws where it is not there. */
async function* readSnapshot(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    yield* readArchive(file);
  } finally {
    await file.close();
  }
}

/** From its first byte. The caller closes it. */
export function readArchive(file: FileHandle): AsyncIterable<Buffer> {
  return file.createReadStream({
    start: 0,
    autoClose: false,
    highWaterMark: pieceBytes,
  }) as AsyncIterable<Buffer>;
}

/** `unwritten`: the piece for which there was no room; null once all is written. */
async function write(
  path: string,
  incoming: AsyncIterator<Buffer>,
  { maxBytes, minFreeBytes }: SnapshotRoom,
): Promise<{ sizeBytes: number; unwritten: Buffer | null }> {
  const file = await open(path, "wx", 0o600);
  let [sizeBytes, lookedAt] = [0, -lookBytes];
  let [batch, batchBytes]: [Buffer[], number] = [[], 0];
  let writing: Promise<unknown> = Promise.resolve();
  const flush = async () => {
    await writing;
    const pieces = batch;
    [batch, batchBytes] = [[], 0];
    // The next pieces come while these are written.
    writing = pieces.length > 0 ? writeAll(file, pieces) : Promise.resolve();
    writing.catch(() => undefined);
  };
  const hasRoom = async (bytes: number) => {
    if (sizeBytes + bytes > maxBytes) return false;
    if (sizeBytes - lookedAt < lookBytes) return true;
    lookedAt = sizeBytes;
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail * bsize - lookBytes >= minFreeBytes;
  };
  try {
    let unwritten: Buffer | null = null;
    for (let next = await incoming.next(); next.done !== true; next = await incoming.next()) {
      if (!(await hasRoom(next.value.length))) {
        unwritten = next.value;
        break;
      }
      batch.push(next.value);
      batchBytes += next.value.length;
      sizeBytes += next.value.length;
      if (batchBytes >= pieceBytes) await flush();
    }
    await flush();
    await writing;
    return { sizeBytes, unwritten };
  } finally {
    await writing.catch(() => undefined);
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, pieces: readonly Buffer[]): Promise<void> {
  const wanted = pieces.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await file.writev([...pieces]);
  // A full disk takes the beginning and says nothing.
  if (bytesWritten < wanted) await file.write(Buffer.concat([...pieces]).subarray(bytesWritten));
}

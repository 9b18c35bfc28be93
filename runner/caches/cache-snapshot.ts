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

export interface SnapshotSource {
  /** All of it, piece by piece. Pieces must stay as they are. */
  pieces: AsyncIterable<Buffer>;
  /** Writes all of it into a file that is empty, faster; false where that did not work, whatever is in the file then. */
  intoFile?: (file: FileHandle, signal: AbortSignal) => Promise<boolean>;
}

const pieceBytes = 1024 * 1024;
/** How much is written between two looks at the disk. */
const lookBytes = 64 * 1024 * 1024;
/** Between two looks at what another program writes, which is at most `lookBytes` meanwhile on a fast disk. */
const watchMs = 50;

/** Throws what the source throws, and what the disk says; nothing is left then. */
export async function takeSnapshot(
  path: string,
  source: SnapshotSource,
  room: SnapshotRoom,
): Promise<CacheSnapshot> {
  const incoming = source.pieces[Symbol.asyncIterator]();
  const remove = () => rm(path, { force: true }).catch(() => undefined);
  try {
    const direct = source.intoFile && (await writeDirectly(path, source.intoFile, room));
    const { sizeBytes, unwritten } = direct ?? (await write(path, incoming, room));
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

/** null where it did not work, or there was no room for all of it; nothing is left then. */
async function writeDirectly(
  path: string,
  intoFile: NonNullable<SnapshotSource["intoFile"]>,
  room: SnapshotRoom,
): Promise<Written | null> {
  const file = await open(path, "wx+", 0o600);
  const full = new AbortController();
  const sizeOf = async () => (await file.stat()).size;
  const watch = async () => {
    const hasRoom =
      (await sizeOf()) <= room.maxBytes && (await freeBytes(path)) - lookBytes >= room.minFreeBytes;
    if (!hasRoom) full.abort(new Error("there is no room for all of it"));
  };
  const watching = setInterval(() => void watch().catch(() => full.abort()), watchMs);
  try {
    await watch();
    const isWritten = !full.signal.aborted && (await intoFile(file, full.signal));
    const sizeBytes = await sizeOf();
    if (isWritten && sizeBytes <= room.maxBytes) return { sizeBytes, unwritten: null };
  } finally {
    clearInterval(watching);
    await file.close();
  }
  await rm(path);
  return null;
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
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

interface Written {
  sizeBytes: number;
  /** The piece for which there was no room; null once all is written. */
  unwritten: Buffer | null;
}

async function write(
  path: string,
  incoming: AsyncIterator<Buffer>,
  { maxBytes, minFreeBytes }: SnapshotRoom,
): Promise<Written> {
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
    return (await freeBytes(path)) - lookBytes >= minFreeBytes;
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

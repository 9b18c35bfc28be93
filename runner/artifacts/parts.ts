/** Moves the parts of what is stored in parts, several at a time. */
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { persist, type ArtifactConnection, type DirectAddress } from "./artifact-connection.ts";
import { ArtifactError } from "./artifact-error.ts";
import { sha256Of } from "./part-hash.ts";

export interface Part {
  number: number;
  /** Stay as they are while they are sent. */
  bytes: Buffer;
}

/** Each in a buffer of its own. `roomFor`: how many bytes that part will have at most; all but the last one fill it. */
export async function* inParts(
  pieces: AsyncIterable<Buffer>,
  roomFor: (number: number) => number,
): AsyncGenerator<Part> {
  let number = 0;
  let bytes = Buffer.allocUnsafe(roomFor(number));
  let filled = 0;
  for await (let piece of pieces) {
    while (piece.length > 0) {
      const taken = piece.copy(bytes, filled);
      filled += taken;
      piece = piece.subarray(taken);
      if (filled < bytes.length) continue;
      yield { number, bytes };
      number += 1;
      filled = 0;
      bytes = Buffer.allocUnsafe(Math.max(0, roomFor(number)));
    }
  }
  if (filled > 0) yield { number, bytes: bytes.subarray(0, filled) };
}

/** Each is in memory while it is under way. */
const atOnce = 3;

/** `send` is called in the order of the parts. Rejects with the first failure, once nothing is under way any more. */
export async function sendParts(
  parts: AsyncIterable<Part>,
  outer: AbortSignal,
  send: (part: Part, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([outer, failed.signal]);
  const sending = new Set<Promise<void>>();
  let problem: { error: unknown } | undefined;
  const note = (error: unknown) => {
    problem ??= { error };
    failed.abort();
  };
  try {
    for await (const part of parts) {
      signal.throwIfAborted();
      const sent: Promise<void> = send(part, signal)
        .catch(note)
        .finally(() => sending.delete(sent));
      sending.add(sent);
      if (sending.size >= atOnce) await Promise.race(sending);
    }
  } catch (error) {
    note(error);
  }
  await Promise.all(sending);
  if (problem) throw problem.error;
}

/** In their order, a few ahead. */
export async function* fetchParts(
  count: number,
  outer: AbortSignal,
  fetch: (number: number, signal: AbortSignal) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  const coming: Promise<Buffer>[] = [];
  let next = 0;
  try {
    while (next < count || coming.length > 0) {
      for (; next < count && coming.length < atOnce; next += 1) {
        const part = fetch(next, signal);
        // Thrown when it is its turn.
        part.catch(() => undefined);
        coming.push(part);
      }
      yield (await coming.shift()) as Buffer;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(coming);
  }
}

export interface PartQuestion {
  signal: AbortSignal;
  /** Where the server says that the part is. */
  ask(): Promise<{ path: string; direct: DirectAddress | null }>;
}

/** What this runner has kept, or else from where the server says. Throws `ArtifactError` for other bytes than those of the hash. */
export async function fetchPart(
  connection: ArtifactConnection,
  sha256: string,
  { signal, ask }: PartQuestion,
): Promise<Buffer> {
  const kept = await connection.kept?.find(sha256);
  if (kept) return kept;
  return persist(signal, async () => {
    const bytes = await connection.get(await ask(), partBytes, signal);
    if ((await sha256Of(bytes)) !== sha256)
      throw new ArtifactError("the received bytes are not those that were stored", true);
    await connection.kept?.keep(sha256, bytes);
    return bytes;
  });
}

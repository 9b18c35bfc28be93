/** Sends and fetches the bytes of one cache, in parts, straight to and from the object store where that signs addresses. */
import { PartAddress } from "@forgeline/schemas/artifacts/job-messages.ts";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import {
  BegunCache,
  CachePartSource,
  CompletedCache,
  HandedOverCache,
  LookedUpCache,
  type FoundCache,
} from "@forgeline/schemas/caches/job-messages.ts";
import { maxCacheParts } from "@forgeline/schemas/caches/limits.ts";
import { persist, type ArtifactConnection } from "../artifacts/artifact-connection.ts";
import { sha256Of } from "../artifacts/part-hash.ts";
import { fetchPart, fetchParts, inParts, sendParts, type Part } from "../artifacts/parts.ts";
import { CacheError } from "./cache-error.ts";

export interface CacheTransfer {
  connection: ArtifactConnection;
  signal: AbortSignal;
}

/** All of these throw `ArtifactError`, with the server's own words. */
export function lookUpCache(
  { connection, signal }: CacheTransfer,
  wanted: { position: number; key: string; restore: readonly string[]; held?: string },
): Promise<LookedUpCache> {
  return connection.ask("/lookup", { body: wanted, answer: LookedUpCache, signal });
}

export function beginCache(
  { connection, signal }: CacheTransfer,
  wanted: { position: number; key: string },
): Promise<BegunCache> {
  return connection.ask("/entries", { body: wanted, answer: BegunCache, signal });
}

/** From now on it is sent with a token of its own. */
export function handOverCache({ connection, signal }: CacheTransfer, id: string): Promise<HandedOverCache> {
  return connection.ask(`/entries/${id}/hand-over`, { body: {}, answer: HandedOverCache, signal });
}

/** As they were stored: each is checked before anything of it is used. */
export function fetchCache(
  { connection, signal: outer }: CacheTransfer,
  { id, parts }: FoundCache,
): AsyncGenerator<Buffer> {
  return fetchParts(parts.length, outer, (number, signal) => {
    const path = `/entries/${id}/parts/${number}`;
    return fetchPart(connection, parts[number]?.sha256 ?? "", {
      signal,
      async ask() {
        const asked = { body: {}, answer: CachePartSource, signal };
        const { direct } = await connection.ask(`${path}/address`, asked);
        return { path, direct };
      },
    });
  });
}

/** Whether it was saved: another job may have been faster. `sizeBytes` and `parts`, the hashes, as it is stored. */
export async function sendCache(
  { connection, signal }: CacheTransfer,
  id: string,
  pieces: AsyncIterable<Buffer>,
): Promise<{ saved: boolean; sizeBytes: number; parts: string[] }> {
  let sizeBytes = 0;
  const hashes: string[] = [];
  // The size of the whole is only known at its end.
  const parts = inParts(pieces, () => partBytes);
  await sendParts(parts, signal, async (part, within) => {
    if (part.number === maxCacheParts - 1 && part.bytes.length === partBytes)
      throw new CacheError("it is too large");
    sizeBytes += part.bytes.length;
    hashes[part.number] = await sendPart({ connection, signal: within }, id, part);
  });
  const asked = { body: { parts: hashes.length }, answer: CompletedCache, signal };
  const { saved } = await connection.ask(`/entries/${id}/complete`, asked);
  return { saved, sizeBytes, parts: hashes };
}

/** Its hash. */
async function sendPart(
  { connection, signal }: CacheTransfer,
  id: string,
  { number, bytes }: Part,
): Promise<string> {
  const sha256 = await sha256Of(bytes);
  const body = { number, sha256, size_bytes: bytes.length };
  await persist(signal, async () => {
    const asked = { body, answer: PartAddress, signal };
    const { stored, direct } = await connection.ask(`/entries/${id}/parts`, asked);
    const path = `/entries/${id}/parts/${number}/${sha256}`;
    if (!stored) await connection.put({ path, direct }, bytes, signal);
  });
  await connection.kept?.keep(sha256, bytes);
  return sha256;
}

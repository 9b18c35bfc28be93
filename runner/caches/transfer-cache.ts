/** Sends and fetches the bytes of one cache, in parts, straight to and from the object store where that signs addresses. */
import { createHash } from "node:crypto";
import { PartAddress } from "@forgeline/schemas/artifacts/job-messages.ts";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import {
  BegunCache,
  CachePartSource,
  CompletedCache,
  LookedUpCache,
  type FoundCache,
} from "@forgeline/schemas/caches/job-messages.ts";
import { maxCacheParts } from "@forgeline/schemas/caches/limits.ts";
import { persist, type ArtifactConnection } from "../artifacts/artifact-connection.ts";
import { ArtifactError } from "../artifacts/artifact-error.ts";
import { fetchParts, inParts, sendParts, type Part } from "../artifacts/parts.ts";
import { CacheError } from "./cache-error.ts";

export interface CacheTransfer {
  connection: ArtifactConnection;
  signal: AbortSignal;
}

/** All of these throw `ArtifactError`, with the server's own words. */
export function lookUpCache(
  { connection, signal }: CacheTransfer,
  wanted: { position: number; key: string; restore: readonly string[] },
): Promise<LookedUpCache> {
  return connection.ask("/lookup", { body: wanted, answer: LookedUpCache, signal });
}

export function beginCache(
  { connection, signal }: CacheTransfer,
  wanted: { position: number; key: string },
): Promise<BegunCache> {
  return connection.ask("/entries", { body: wanted, answer: BegunCache, signal });
}

/** As they were stored: each is checked before anything of it is used. */
export function fetchCache(transfer: CacheTransfer, found: FoundCache): AsyncGenerator<Buffer> {
  return fetchParts(found.parts.length, transfer.signal, (number, signal) =>
    fetchPart({ ...transfer, signal }, found, number),
  );
}

function fetchPart({ connection, signal }: CacheTransfer, { id, parts }: FoundCache, number: number) {
  const path = `/entries/${id}/parts/${number}`;
  return persist(signal, async () => {
    const asked = { body: {}, answer: CachePartSource, signal };
    const { direct } = await connection.ask(`${path}/address`, asked);
    const bytes = await connection.get({ path, direct }, partBytes, signal);
    if (sha256Of(bytes) === parts[number]?.sha256) return bytes;
    throw new ArtifactError("the received bytes are not those of the cache", true);
  });
}

/** Whether it was saved: another job may have been faster. `sizeBytes` as it is stored. */
export async function sendCache(
  { connection, signal }: CacheTransfer,
  id: string,
  pieces: AsyncIterable<Buffer>,
): Promise<{ saved: boolean; sizeBytes: number }> {
  let [count, sizeBytes] = [0, 0];
  // The size of the whole is only known at its end.
  const parts = inParts(pieces, () => partBytes);
  await sendParts(parts, signal, (part, within) => {
    if (part.number === maxCacheParts - 1 && part.bytes.length === partBytes)
      throw new CacheError("it is too large");
    count += 1;
    sizeBytes += part.bytes.length;
    return sendPart({ connection, signal: within }, id, part);
  });
  const asked = { body: { parts: count }, answer: CompletedCache, signal };
  const { saved } = await connection.ask(`/entries/${id}/complete`, asked);
  return { saved, sizeBytes };
}

async function sendPart(
  { connection, signal }: CacheTransfer,
  id: string,
  { number, bytes }: Part,
): Promise<void> {
  const sha256 = sha256Of(bytes);
  const body = { number, sha256, size_bytes: bytes.length };
  await persist(signal, async () => {
    const asked = { body, answer: PartAddress, signal };
    const { stored, direct } = await connection.ask(`/entries/${id}/parts`, asked);
    const path = `/entries/${id}/parts/${number}/${sha256}`;
    if (!stored) await connection.put({ path, direct }, bytes, signal);
  });
}

function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

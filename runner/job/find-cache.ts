/** Asks the server for a cache. One that a runner still sends is waited for, or taken from the disk where this is that runner. */
import { setTimeout as delay } from "node:timers/promises";
import type { LookedUpCache } from "@forgeline/schemas/caches/job-messages.ts";
import type { CacheUploads, HeldArchive } from "../caches/cache-uploads.ts";
import { lookUpCache, type CacheTransfer } from "../caches/transfer-cache.ts";
import type { JobContext } from "./job-context.ts";

export interface WantedCache {
  position: number;
  key: string;
  restore: readonly string[];
}

/** `held`: what is found, as this runner has it; the caller closes it. */
export type SearchedCache = LookedUpCache & { held: HeldArchive | null };

const patienceMs = 60_000;
const askAgainMs = 1_000;

/** Throws `ArtifactError`, or the reason of the signal. */
export async function findCache(
  job: Pick<JobContext, "setup" | "uploads">,
  transfer: CacheTransfer,
  wanted: WantedCache,
): Promise<SearchedCache> {
  const sinceMs = performance.now();
  for (let isTold = false; ; isTold = true) {
    const answer = await lookUpCache(transfer, wanted);
    const { saving } = answer;
    if (!saving) return { ...answer, held: null };
    const here = job.uploads && (await takeHeld(job.uploads, transfer, { ...wanted, held: saving.id }));
    if (here) return here;
    if (!isTold)
      job.setup.line(
        `Cache ${wanted.key}: waiting for job ${saving.job} to finish saving (since ${saving.since})`,
      );
    if (performance.now() - sinceMs >= patienceMs) {
      job.setup.line(`Cache ${wanted.key}: still not saved after ${patienceMs / 1000} s`);
      return { ...answer, held: null };
    }
    await delay(askAgainMs, undefined, { signal: transfer.signal });
  }
}

async function takeHeld(
  uploads: CacheUploads,
  transfer: CacheTransfer,
  wanted: WantedCache & { held: string },
): Promise<SearchedCache | null> {
  const held = await uploads.open(wanted.held);
  if (held === null) return null;
  const answer = await lookUpCache(transfer, wanted).catch(async (error: unknown) => {
    await held.file.close();
    throw error;
  });
  if (answer.found?.id === wanted.held) return { ...answer, held };
  await held.file.close();
  return null;
}

/**
 * Brings the Git LFS objects that files of an import name. What is here already is not asked for again, so it may be cut off anywhere;
 * each object is checked against its digest and counts as if it had been pushed. What does not come is noted, and ends nothing.
 */
import { AppError } from "../../../platform/app-error.ts";
import { outboundErrorIn } from "../../../platform/outbound/outbound-error.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { FindLfs } from "../mirrors/lfs-access.ts";
import type { LfsObject } from "../mirrors/lfs-server.ts";
import { takeLfsObjects } from "../mirrors/lfs-source.ts";
import { RemoteProblem } from "../mirrors/sync-problem.ts";
import type { MirrorLfs } from "../mirrors/syncs.ts";
import type { Note } from "./imports.store.ts";
import { SourceUnavailable } from "./source-problem.ts";

export interface LargeFilesDeps {
  outbound: Pick<Outbound, "fetch" | "exchange">;
  lfs: MirrorLfs;
}

interface Taking {
  repositoryId: string;
  objects: readonly LfsObject[];
  find: FindLfs;
  /** What a connection that broke off has cost is noted; before, all of it is tried again. */
  isLastTry: boolean;
  signal: AbortSignal;
}

/** More are only counted. */
const maxNotes = 1_000;
/** As pushes have it. */
const maxObjects = 100_000;

/** What did not come. Throws `SourceUnavailable`, the signal's reason, and whatever is wrong with this instance. */
export async function takeLargeFiles(
  { outbound, lfs }: LargeFilesDeps,
  { repositoryId, objects, find, isLastTry, signal }: Taking,
): Promise<Note[]> {
  const missing = await lfs.findMissing(repositoryId, objects);
  const wanted = missing.slice(0, maxObjects);
  const lost: Note[] = [];
  let settled = 0;
  const lose = ({ oid }: LfsObject, why: string) => {
    settled += 1;
    lost.push({ kind: "lfs", source: oid, reason: `The Git LFS object did not come: ${why}` });
  };
  const who = { repositoryId, userId: null };
  try {
    await takeLfsObjects(
      outbound,
      { find, signal },
      {
        objects: wanted,
        lose,
        async receive(object, bytes) {
          try {
            await lfs.transfers.receive(who, object, bytes);
            settled += 1;
          } catch (error) {
            signal.throwIfAborted();
            lose(object, sentenceOf(error, isLastTry));
          }
        },
      },
    );
  } catch (error) {
    signal.throwIfAborted();
    const reason = `${missing.length - settled} Git LFS objects did not come: ${sentenceOf(error, isLastTry)} ${advice}`;
    return [...bounded(lost), { kind: "lfs", source: "all", reason }];
  }
  if (missing.length > wanted.length)
    lost.unshift({
      kind: "lfs",
      source: "all",
      reason: `${missing.length - wanted.length} ${tooMany} ${advice}`,
    });
  return bounded(lost);
}

export const advice = "Clone the source and push them with `git lfs push --all`.";
const tooMany = `Git LFS objects did not come: at most ${maxObjects} do.`;

/** At most as many as a report can use of them. */
export function bounded(notes: Note[]): Note[] {
  if (notes.length <= maxNotes) return notes;
  const rest = notes.length - maxNotes;
  return [
    ...notes.slice(0, maxNotes),
    { kind: "lfs", source: "more", reason: `${rest} more Git LFS objects did not come. ${advice}` },
  ];
}

/** Another transfer of the same object ends by itself, and so does a full disk. */
const passing = new Set(["rate_limit_exceeded", "unavailable"]);

/** Throws `SourceUnavailable` for what another try may help with, and what is neither the other host's nor about the object. */
export function sentenceOf(error: unknown, isLastTry: boolean): string {
  if (error instanceof SourceUnavailable) throw error;
  const outbound = outboundErrorIn(error);
  const mayPass = outbound !== undefined || (error instanceof AppError && passing.has(error.code));
  const known = outbound ?? (error instanceof RemoteProblem || error instanceof AppError ? error : undefined);
  if (!known) throw error;
  if (mayPass && !isLastTry) throw new SourceUnavailable(known.message);
  return known.message;
}

/** A changed file as the REST interface shows it. */
import type { FileDiff } from "@forgeline/schemas/commits/resource.ts";
import { statusOf } from "../../../platform/git/history/listed-changes.ts";
import type { FileSide } from "../../../platform/git/history/tree-difference.ts";
import type { ChangeWithFacts, ShownDiff } from "./compare-page.ts";

export interface DiffAddresses {
  patch(path: string): string;
  /** Of a file in a commit. */
  raw(sha: string, path: string): string;
}

export function presentFileDiff(
  { change, facts }: ChangeWithFacts,
  diff: ShownDiff,
  place: { before: string | null; after: string; addresses: DiffAddresses },
): FileDiff {
  const { path, previousPath, before, after } = change;
  const raw = (side: FileSide | null, sha: string | null, at: string) =>
    side && sha !== null && side.kind !== "submodule" ? place.addresses.raw(sha, at) : null;
  return {
    path,
    previous_path: previousPath,
    status: statusOf(change),
    kind: (after ?? before)?.kind ?? "file",
    sha: after?.oid ?? null,
    previous_sha: before?.oid ?? null,
    mode: after?.mode ?? null,
    previous_mode: before?.mode ?? null,
    size: facts.sizeAfter,
    previous_size: facts.sizeBefore,
    lfs: facts.isLfs,
    generated: facts.isGenerated,
    ...diff,
    patch_url: place.addresses.patch(path),
    raw_url: raw(after, place.after, path),
    previous_raw_url: raw(before, place.before, previousPath ?? path),
  };
}

/** Large files that commits stand for, brought from one repository into another one that has the commits. */
import { AppError } from "../../../platform/app-error.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Lfs } from "../../hosting/domain.ts";

export interface LargeFilesDeps extends Pick<Platform, "storage"> {
  lfs: Pick<Lfs, "findReachable" | "findMissing" | "transfers">;
}

/** `from` and `into` are repositories; the second one has all commits. */
export interface LargeFilesToBring {
  from: string;
  into: string;
  commit: string;
  /** Those that this commit reaches, and none of these. */
  without: readonly string[];
  /** Whose doing it is. */
  userId: string | null;
}

/** Safe to repeat. What the first repository lacks is missing in both. Throws `quota_exceeded`. */
export async function bringLargeFiles(
  { lfs, storage }: LargeFilesDeps,
  { from, into, commit, without, userId }: LargeFilesToBring,
): Promise<void> {
  const reach = { directory: storage.directory(into), tips: [commit], without };
  const files = await lfs.findReachable(from, reach);
  for (const file of await lfs.findMissing(into, files)) {
    const bytes = await lfs.transfers.open(from, file).catch(unlessAbsent);
    if (bytes) await lfs.transfers.receive({ repositoryId: into, userId }, file, bytes);
  }
}

function unlessAbsent(error: unknown): undefined {
  if (error instanceof AppError && error.code === "not_found") return undefined;
  throw error;
}

/**
 * Lets Git see the objects of two repositories at once, without either of them getting anything: for comparing and merging what
 * may be read on both sides. What Git makes meanwhile goes into a directory of its own.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

export interface CombinedObjects {
  /** The bare repository whose configuration counts, and in which new objects may wait. */
  directory: string;
  /** The other one, which is only read. */
  other: string;
  /** Where new objects go. */
  made: string;
}

/** Where Git works, and how it sees both repositories. */
export interface CombinedPlace {
  directory: string;
  env: Readonly<Record<string, string>>;
  /** Ends what takes too long for whoever waits. */
  signal: AbortSignal;
}

export function placeIn(combined: CombinedObjects, signal: AbortSignal): CombinedPlace {
  return { directory: combined.directory, env: combinedEnvironment(combined), signal };
}

/** Environment of Git. */
export function combinedEnvironment({ directory, other, made }: CombinedObjects): Record<string, string> {
  // Quoted, since a colon would end a path in the list.
  const objects = [directory, other].map((each) => JSON.stringify(join(each, "objects")));
  return { GIT_OBJECT_DIRECTORY: made, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.join(":") };
}

/** For as long as `work` takes. Maintenance removes what a process that died has left. */
export async function withCombinedObjects<Result>(
  { directory, other }: Omit<CombinedObjects, "made">,
  work: (combined: CombinedObjects) => Promise<Result>,
): Promise<Result> {
  const made = await mkdtemp(join(directory, "objects", "tmp_objdir-merge-"));
  try {
    return await work({ directory, other, made });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

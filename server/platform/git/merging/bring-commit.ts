/**
 * Brings a commit of one repository into another one, with all that it reaches and the other lacks; nothing else of the first comes
 * along. No file is shared between both, and no ref moves.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { movePacks } from "../objects/move-packs.ts";
import { GitError, type Git } from "../processes/run-git.ts";
import { combinedEnvironment } from "./combined-objects.ts";
import { packMissing } from "./pack-missing.ts";

export interface CommitToBring {
  /** The bare repository that shall have it. */
  directory: string;
  /** The one that has it, which is only read. */
  from: string;
  commit: string;
  /** Commits that the first one has. */
  has: readonly string[];
  /** Of what comes. */
  maxBytes: number;
  signal: AbortSignal;
}

/** More comes than is allowed. */
export class TooMuchToBring extends Error {
  constructor(cause: unknown) {
    super("the commit brings more than is allowed", { cause });
    this.name = "TooMuchToBring";
  }
}

/** Checked as what is pushed, and durable once resolved. May be repeated. Throws `TooMuchToBring`, `GitError`, or the signal's reason. */
export async function bringCommit(git: Git, wanted: CommitToBring): Promise<void> {
  const { directory, from, commit, has, maxBytes, signal } = wanted;
  const made = await mkdtemp(join(directory, "objects", "tmp_objdir-merge-"));
  try {
    const env = combinedEnvironment({ directory, other: from, made });
    const objects = { directory, env, tips: [commit], has, quarantine: made, maxBytes, signal };
    await packMissing(git, objects).catch((error: unknown) => {
      throw error instanceof GitError && /exceeds maximum allowed size/.test(error.stderr)
        ? new TooMuchToBring(error)
        : error;
    });
    await movePacks(made, directory);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * Makes a commit without a working tree: what changes goes through a temporary index, and new objects wait in a
 * directory of their own until Git has checked them as it checks a push.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../platform/app-error.ts";
import { GitError, type RunGit } from "./run-git.ts";

export interface FileEdit {
  path: string;
  /** null deletes. */
  bytes: Buffer | null;
  executable: boolean;
}

export interface CommitText {
  message: string;
  author: { name: string; email: string };
  committer: { name: string; email: string };
  time: Date;
}

export interface NewCommit extends CommitText {
  directory: string;
  /** null for the first commit of a branch. */
  parent: string | null;
  edits: readonly FileEdit[];
}

export interface WrittenCommit {
  sha: string;
  /** Of each edit; null where it deletes. */
  blobs: (string | null)[];
}

/** No ref moves. Throws `validation_failed` for what Git does not accept in a push. */
export async function writeCommit(runGit: RunGit, commit: NewCommit): Promise<WrittenCommit> {
  const { directory } = commit;
  const waiting = await mkdtemp(join(directory, "objects", "tmp_objdir-write-"));
  const git = createQuarantine(runGit, directory, waiting);
  try {
    await mkdir(join(waiting, "objects"));
    const blobs: (string | null)[] = [];
    for (const { bytes } of commit.edits)
      blobs.push(bytes && (await git(["hash-object", "-w", "--no-filters", "--stdin"], bytes)));
    if (commit.parent !== null) await git(["read-tree", commit.parent]);
    await git(["update-index", "-z", "--index-info"], indexLines(commit.edits, blobs)).catch(refusal("path"));
    const tree = await git(["write-tree"]);
    const message = commit.message.endsWith("\n") ? commit.message : `${commit.message}\n`;
    const parents = commit.parent === null ? [] : ["-p", commit.parent];
    const sha = await git(["commit-tree", tree, ...parents, "-F", "-"], message, people(commit));
    await admit(runGit, directory, { sha, parent: commit.parent, waiting });
    return { sha, blobs };
  } finally {
    await rm(waiting, { recursive: true, force: true });
  }
}

/** What waits need not survive a crash. */
const unsynced = ["-c", "core.fsync=none"];

type QuarantinedGit = (
  args: readonly string[],
  input?: string | Buffer,
  env?: Record<string, string>,
) => Promise<string>;

function quarantineOf(directory: string, waiting: string): Record<string, string> {
  return {
    GIT_OBJECT_DIRECTORY: join(waiting, "objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(directory, "objects"),
    GIT_INDEX_FILE: join(waiting, "index"),
  };
}

/** Gives the output, trimmed. */
function createQuarantine(runGit: RunGit, directory: string, waiting: string): QuarantinedGit {
  const quarantine = quarantineOf(directory, waiting);
  return async (args, input, env) => {
    const { stdout } = await runGit({
      directory,
      args: [...unsynced, ...args],
      env: { ...quarantine, ...env },
      ...(input === undefined ? {} : { input }),
    });
    return stdout.toString("latin1").trim();
  };
}

function indexLines(edits: readonly FileEdit[], blobs: readonly (string | null)[]): string {
  const line = ({ path, executable }: FileEdit, blob: string | null) =>
    blob === null
      ? `0 ${"0".repeat(40)}\t${path}\0`
      : `${executable ? "100755" : "100644"} ${blob}\t${path}\0`;
  return edits.map((edit, index) => line(edit, blobs[index] ?? null)).join("");
}

function people({ author, committer, time }: CommitText): Record<string, string> {
  const date = `${Math.floor(time.getTime() / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: date,
  };
}

/** New objects into the repository, checked like those of a push. */
async function admit(
  runGit: RunGit,
  directory: string,
  { sha, parent, waiting }: { sha: string; parent: string | null; waiting: string },
): Promise<void> {
  const quarantine = quarantineOf(directory, waiting);
  const { stdout: pack } = await runGit({
    directory,
    args: ["pack-objects", "--revs", "--stdout", "--quiet"],
    env: quarantine,
    input: [sha, ...(parent === null ? [] : [`^${parent}`]), ""].join("\n"),
    maxOutputBytes: 64 * 1024 * 1024,
  });
  // Some checks come after the objects are written, so these are done where nothing stays.
  const checked = join(waiting, "checked");
  await mkdir(checked);
  const env = { ...quarantine, GIT_OBJECT_DIRECTORY: checked };
  const check = [...unsynced, "unpack-objects", "--strict", "-q"];
  await runGit({ directory, args: check, env, input: pack }).catch(refusal("content"));
  await runGit({ directory, args: ["unpack-objects", "-q"], input: pack });
}

/** What Git refuses is wrong in the request; that Git itself broke is not. */
function refusal(field: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GitError) || error.exitCode === null) throw error;
    const reason = /^error: (?:object [0-9a-f]{40}: )?(?<text>.+)$/m.exec(error.stderr)?.groups?.["text"];
    const message = `Git does not accept this${reason ? `: ${reason.slice(0, 300)}` : ""}.`;
    throw new AppError("validation_failed", { message, errors: [{ field, code: "refused", message }] });
  };
}

/** Files of a commit, and files that differ between two, as the statistics need them: regular files only. */
import { readRecords } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";

/** Ids of contents; null where there is no regular file. */
export interface FileStep {
  path: string;
  before: string | null;
  after: string | null;
}

export interface TreeRange {
  directory: string;
  /** Full id of a commit; null: against nothing. */
  before: string | null;
  after: string;
  signal: AbortSignal;
}

const timeoutMs = 10 * 60 * 1000;

/** Limit of files that are read. */
export const maxFiles = 500_000;

/** Throws `GitError`, `unavailable` after ten minutes, `Error` past `maxFiles`, or the signal's reason. */
export async function readFileSteps(startGit: StartGit, range: TreeRange): Promise<FileStep[]> {
  const { directory, before, after, signal } = range;
  const steps: FileStep[] = [];
  const add = (step: FileStep) => {
    if (step.before === step.after) return;
    if (steps.length >= maxFiles) throw new Error(`more than ${maxFiles} files`);
    steps.push(step);
  };
  const reading = readRecords(startGit, {
    directory,
    args: before === null ? listArguments(after) : changeArguments(before, after),
    separator: "\0",
    signal,
    timeoutMs,
    background: true,
    onRecord: before === null ? onListed(add) : onChanged(add),
  });
  await reading.catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
  return steps;
}

const isFile = (mode: string | undefined) => mode === "100644" || mode === "100755";

const listArguments = (commit: string) => ["ls-tree", "-r", "-z", "--full-tree", commit];

/** `100644 blob <id>\t<path>` */
function onListed(add: (step: FileStep) => void): (record: Buffer) => void {
  return (record) => {
    const text = record.toString("utf8");
    const tab = text.indexOf("\t");
    const [mode, , oid = null] = text.slice(0, tab).split(" ");
    if (isFile(mode)) add({ path: text.slice(tab + 1), before: null, after: oid });
  };
}

const changeArguments = (before: string, after: string) => [
  "diff-tree",
  "-r",
  "-z",
  "--raw",
  "--no-abbrev",
  "--no-renames",
  before,
  after,
];

/** `:100644 100644 <id> <id> M`, then the path. */
function onChanged(add: (step: FileStep) => void): (record: Buffer) => void {
  let head: string[] | undefined;
  return (record) => {
    const text = record.toString("utf8");
    if (!head) {
      head = text.slice(1).split(" ");
      return;
    }
    const [oldMode, newMode, before = null, after = null] = head;
    head = undefined;
    add({ path: text, before: isFile(oldMode) ? before : null, after: isFile(newMode) ? after : null });
  };
}

/** The commits that an update brings to a branch, also if they are still in the quarantine of their push. */
import { createCatFile, type GitObject } from "../processes/cat-file-process.ts";
import type { RunGit, StartGit } from "../processes/run-git.ts";
import { quarantineEnvironment } from "../objects/received-objects.ts";
import { maxCommitBytes } from "../storage/repository-files.ts";

export interface NewCommits {
  directory: string;
  quarantine: string | null;
  after: string;
  /** Full names of branches, and ids: what one of them has is not new. */
  known: readonly string[];
  max: number;
}

/** Ids, newest first; undefined for more than `max`. */
export async function listNewCommits(runGit: RunGit, wanted: NewCommits): Promise<string[] | undefined> {
  const { after, known, max } = wanted;
  const { stdout } = await runGit({
    ...placeOf(wanted),
    args: ["rev-list", `--max-count=${max + 1}`, "--stdin"],
    input: [after, ...known.map((each) => `^${each}`), ""].join("\n"),
    maxOutputBytes: (max + 1) * lineBytes,
  });
  const shas = stdout.toString("latin1").split("\n").filter(Boolean);
  return shas.length > max ? undefined : shas;
}

/** An id and a line break. */
const lineBytes = 41;
/** Each may be as large as a commit that is shown, so few are held at a time. */
const atOnce = 20;

/** In order, some at a time, none kept. `bytes` is null for a commit that is larger than any that is shown. */
export async function visitCommits(
  startGit: StartGit,
  { shas, ...place }: { directory: string; quarantine: string | null; shas: readonly string[] },
  visit: (commits: readonly GitObject[]) => Promise<boolean>,
): Promise<void> {
  const { directory, env } = placeOf(place);
  const catFile = createCatFile((start) => startGit({ ...start, env }), directory, idleMs);
  try {
    for (let at = 0; at < shas.length; at += atOnce) {
      const read = shas.slice(at, at + atOnce).map((sha) => catFile.read(sha, maxCommitBytes));
      const found = await Promise.all(read);
      if (!(await visit(found.filter((each) => each !== undefined)))) return;
    }
  } finally {
    catFile.close();
  }
}

const idleMs = 60_000;

function placeOf({ directory, quarantine }: { directory: string; quarantine: string | null }) {
  return { directory, env: quarantine === null ? {} : quarantineEnvironment({ directory, quarantine }) };
}

/**
 * Threads follow the code: when a branch of their merge request has moved, their lines are looked for in the new commit. What was
 * changed makes a thread outdated, and so does what cannot be told. Safe to repeat, also after a death in between.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { ListedChange, ListedChanges } from "../../../platform/git/history/listed-changes.ts";
import type { ReadPatch } from "../../../platform/git/history/patch-output.ts";
import type { FileSide } from "../../../platform/git/history/tree-difference.ts";
import type { Platform } from "../../../platform/platform.ts";
import { hunksOf, mapLines } from "./map-line.ts";
import { statements } from "./threads.store.ts";

/** A merge request, and where its branches are. */
export interface MovedBranches {
  id: string;
  repositoryId: string;
  head: string;
  /** Null: not known, or nothing in common; threads on the old side stay. */
  base: string | null;
}

export interface ThreadPositions {
  /** Throws when Git or the database does not answer. */
  follow(moved: MovedBranches): Promise<void>;
}

const mib = 1024 * 1024;
/** Without context: only changed lines count. */
const comparing = {
  ignoreWhitespace: false,
  contextLines: 0,
  limits: { bytes: 8 * mib, lines: Number.POSITIVE_INFINITY, allBytes: 64 * mib },
  timeoutMs: 30_000,
};

interface Followed {
  id: string;
  side: "old" | "new";
  current_path: string;
  current_start_line: number | null;
  current_line: number | null;
  current_sha: string;
}

/** Where a file is now. `read` is what changed in it: undefined, nothing; null, it cannot be told. */
interface Now {
  path: string;
  read: ReadPatch | null | undefined;
}

export function createThreadPositions({
  db,
  history,
  files,
}: Pick<Platform, "history" | "files"> & { db: Database }): ThreadPositions {
  async function fileIn(repositoryId: string, sha: string, path: string): Promise<FileSide | null> {
    const found = await files.readFile(repositoryId, { sha, path, maxBytes: 0 });
    return found ? { oid: found.oid, mode: "100644", kind: "file" } : null;
  }

  async function changeOf(
    { repositoryId, from, to, list }: Step,
    path: string,
  ): Promise<ListedChange | null> {
    const listed = list.files.find(
      (change) => change.before && (change.previousPath ?? change.path) === path,
    );
    if (listed || !list.more) return listed ?? null;
    // Of a list that is not whole, nobody knows what it lacks.
    const [before, after] = await Promise.all([from, to].map((sha) => fileIn(repositoryId, sha, path)));
    return { path, previousPath: null, before: before ?? null, after: after ?? null };
  }

  /** Null where the file is gone. */
  async function locate(step: Step, paths: readonly string[]): Promise<Map<string, Now | null>> {
    const located = new Map<string, Now | null>();
    const compared: [string, ListedChange][] = [];
    for (const path of paths) {
      const change = await changeOf(step, path);
      if (!change || (change.after && change.before?.oid === change.after.oid))
        located.set(path, { path: change?.path ?? path, read: undefined });
      else if (change.after) compared.push([path, change]);
      else located.set(path, null);
    }
    const pairs = compared.map(([, change]) => change);
    const reads = await history.compareFiles(step.repositoryId, pairs, comparing);
    for (const [index, [path, change]] of compared.entries())
      located.set(path, { path: change.path, read: reads[index] ?? null });
    return located;
  }

  async function followGroup(repositoryId: string, threads: readonly Followed[], to: string): Promise<void> {
    const from = threads[0]!.current_sha;
    const [before, after] = await Promise.all([from, to].map((sha) => files.commitInfo(repositoryId, sha)));
    const outdateAll = () =>
      outdate(
        from,
        threads.map(({ id }) => id),
      );
    // After a force push the old commit need not be kept.
    if (!before || !after) return outdateAll();
    const list = await history.listChanges(repositoryId, { before: before.tree, after: after.tree });
    const paths = [...new Set(threads.map((thread) => thread.current_path))];
    const located = await locate({ repositoryId, from, to, list }, paths);
    const moved = threads.map((thread) => ({ id: thread.id, now: placeNow(thread, located) }));
    const rows = moved.flatMap(({ id, now }) => (now ? [{ id, ...now }] : []));
    await db.query(statements.moveThreads, [from, to, JSON.stringify(rows)]);
    await outdate(
      from,
      moved.filter(({ now }) => !now).map(({ id }) => id),
    );
  }

  async function outdate(from: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await db.query(statements.outdateThreads, [from, ids]);
  }

  return {
    async follow({ id, repositoryId, head, base }) {
      const threads = await db.query(statements.toFollow, [id, head, base]);
      const groups = Map.groupBy(threads, ({ side, current_sha: sha }) => `${side} ${sha}`);
      for (const group of groups.values())
        await followGroup(repositoryId, group, group[0]!.side === "new" ? head : (base ?? head));
    },
  };
}

interface Step {
  repositoryId: string;
  from: string;
  to: string;
  list: ListedChanges;
}

/** Null for a thread whose lines are gone. */
function placeNow(thread: Followed, located: ReadonlyMap<string, Now | null>) {
  const now = located.get(thread.current_path);
  const { current_line: line, current_start_line: start } = thread;
  if (!now) return null;
  if (line === null || now.read === undefined)
    return { path: now.path, start_line: line === null ? null : start, line };
  // A binary file, or one that is too large to compare.
  if (!now.read || now.read.patch === null) return null;
  const lines = mapLines(hunksOf(now.read.patch), { start, line });
  return lines && { path: now.path, start_line: lines.start, line: lines.line };
}

/** Merging, squashing and rebasing in a bare repository: what comes out, what conflicts, and what a failed attempt leaves. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  findMergedRange,
  type MergedHow,
} from "@forgeline/server/domains/collaboration/merge-requests/merge-request-branches/merged-range.ts";
import { applyChange } from "@forgeline/server/platform/git/merging/apply-change.ts";
import { keptTree } from "@forgeline/server/platform/git/merging/kept-tree.ts";
import {
  mergeBranch,
  type BranchMerge,
  type BranchOutcome,
} from "@forgeline/server/platform/git/merging/merge-branch.ts";
import { makeMergedResult } from "@forgeline/server/platform/git/merging/merged-result.ts";
import { parseCommit } from "@forgeline/server/platform/git/objects/commit.ts";
import { createGit } from "@forgeline/server/platform/git/processes/run-git.ts";
import { createRepositoryStorage } from "@forgeline/server/platform/git/storage/storage.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { wideAdmission } from "../../support/wide-admission.ts";
import { createGitClient, type GitClient } from "./git-client.ts";

const git = createGit({ maxPushBytes: 1_000_000_000, admission: wideAdmission() });
const committer = { name: "Mary", email: "mary@example.com" };
const author = { name: "Ada", email: "ada@example.com" };
let dataDir: string;
let client: GitClient;
let tree: string;
let directory: string;
/** Ids of commits by name. */
const at: Record<string, string> = {};

const inClone = async (...args: string[]) => (await client.ok(args, { cwd: tree })).trim();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "forgeline-merge-"));
  client = await createGitClient("");
  const storage = createRepositoryStorage(dataDir);
  const id = newId("repo");
  await storage.create(id, "main");
  directory = storage.directory(id);
  tree = await client.workTree({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  at["start"] = await client.commit(tree, {});
  await inClone("checkout", "-q", "-b", "topic");
  at["one"] = await client.commit(tree, { "b.txt": "b\n" });
  at["two"] = await client.commit(tree, { "a.txt": "one\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  await inClone("checkout", "-q", "main");
  at["main"] = await client.commit(tree, { "c.txt": "c\n" });
  await inClone("checkout", "-q", "topic");
  await inClone("merge", "-q", "--no-edit", "main");
  at["three"] = await client.commit(tree, { "d.txt": "d\n" });
  await inClone("checkout", "-q", "-b", "same", "main");
  at["same"] = await client.commit(tree, { "b.txt": "b\n" });
  await inClone("checkout", "-q", "-b", "far", "main");
  at["far"] = await client.commit(tree, { "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\nnine\n" });
  await inClone("checkout", "-q", "-b", "clash", "main");
  at["clash"] = await client.commit(tree, { "a.txt": "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  await inClone("push", "-q", directory, "--all");
});
afterAll(async () => {
  git.close();
  await client?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

function merge(strategy: BranchMerge["strategy"], more: Partial<BranchMerge>): Promise<BranchOutcome> {
  return mergeBranch(
    git,
    { directory, signal: new AbortController().signal },
    {
      strategy,
      target: at["same"]!,
      head: at["three"]!,
      message: "Bring it in\n\n# kept",
      author,
      committer,
      maxCommits: 10,
      ...more,
    },
  );
}

function commitOf(outcome: BranchOutcome): string {
  if (!("commit" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.commit;
}

const inRepository = async (...args: string[]) =>
  (await git.run({ directory, args })).stdout.toString("utf8").trim();
const show = (commit: string, format: string) => inRepository("show", "-s", `--format=${format}`, commit);
const filesOf = (commit: string) => inRepository("ls-tree", "--name-only", commit);

test("a merge commit has both as parents, and a squash only the target; both have all changes", async () => {
  const merged = commitOf(await merge("merge", {}));
  expect(await show(merged, "%P|%an|%ce|%B")).toBe(
    `${at["same"]} ${at["three"]}|Ada|mary@example.com|Bring it in\n\n# kept`,
  );
  const squashed = commitOf(await merge("squash", {}));
  expect(await show(squashed, "%P|%an|%ce")).toBe(`${at["same"]}|Ada|mary@example.com`);
  expect(await show(squashed, "%T")).toBe(await show(merged, "%T"));
  expect(await filesOf(merged)).toBe("a.txt\nb.txt\nc.txt\nd.txt");
});

test("what a comparison kept need not be merged again, unless Git put a file together", async () => {
  const { signal } = new AbortController();
  async function resultOf(target: string, head: string) {
    const sides = { target, head, date: new Date(0) };
    const made = await makeMergedResult(git, { directory, signal }, sides);
    if (!("commit" in made)) throw new Error("it conflicts");
    const bytes = await inRepository("cat-file", "commit", made.commit);
    const commit = parseCommit(made.commit, Buffer.from(bytes));
    return { commit, kept: await keptTree(git.run, { directory, signal, target, head, commit }) };
  }
  const [target, head, base] = [at["same"]!, at["three"]!, at["main"]!];
  const { commit, kept: tree } = await resultOf(target, head);
  expect(tree).toBe(commit.tree);
  const exchanged = { directory, signal, target: head, head: target, commit };
  expect(await keptTree(git.run, exchanged)).toBeUndefined();
  expect((await resultOf(at["far"]!, head)).kept).toBeUndefined();
  const known = commitOf(await merge("merge", { base, tree }));
  expect(await show(known, "%P|%T|%an|%ce")).toBe(`${target} ${head}|${tree}|Ada|mary@example.com`);
  expect(await show(commitOf(await merge("squash", { base, tree })), "%P|%T")).toBe(`${target}|${tree}`);
  expect(await merge("merge", { base: head, tree })).toEqual({ impossible: "nothing" });
});

test("a rebase makes each commit again with its author, without merges and without what changes nothing", async () => {
  const rebased = commitOf(await merge("rebase", {}));
  const made = (await inRepository("rev-list", `${at["same"]}..${rebased}`)).split("\n");
  expect(made).toHaveLength(2);
  expect(await filesOf(rebased)).toBe("a.txt\nb.txt\nc.txt\nd.txt");
  const [last, before] = made;
  expect(await show(last!, "%P")).toBe(before);
  for (const [again, original] of [
    [last!, at["three"]!],
    [before!, at["two"]!],
  ] as const) {
    expect(await show(again, "%an|%ae|%aI|%B")).toBe(await show(original, "%an|%ae|%aI|%B"));
    expect(await show(again, "%cn")).toBe("Mary");
  }
  expect(await inRepository("show", `${last}:a.txt`)).toMatch(/^one\n2\n/);
  expect(await inRepository("fsck", "--connectivity-only", "--no-dangling", last!)).toBe("");
});

test("what is on top of the target already stays as it is", async () => {
  const onTop = { target: at["start"]!, head: at["two"]! };
  expect(await merge("rebase", onTop)).toEqual({ commit: at["two"] });
  expect(await merge("fast_forward", onTop)).toEqual({ commit: at["two"] });
});

test("conflicts name the paths, and of a rebase the commit", async () => {
  const clash = { target: at["clash"]!, head: at["two"]! };
  expect(await merge("merge", clash)).toEqual({ conflicts: ["a.txt"] });
  expect(await merge("squash", clash)).toEqual({ conflicts: ["a.txt"] });
  expect(await merge("rebase", clash)).toEqual({ conflicts: ["a.txt"], at: at["two"] });
});

test("what cannot be says why", async () => {
  expect(await merge("fast_forward", {})).toEqual({ impossible: "not_forward" });
  expect(await merge("merge", { head: at["start"]! })).toEqual({ impossible: "nothing" });
  const again = { target: at["same"]!, head: at["one"]! };
  expect(await merge("squash", again)).toEqual({ impossible: "nothing" });
  expect(await merge("rebase", again)).toEqual({ impossible: "nothing" });
  expect(await merge("rebase", { maxCommits: 2 })).toEqual({ impossible: "too_many" });
});

const apply = (from: string, to: string, onto: string) => {
  const commits = { from: at[from]!, to: at[to]!, onto: at[onto]! };
  const place = { directory, signal: new AbortController().signal };
  return applyChange(git, place, { ...commits, message: "Again", author, committer });
};

test("what lies between two commits is made again elsewhere, and undone", async () => {
  const made = await apply("start", "two", "main");
  const commit = "commit" in made ? made.commit : "";
  expect(await show(commit, "%P|%an|%ce|%B")).toBe(`${at["main"]}|Ada|mary@example.com|Again`);
  expect(await filesOf(commit)).toBe("a.txt\nb.txt\nc.txt");
  const undone = await apply("two", "start", "three");
  expect("commit" in undone && (await filesOf(undone.commit))).toBe("a.txt\nc.txt\nd.txt");
  expect(await apply("start", "two", "three")).toEqual({ impossible: "nothing" });
  expect(await apply("one", "two", "clash")).toEqual({ conflicts: ["a.txt"] });
});

test("what was merged is told from what came beside it", async () => {
  const sha = at["three"]!;
  const merges = (await inRepository("rev-list", "--merges", sha)).split("\n");
  const range = (merged: Partial<MergedHow>) =>
    findMergedRange(git.run, directory, {
      merge_strategy: null,
      target_sha: at["start"]!,
      head_sha: at["main"]!,
      merge_sha: sha,
      ...merged,
    });
  // `main` was merged into `topic` by hand, and pushed with one more commit.
  expect(await range({})).toEqual({ from: at["two"], to: merges[0] });
  expect(await range({ head_sha: at["two"]!, merge_sha: at["two"]! })).toEqual({
    from: at["start"],
    to: at["two"],
  });
  for (const merge_strategy of ["merge", "squash"] as const)
    expect(await range({ merge_strategy })).toEqual({ from: merges[0], to: sha });
  expect(await range({ merge_strategy: "rebase" })).toEqual({ from: at["start"], to: sha });
  expect(await range({ merge_strategy: "rebase", target_sha: at["clash"]! })).toBeUndefined();
  expect(await range({ merge_sha: "1".repeat(40) })).toBeUndefined();
});

test("what a merge would lead to is the same commit each time, and whole", async () => {
  const make = (target: string, head: string) =>
    makeMergedResult(
      git,
      { directory, signal: new AbortController().signal },
      { target: at[target]!, head: at[head]!, date: new Date(1_700_000_000_000) },
    );
  const made = await make("same", "three");
  expect(await make("same", "three")).toEqual(made);
  const { commit } = made as { commit: string };
  const { stdout } = await git.run({
    directory,
    args: ["rev-list", "--objects", "-n1", "--parents", commit],
  });
  expect(stdout.toString()).toContain(`${commit} ${at["same"]} ${at["three"]}`);
  await git.run({ directory, args: ["fsck", "--connectivity-only", commit] });
  expect(await make("clash", "three")).toEqual({ conflicts: ["a.txt"] });
});

test("nothing waits in the repository afterwards", async () => {
  const left = await readdir(join(directory, "objects"));
  expect(left.filter((name) => name.startsWith("tmp_"))).toEqual([]);
});

/** The repository that the developer is in, as the event of a run names it. */
import { userInfo } from "node:os";
import { basename } from "node:path";
import { parseCommit, type CommitInfo } from "@forgeline/server/platform/git/objects/commit.ts";
import { ExecProblem } from "./exec-problem.ts";
import { git, gitLine } from "./git.ts";

export interface LocalRepository {
  /** Top of the working tree. */
  root: string;
  /** false: just a directory, which no Git keeps. */
  isGit: boolean;
  /** null before the first commit. */
  head: CommitInfo | null;
  /** null while no branch is checked out. */
  branch: string | null;
  defaultBranch: string;
  owner: string;
  name: string;
  /** Of the remote, without credentials; "" where there is none. */
  remoteUrl: string;
}

export const zeroSha = "0".repeat(40);

/** Throws `ExecProblem` where Git says that it may not look. */
export async function findRepository(directory: string): Promise<LocalRepository> {
  const root = await topOf(directory);
  if (root === null) return plainDirectory(directory);
  const [head, branch, remote] = await Promise.all([
    headOf(root),
    gitLine(root, ["symbolic-ref", "--quiet", "--short", "HEAD"]),
    remoteOf(root),
  ]);
  const defaultBranch = (await defaultBranchOf(root)) ?? branch ?? "main";
  return { root, isGit: true, head, branch, defaultBranch, ...namesOf(remote, root), remoteUrl: remote };
}

/** Whoever the run is for: the name of the user on this machine. */
export function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env["USER"] ?? "local";
  }
}

async function topOf(directory: string): Promise<string | null> {
  try {
    return (await git(directory, ["rev-parse", "--show-toplevel"])).toString("utf8").replace(/\n$/, "");
  } catch (error) {
    const said = (error as Error).message;
    if (/not a git repository|ENOENT/i.test(said)) return null;
    throw new ExecProblem(`Git cannot read the working tree: ${said}`);
  }
}

function plainDirectory(root: string): LocalRepository {
  const nothing = { isGit: false, head: null, branch: null, remoteUrl: "" };
  return { root, ...nothing, defaultBranch: "main", owner: "local", name: nameFor(root) };
}

async function headOf(root: string): Promise<CommitInfo | null> {
  const sha = await gitLine(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return sha === null ? null : parseCommit(sha, await git(root, ["cat-file", "commit", sha]));
}

/** `origin`, or else the first that there is. */
async function remoteOf(root: string): Promise<string> {
  const origin = await gitLine(root, ["remote", "get-url", "origin"]);
  if (origin !== null) return withoutCredentials(origin);
  const [first] = ((await gitLine(root, ["remote"])) ?? "").split("\n");
  return first ? withoutCredentials((await gitLine(root, ["remote", "get-url", first])) ?? "") : "";
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return address;
  url.username = "";
  url.password = "";
  return url.href;
}

/** The last two parts of the remote's path. */
function namesOf(remote: string, root: string): { owner: string; name: string } {
  const match = /([\w.-]+)[/:]([\w.-]+?)(?:\.git)?\/?$/.exec(remote.replace(/^[a-z+]+:\/\/[^/]*\//, ""));
  if (match?.[1] && match[2]) return { owner: match[1], name: match[2] };
  return { owner: "local", name: nameFor(root) };
}

function nameFor(root: string): string {
  return basename(root).replaceAll(/[^\w.-]/g, "-") || "project";
}

async function defaultBranchOf(root: string): Promise<string | null> {
  const told = await gitLine(root, ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
  if (told !== null) return told.replace(/^origin\//, "");
  for (const branch of ["main", "master"])
    if ((await gitLine(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])) !== null)
      return branch;
  return null;
}

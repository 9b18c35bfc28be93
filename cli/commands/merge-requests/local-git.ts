/** The developer's own `git` in this checkout. */
import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "../../connection/settings.ts";
import { nameFromRemote, type RepositoryName } from "../../connection/repository.ts";

/** One line; undefined where git has no answer. */
async function ask(...args: string[]): Promise<string | undefined> {
  const answer = await promisify(execFile)("git", args).catch(() => undefined);
  return answer?.stdout.trim() || undefined;
}

/** Throws `UsageError` outside a branch. */
export async function currentBranch(): Promise<string> {
  const name = await ask("symbolic-ref", "--quiet", "--short", "HEAD");
  if (name === undefined) throw new UsageError("no branch is checked out here: give --source");
  return name;
}

/** Name of the remote of this repository. Throws `UsageError`. */
export async function remoteOf(repository: RepositoryName, serverUrl: string): Promise<string> {
  const listed = (await ask("config", "--get-regexp", String.raw`^remote\..*\.url$`)) ?? "";
  for (const line of listed.split("\n")) {
    const space = line.indexOf(" ");
    const name = nameFromRemote(line.slice(space + 1), serverUrl);
    const isSame =
      name?.owner.toLowerCase() === repository.owner.toLowerCase() &&
      name.repo.toLowerCase() === repository.repo.toLowerCase();
    if (isSame) return line.slice("remote.".length, space - ".url".length);
  }
  const { owner, repo } = repository;
  throw new UsageError(`this is no clone of ${owner}/${repo}: change into one, or clone it first`);
}

/** Full id; undefined where this names no commit. */
export function commitOf(name: string): Promise<string | undefined> {
  return ask("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
}

export async function hasBranch(name: string): Promise<boolean> {
  return (await commitOf(`refs/heads/${name}`)) !== undefined;
}

/** Shows what git says. Throws `UsageError` where it fails. */
export function git(...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new UsageError(`git ${args[0] ?? ""} failed`)),
    );
  });
}

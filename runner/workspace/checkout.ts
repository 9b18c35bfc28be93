/**
 * The checkout of a job: exactly the commit that runs, as shallow as the plan says, in a directory of its own.
 * It can be made while the environment is still being prepared, and is moved into the workspace afterwards.
 */
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PlanClone } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { z } from "zod";
import type { CommitFetcher } from "./fetch-commit.ts";
import { type GitAccess, GitError, runGit } from "./git.ts";
import { remoteUrlLine, turnOriginToJob } from "./job-remote.ts";
import { fetchLfs } from "./lfs/fetch-lfs.ts";
import { fetchSubmodules } from "./submodules/fetch-submodules.ts";
import type { EgressSettings } from "../egress/settings.ts";

export interface Checkout extends GitAccess {
  ref: string;
  sha: string;
  clone: z.infer<typeof PlanClone>;
  /** Made here; anything in it is removed first. */
  directory: string;
  signal: AbortSignal;
  commits: CommitFetcher;
  /** One line for the set-up log. */
  onLine: (line: string) => void;
  /** For everyone; `url` is the address that this machine reaches. */
  publicUrl: string;
  /** What steps find as `origin`: the address that the job reaches. */
  jobUrl: string;
  /** What jobs may reach, and so what is fetched for them. */
  egress: EgressSettings;
}

/** One repository of it. */
type RepositoryCheckout = Omit<Checkout, "publicUrl" | "jobUrl" | "egress"> & {
  /** Some servers give only what a branch or tag names. */
  mayFetchAll: boolean;
};

const retryDelaysMs = [500, 2000];
/** Files of Git LFS stay as unchanged as `fetchLfs` notes them while they are moved and given to the image's user. */
const statByTimeAndSize = ["\ttrustctime = false", "\tcheckStat = minimal"];
/** What servers answer that give no commit which nothing names. */
const unnamed = /not our ref|unadvertised object/i;
/** Trying again cannot help with these. */
const hopeless = /not our ref|authentication failed|could not read username|not found|error: 40[134]\b/i;

/** Throws `GitError` with git's own words after the last try, or when the signal aborts. */
export async function checkOut(checkout: Checkout): Promise<void> {
  const depth = checkout.clone.depth > 0 ? `depth ${checkout.clone.depth}` : "full history";
  checkout.onLine(`Fetching ${checkout.sha.slice(0, 12)} of ${checkout.ref} (${depth})`);
  await retryCheckout({ ...checkout, mayFetchAll: false });
  checkout.onLine(`Checked out ${checkout.sha}`);
  if (checkout.clone.lfs) await fetchLfs(checkout);
  await checkOutSubmodules(checkout);
  const { directory, url: fetchUrl, jobUrl } = checkout;
  await turnOriginToJob(directory, { fetchUrl, jobUrl });
}

/** To the depth of the clone; filters, tags and large files are of the repository itself. */
async function checkOutSubmodules(checkout: Checkout): Promise<void> {
  const { submodules: mode, depth } = checkout.clone;
  if (mode === undefined) return;
  const { baseEnv, url, token, caFile } = checkout;
  const clone = { depth, filter: "none", tags: false, lfs: false } as const;
  await fetchSubmodules({
    ...checkout,
    own: { baseEnv, url, token, caFile },
    mode,
    checkOut: ({ access, sha, directory }) =>
      retryCheckout({ ...checkout, ...access, ref: sha, sha, directory, clone, mayFetchAll: true }),
  });
}

async function retryCheckout(checkout: RepositoryCheckout): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await tryOnce(checkout);
    } catch (error) {
      const waitMs = retryDelaysMs[attempt];
      const final = !(error instanceof GitError) || waitMs === undefined || hopeless.test(error.message);
      if (final || checkout.signal.aborted) throw error;
      checkout.onLine(`Fetching failed, retrying: ${error.message}`);
      await delay(waitMs, undefined, { signal: checkout.signal });
    }
  }
}

async function tryOnce(checkout: RepositoryCheckout): Promise<void> {
  const { directory, sha, signal } = checkout;
  if (!(await fetchAlone(checkout))) {
    await beginRepository(checkout);
    await fetchByGit(checkout);
  }
  await runGit(checkout, ["checkout", "--quiet", "--force", "--detach", sha], { cwd: directory, signal });
}

async function beginRepository(checkout: RepositoryCheckout): Promise<void> {
  await rm(checkout.directory, { recursive: true, force: true });
  await writeRepository(checkout);
}

/** The quick way of the usual case. False when it is another case, or did not work: Git then says what is wrong. */
async function fetchAlone(checkout: RepositoryCheckout): Promise<boolean> {
  const { clone, signal, baseEnv, token } = checkout;
  const isPlainClone = clone.depth > 0 && clone.filter === "none" && !clone.tags;
  if (
    token === null ||
    !isPlainClone ||
    Object.keys(baseEnv).some((name) => /^(https|all)_proxy$/i.test(name))
  )
    return false;
  await beginRepository(checkout);
  try {
    await checkout.commits.fetch({ ...checkout, token, depth: clone.depth });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function fetchByGit(checkout: RepositoryCheckout): Promise<void> {
  const { directory, sha, signal, clone } = checkout;
  const limits = [
    ...(clone.depth > 0 ? [`--depth=${clone.depth}`] : []),
    ...(clone.filter === "none" ? [] : [`--filter=${clone.filter}`]),
  ];
  const branches = clone.depth > 0 ? [] : ["+refs/heads/*:refs/remotes/origin/*"];
  const tags = clone.tags ? "--tags" : "--no-tags";
  const what = ["--quiet", "--no-recurse-submodules", tags, ...limits, "origin", sha, ...branches];
  try {
    await runGit(checkout, ["fetch", ...what], { cwd: directory, signal });
  } catch (error) {
    const isUnnamed = error instanceof GitError && unnamed.test(error.message);
    if (!isUnnamed || !checkout.mayFetchAll || signal.aborted) throw error;
    await fetchAll(checkout);
  }
}

/** With their history, since the commit may be anywhere in it. Throws where it is nowhere. */
async function fetchAll(checkout: RepositoryCheckout): Promise<void> {
  const { directory, sha, signal } = checkout;
  checkout.onLine("The server does not give that commit by itself; fetching all branches and tags");
  const what = [
    "--quiet",
    "--no-recurse-submodules",
    "--tags",
    "origin",
    "+refs/heads/*:refs/remotes/origin/*",
  ];
  await runGit(checkout, ["fetch", ...what], { cwd: directory, signal });
  await runGit(checkout, ["cat-file", "-e", `${sha}^{commit}`], { cwd: directory, signal }).catch(() => {
    signal.throwIfAborted();
    throw new GitError(`commit ${sha} was not found in any of its branches and tags`, null);
  });
}

/** What `git init` and `git remote add` would write, without starting two programs. */
async function writeRepository(checkout: RepositoryCheckout): Promise<void> {
  const git = join(checkout.directory, ".git");
  await mkdir(join(git, "objects"), { recursive: true });
  await mkdir(join(git, "refs"));
  const { filter, lfs } = checkout.clone;
  const partial = filter !== "none";
  const config = [
    "[core]",
    `\trepositoryformatversion = ${partial ? 1 : 0}`,
    "\tfilemode = true",
    "\tbare = false",
    "\tlogallrefupdates = true",
    ...(lfs ? statByTimeAndSize : []),
    '[remote "origin"]',
    remoteUrlLine(checkout.url),
    "\tfetch = +refs/heads/*:refs/remotes/origin/*",
    ...(partial ? ["\tpromisor = true", `\tpartialclonefilter = ${filter}`] : []),
    ...(partial ? ["[extensions]", "\tpartialClone = origin"] : []),
  ];
  await writeFile(join(git, "config"), `${config.join("\n")}\n`);
  await writeFile(join(git, "HEAD"), "ref: refs/heads/main\n");
}

/** Moves everything in `from` into the (empty) workspace; `from` is gone afterwards. */
export async function moveInto(from: string, workspace: string): Promise<void> {
  for (const entry of await readdir(from)) {
    const [source, target] = [join(from, entry), join(workspace, entry)];
    try {
      await rename(source, target);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
      await cp(source, target, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    }
  }
  await rm(from, { recursive: true, force: true });
}

/**
 * Puts the objects of Git LFS in place of their pointers, without `git-lfs`: asks the server by the job's own token, and lets
 * no byte into the checkout that is not of the object's SHA-256.
 */
import { createHash } from "node:crypto";
import { chmod, constants, copyFile, mkdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sizeText } from "../../size-text.ts";
import { askGit } from "../git.ts";
import { findLfsFiles, inCheckout, type LfsCheckout, type LfsFiles } from "./find-lfs-files.ts";
import {
  createLfsConnection,
  concurrentObjects,
  type LfsConnection,
  type ObjectAddress,
} from "./lfs-connection.ts";
import { LfsError } from "./lfs-error.ts";
import { inBatchRequests } from "./batch-requests.ts";

const retryDelaysMs = [500, 2000];
/** Git looks into files again that are as young as its index; these were looked at. */
const ageMs = 10_000;

/**
 * Git then takes these files for unchanged, also where the job's image has no `git-lfs`. Throws `LfsError` after the last
 * try, the abort reason, or what the disk says.
 */
export async function fetchLfs(checkout: LfsCheckout & { onLine: (line: string) => void }): Promise<void> {
  const files = await findLfsFiles(checkout);
  if (files.length === 0) return checkout.onLine("This commit has no Git LFS files");
  const size = sizeText(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const objects = files.length === 1 ? "1 object" : `${files.length} objects`;
  checkout.onLine(`Fetching ${objects} from Git LFS (${size})`);
  const failed = new AbortController();
  const signal = AbortSignal.any([checkout.signal, failed.signal]);
  const connection = createLfsConnection({ ...checkout, signal });
  const incoming = join(checkout.directory, ".git", "lfs-incoming");
  await mkdir(incoming);
  try {
    for (const some of inBatchRequests(files)) {
      const found = await tryAgain(signal, () => connection.ask(some));
      const work = { connection, signal, incoming, directory: checkout.directory };
      await eachOf(some, failed, (object) => bring(work, object, found.get(object.oid)));
    }
    await noteUnchanged(checkout, files);
  } finally {
    connection.close();
    await rm(incoming, { recursive: true, force: true });
  }
  checkout.onLine("The Git LFS objects are in place");
}

/** Rejects with the first failure, once nothing is under way any more. */
async function eachOf<T>(
  items: readonly T[],
  failed: AbortController,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  let problem: { error: unknown } | undefined;
  const worker = async () => {
    for (const item of rest) {
      if (problem) return;
      await work(item).catch((error: unknown) => {
        problem ??= { error };
        failed.abort();
      });
    }
  };
  await Promise.all(Array.from({ length: concurrentObjects }, worker));
  if (problem) throw problem.error;
}

async function tryAgain<T>(signal: AbortSignal, work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = retryDelaysMs[attempt];
      if (!(error instanceof LfsError) || !error.isPassing || waitMs === undefined) throw error;
      await delay(waitMs, undefined, { signal });
    }
  }
}

interface Work {
  connection: LfsConnection;
  signal: AbortSignal;
  incoming: string;
  directory: string;
}

/** `known` may have run out, or be wrong: from the second try on the server is asked again. */
async function bring(work: Work, object: LfsFiles, known: ObjectAddress | undefined): Promise<void> {
  const { connection, signal } = work;
  const file = join(work.incoming, object.oid);
  await tryAgain(signal, async (attempt) => {
    const address = attempt === 0 ? known : (await connection.ask([object])).get(object.oid);
    if (address) await writeFile(file, checked(await connection.open(address), object));
  });
  await place(work.directory, file, object.paths);
}

async function* checked(bytes: AsyncIterable<Buffer>, { oid, sizeBytes }: LfsFiles): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > sizeBytes) break;
    hash.update(chunk);
    yield chunk;
  }
  if (size !== sizeBytes || hash.digest("hex") !== oid)
    throw new LfsError(`the received bytes do not match object ${oid}`, true);
}

/** Everywhere a file of its own: jobs write into them. */
async function place(directory: string, file: string, paths: readonly Buffer[]): Promise<void> {
  const [first, ...others] = paths.map((path) => inCheckout(directory, path));
  const time = new Date(Date.now() - ageMs);
  for (const other of others) {
    await copyFile(file, other, constants.COPYFILE_FICLONE);
    await utimes(other, time, time);
  }
  if (!first) return;
  await chmod(file, (await stat(first)).mode);
  await rename(file, first);
  await utimes(first, time, time);
}

/** What each file holds was compared with its pointer already, so the pointer in the index is what Git would make of it. */
async function noteUnchanged(checkout: LfsCheckout, files: readonly LfsFiles[]): Promise<void> {
  const clean = "cat >/dev/null && git cat-file blob :0:%f";
  const args = ["-c", `filter.lfs.clean=${clean}`, "-c", "filter.lfs.required=true", "update-index", "-z"];
  const paths = files.flatMap((each) => each.paths);
  const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]));
  await askGit(checkout, {
    cwd: checkout.directory,
    args: [...args, "--stdin"],
    input,
    signal: checkout.signal,
  });
}

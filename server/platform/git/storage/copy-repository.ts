/**
 * Copies the branches and tags of one repository into an empty one, and every object that they reach; nothing else goes
 * along. The pack is a stream between two processes, and no file is shared, so that neither repository can ever show
 * or lose anything of the other's.
 */
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { replaceFile, syncDirectory } from "../../durable-files.ts";
import { GitError, type Git } from "../processes/run-git.ts";

const timeoutMs = 10 * 60 * 1000;
const maxRefListBytes = 256 * 1024 * 1024;

/** Durable once resolved. Throws `GitError`; the target is then to be removed. */
export async function copyRepository(git: Git, source: string, target: string): Promise<void> {
  const { stdout } = await git.run({
    directory: source,
    args: ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"],
    maxOutputBytes: maxRefListBytes,
  });
  const refs = stdout.toString("utf8");
  if (refs === "") return;
  const tips = refs.replaceAll(/ .*$/gm, "");
  await git.together(source, () => copyObjects(git, { source, target }, tips));
  await writeRefs(target, refs);
}

async function copyObjects(
  git: Git,
  { source, target }: { source: string; target: string },
  tips: string,
): Promise<void> {
  const packing = await git.start({
    directory: source,
    args: ["pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q"],
    stdio: ["pipe", "pipe", "ignore"],
    timeoutMs,
    background: true,
  });
  const indexing = await git.start({
    directory: target,
    args: ["index-pack", "--stdin"],
    stdio: ["pipe", "ignore", "ignore"],
    timeoutMs,
    background: true,
  });
  packing.stdin?.on("error", () => undefined);
  packing.stdin?.end(tips);
  // A process that ends early cuts the stream; its exit code tells.
  await pipeline(packing.stdout!, indexing.stdin!).catch(() => undefined);
  const [packed, indexed] = await Promise.all([packing.exited, indexing.exited]);
  if (packed !== 0) throw new GitError("pack-objects", packed, "");
  if (indexed !== 0) throw new GitError("index-pack", indexed, "");
}

/** As one file, however many there are; Git lists them in the order that this file must have. */
async function writeRefs(target: string, refs: string): Promise<void> {
  await replaceFile(join(target, "packed-refs"), `# pack-refs with: sorted \n${refs}`);
  for (const directory of [join(target, "objects/pack"), target]) await syncDirectory(directory);
}

/** Packs what commits reach and a repository does not have, into a directory from which a push takes it. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GitError, pushEnvironment, type Git } from "../processes/run-git.ts";
import { quarantineEnvironment } from "../objects/received-objects.ts";

export interface MissingObjects {
  /** The bare repository that shall get them. */
  directory: string;
  /** Environment in which Git sees them. */
  env: Readonly<Record<string, string>>;
  /** What it shall have. */
  tips: readonly string[];
  /** Tips that it has. */
  has: readonly string[];
  /** Of the objects. */
  quarantine: string;
  /** Of what is packed; without it no limit. Git then says that it exceeds the maximum. */
  maxBytes?: number;
  signal: AbortSignal;
}

const timeoutMs = 60 * 60 * 1000;
const { GIT_ALLOC_LIMIT } = pushEnvironment;

/** Checked as what is pushed. Throws `GitError`, or the signal's reason. */
export async function packMissing(git: Git, missing: MissingObjects): Promise<void> {
  const { directory, env, tips, has, quarantine, maxBytes, signal } = missing;
  const limit = maxBytes === undefined ? [] : [`--max-input-size=${maxBytes}`];
  await git.together(directory, async () => {
    const packing = await git.start({
      directory,
      args: ["-c", "pack.threads=2", "pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q"],
      env,
      stdio: ["pipe", "pipe", "ignore"],
      signal,
      timeoutMs,
      yields: true,
    });
    const indexing = await git.start({
      directory,
      args: ["index-pack", "--stdin", "--strict", ...limit],
      env: { ...quarantineEnvironment({ directory, quarantine }), GIT_ALLOC_LIMIT },
      stdio: ["pipe", "ignore", "pipe"],
      signal,
      timeoutMs,
      yields: true,
    });
    const saying = lastWords(indexing.stderr!);
    packing.stdin?.on("error", () => undefined);
    packing.stdin?.end([...tips, ...has.map((oid) => `^${oid}`), ""].join("\n"));
    // A process that ends early cuts the stream; its exit code tells.
    await pipeline(packing.stdout!, indexing.stdin!).catch(() => undefined);
    const [packed, indexed, said] = await Promise.all([packing.exited, indexing.exited, saying]);
    signal.throwIfAborted();
    // Packing fails too when what reads from it has ended.
    if (indexed !== 0) throw new GitError("index-pack", indexed, said);
    if (packed !== 0) throw new GitError("pack-objects", packed, "");
  });
}

/** Its end may come after that of the process. */
async function lastWords(stream: Readable): Promise<string> {
  let said = "";
  for await (const chunk of stream) said = (said + String(chunk)).slice(-4_096);
  return said;
}

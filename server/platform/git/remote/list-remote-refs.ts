/** Asks a source which refs it has. */
import { isObjectId } from "../refs/names.ts";
import type { RunGit } from "../processes/run-git.ts";
import type { Remote } from "./open-remote.ts";

export interface RemoteRefs {
  /** By full name; tags not peeled. */
  refs: Map<string, string>;
  /** What its HEAD names, for example `refs/heads/main`; null where it names nothing, or an older server does not say. */
  head: string | null;
}

const maxListBytes = 128 * 1024 * 1024;
const timeoutMs = 60_000;

/** `directory` is any repository. Throws `GitError`, or the signal's reason. */
export async function listRemoteRefs(
  runGit: RunGit,
  remote: Remote,
  { directory, signal }: { directory: string; signal: AbortSignal },
): Promise<RemoteRefs> {
  const { stdout } = await runGit({
    directory,
    args: [...remote.options, "ls-remote", "--symref", "--", remote.url],
    env: remote.env,
    isRemote: true,
    isQuestion: false,
    signal,
    timeoutMs,
    maxOutputBytes: maxListBytes,
  });
  const refs = new Map<string, string>();
  let head: string | null = null;
  for (const line of stdout.toString("utf8").split("\n")) {
    const [value = "", name = ""] = line.split("\t");
    if (value.startsWith("ref: ") && name === "HEAD") head = value.slice("ref: ".length);
    // What an annotated tag was put on is listed as `NAME^{}`.
    if (isObjectId(value) && name.startsWith("refs/") && !name.endsWith("^{}")) refs.set(name, value);
  }
  return { refs, head };
}

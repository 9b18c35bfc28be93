/** Passes one request of a fetch to Git, for every entry point. */
import type { StartedProcess } from "../../processes/started-process.ts";
import { wantsEverything, type WantFilter } from "./wants.ts";
import type { Git } from "../processes/run-git.ts";

export interface FetchRequest {
  git: Git;
  wantFilter: WantFilter;
  directory: string;
  protocol: string | undefined;
  /** All of it. */
  request: Buffer;
  signal: AbortSignal;
}

/** Git that answers this one request; undefined, with nothing started, if it wants unavailable objects. */
export async function startUploadPack(fetch: FetchRequest): Promise<StartedProcess | undefined> {
  const { git, directory, protocol, request, signal } = fetch;
  const judged = await fetch.wantFilter({ directory, protocol, packets: request, signal });
  if (!judged) return undefined;
  const child = await git.start({
    directory,
    args: ["upload-pack", "--stateless-rpc", directory],
    env: protocol ? { GIT_PROTOCOL: protocol } : {},
    stdio: ["pipe", "pieces", "pipe"],
    signal,
    yields: wantsEverything(request),
  });
  // Git may stop reading early, for example after a client's mistake; its answer says why.
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(judged);
  return child;
}

/** Kills Git at a chosen system call, by `strace` (row R9 of reliability.md): a `git` for a server that obeys a file a repository. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "./programs/needs.ts";

export interface TracedGit {
  /** To stand first in the PATH of the server. */
  directory: string;
  /** From now on `receive-pack` in the repository dies on entering its k-th rename. Each renamed file is a ref. */
  killAtRename(repositoryId: string, k: number): Promise<void>;
  leave(repositoryId: string): Promise<void>;
}

export async function createTracedGit(directory: string): Promise<TracedGit> {
  needs("strace");
  // Where the machine forbids tracing, this says so.
  execFileSync("strace", ["-qq", "-o", "/dev/null", "true"], { stdio: ["ignore", "ignore", "pipe"] });
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const orders = join(directory, "orders");
  await mkdir(orders, { recursive: true });
  const script = `#!/bin/sh
order="${orders}/$(basename "\${GIT_DIR:-none}")"
if [ "\${FORGELINE_PUSH:-}" = 3 ] && [ -f "$order" ]; then
  exec strace -qq -o /dev/null -e trace=rename -e inject=rename:signal=KILL:when="$(cat "$order")" ${git} "$@"
fi
exec ${git} "$@"
`;
  await writeFile(join(directory, "git"), script);
  await chmod(join(directory, "git"), 0o755);
  const order = (repositoryId: string) => join(orders, `${repositoryId}.git`);
  return {
    directory,
    killAtRename: (repositoryId, k) => writeFile(order(repositoryId), String(k)),
    leave: (repositoryId) => rm(order(repositoryId)),
  };
}

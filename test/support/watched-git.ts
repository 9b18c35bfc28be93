/** A program named `git` that writes down with which words it was started, and then is Git. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface WatchedGit {
  /** To stand first in PATH. */
  path: string;
  /** The words of each start so far, without the program's name. */
  starts(): Promise<string[][]>;
  /** An empty directory of its own, for files that must not come to be. */
  canaries: string;
  remove(): Promise<void>;
}

export async function watchGit(): Promise<WatchedGit> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-watched-git-"));
  const [log, path, canaries] = ["log", "bin", "canaries"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(path);
  await mkdir(canaries);
  await writeFile(log, "");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  // One write a start, so that those of processes side by side do not mix.
  const script = `#!/bin/sh\nwords=$(printf '%s\\037' "$@")\nprintf '%s\\036' "$words" >> '${log}'\nexec '${real}' "$@"\n`;
  await writeFile(join(path, "git"), script);
  await chmod(join(path, "git"), 0o755);
  return {
    path,
    canaries,
    async starts() {
      const text = await readFile(log, "utf8");
      const starts = text.split("\u001e").slice(0, -1);
      return starts.map((start) => start.split("\u001f").slice(0, -1));
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

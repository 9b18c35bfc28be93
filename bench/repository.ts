/** A repository of ordinary size (a hundred files), pushed with the real `git`, whose pipelines the scenarios run. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TestInstance } from "../test/support/instance.ts";

const run = promisify(execFile);
const ballastFiles = 100;

export interface BenchRepository {
  name: string;
  /** `/repos/admin/NAME` */
  path: string;
  /** An empty commit; not yet pushed. */
  commit(): Promise<void>;
  /** `git push` of HEAD to main; resolves when it has ended. */
  push(): Promise<void>;
}

export async function createBenchRepository(
  instance: TestInstance,
  { directory, name, files }: { directory: string; name: string; files: Record<string, string> },
): Promise<BenchRepository> {
  await instance.api("POST", "/repos", { name });
  const tree = join(directory, name);
  await mkdir(tree, { recursive: true });
  const ballast = Object.fromEntries(
    Array.from({ length: ballastFiles }, (_, i) => [`src/${i % 10}/file-${i}.txt`, `${i}\n`.repeat(800)]),
  );
  for (const [path, text] of Object.entries({ ...ballast, ...files })) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  const address = new URL(`${instance.url}/${instance.adminName}/${name}.git`);
  address.username = "x";
  address.password = instance.adminToken;
  const env = {
    PATH: process.env["PATH"],
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_SSL_CAINFO: instance.certificates.caFile,
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  const git = (...args: string[]) => run("git", args, { cwd: tree, env });
  const repository: BenchRepository = {
    name,
    path: `/repos/${instance.adminName}/${name}`,
    async commit() {
      await git("commit", "-q", "--allow-empty", "-m", "more");
    },
    async push() {
      await git("push", "-q", address.href, "HEAD:main");
    },
  };
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("commit", "-q", "-m", "first");
  await repository.push();
  return repository;
}

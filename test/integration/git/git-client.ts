/** The real `git` as a user's machine has it: own home, the test authority trusted, token in the address. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import * as consumers from "node:stream/consumers";
import { shareStarter } from "../../support/share-starter.ts";

export interface GitAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

export interface GitClient {
  home: string;
  /** Never rejects; look at `code`. */
  run(args: string[], options?: { cwd?: string; env?: Record<string, string> }): Promise<GitAnswer>;
  /** Rejects with what Git said unless it succeeded; the output, trimmed. */
  ok(args: string[], options?: { cwd?: string; env?: Record<string, string> }): Promise<string>;
  /** A working tree with one commit of these files on `main`. */
  workTree(files?: Record<string, string>): Promise<string>;
  /** One more commit; its id. */
  commit(tree: string, files: Record<string, string>, message?: string): Promise<string>;
  remove(): Promise<void>;
}

/** Thousands are started: a test's own process, which would be copied for each, takes five times as long as the small one. */
const starter = shareStarter();
const text = (stream: Readable | null) => (stream ? consumers.text(stream) : Promise.resolve(""));

export async function createGitClient(caFile: string): Promise<GitClient> {
  const home = await mkdtemp(join(tmpdir(), "forgeline-git-"));
  let trees = 0;
  const base = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_SSL_CAINFO: caFile,
    // Git built with GnuTLS reads all authorities of the system otherwise: more than half of what a command costs.
    GIT_SSL_CAPATH: "/nonexistent",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  const client: GitClient = {
    home,
    async run(args, options = {}) {
      const child = await starter.start({
        program: "git",
        args,
        directory: options.cwd ?? home,
        env: { ...base, ...options.env },
        stdio: ["ignore", "pipe", "pipe"],
        niceness: 0,
      });
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: (await child.closed) ?? 1, stdout, stderr };
    },
    async ok(args, options) {
      const answer = await client.run(args, options);
      if (answer.code !== 0) throw new Error(`git ${args.join(" ")}: ${answer.stderr}`);
      return answer.stdout.trim();
    },
    async workTree(files = { "README.md": "hello\n" }) {
      const tree = join(home, `tree-${trees++}`);
      await client.ok(["init", "-q", "-b", "main", tree]);
      await client.commit(tree, files, "first");
      return tree;
    },
    async commit(tree, files, message = "more") {
      for (const [path, text] of Object.entries(files)) await writeFile(join(tree, path), text);
      await client.ok(["add", "-A"], { cwd: tree });
      await client.ok(["commit", "-q", "--allow-empty", "-m", message], { cwd: tree });
      return client.ok(["rev-parse", "HEAD"], { cwd: tree });
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
  return client;
}

/** `https://x:TOKEN@localhost:PORT/OWNER/REPO.git` */
export function addressWithToken(webUrl: string, fullName: string, token?: string): string {
  const url = new URL(`${webUrl}/${fullName}.git`);
  if (token) {
    url.username = "x";
    url.password = token;
  }
  return url.href;
}

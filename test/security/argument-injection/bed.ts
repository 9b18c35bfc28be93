/** Words that a program would take for an option, a shell for a command, or Git for another expression; and who sees them. */
import { readdir } from "node:fs/promises";
import { expect } from "vitest";
import { addressWithToken } from "../../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { createSshClient, type SshClient } from "../../support/ssh-client.ts";
import { watchGit, type WatchedGit } from "../../support/watched-git.ts";

/** `%` is the place of a canary file; what stands in a ref has no space, colon or the like. */
export const corpus = [
  "--output=%",
  "--output-directory=%",
  "-o%",
  "--exec=touch${IFS}%",
  "--upload-pack=touch${IFS}%",
  "--receive-pack=touch${IFS}%",
  "-u",
  "--help",
  "--version",
  "-c",
  "-cprotocol.ext.allow=always",
  "--config-env=core.sshCommand=PATH",
  "--git-dir=%",
  "--open-files-in-pager=touch${IFS}%",
  "-Otouch${IFS}%",
  "--ext-diff",
  "--no-index",
  "--all",
  "--stdin",
  "--batch",
  "--contains",
  "--remote=ext::sh",
  "--format=%",
  "--prefix=%",
  "--add-file=%",
  "--end-of-options",
  "--",
  "-",
  "$(touch${IFS}%)",
  "`touch${IFS}%`",
  ";touch${IFS}%",
  "|touch${IFS}%",
  "&&touch${IFS}%",
  "a\ntouch %",
  "main\n--output=%",
  "ext::sh -c touch% %",
  "main --output=%",
  "main:--output=%",
  ":/secret",
  ":(exclude)a.txt",
  "@{-1}",
  "HEAD@{1}",
  "main..main",
  "^main",
  "main^{/.*}",
  "../../../../tmp",
  "refs/heads/--output=%",
  "refs/tags/-v",
];

/** Options that we give to Git ourselves, without a value of anybody's. */
const ours = new Set([
  "-c",
  "--stdin",
  "--all",
  "--batch",
  "--format",
  "--prefix",
  "--contains",
  "--no-index",
  "-",
]);

export interface ArgumentBed {
  server: ApiServer;
  watched: WatchedGit;
  client: SshClient;
  ada: TestPerson;
  /** Of `ada/engine`, with her token. */
  url: string;
  /** A working tree whose `main` is there. */
  tree: string;
  head: string;
  withCanary(text: string): string;
  /** How many starts of Git there were. */
  starts(): Promise<number>;
  /** Nothing was made, and no start of Git since has a word of the corpus for an option. */
  nothingHappened(since: number): Promise<void>;
  close(): Promise<void>;
}

export async function startArgumentBed(): Promise<ArgumentBed> {
  const watched = await watchGit();
  const path = process.env["PATH"] ?? "";
  process.env["PATH"] = `${watched.path}:${path}`;
  const server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } }).finally(() => {
    process.env["PATH"] = path;
  });
  const ada = await server.person("ada");
  const client = await createSshClient(server);
  await server.api("POST", "/repos", { token: ada.token, body: { name: "engine" } });
  const url = addressWithToken(server.webUrl, "ada/engine", ada.token);
  const tree = await client.git.workTree({ "a.txt": "a" });
  const head = await client.git.ok(["rev-parse", "HEAD"], { cwd: tree });
  await client.git.ok(["push", "-q", url, "main"], { cwd: tree });
  let canaries = 0;
  return {
    server,
    watched,
    client,
    ada,
    url,
    tree,
    head,
    withCanary: (text) => text.replaceAll("%", `${watched.canaries}/c${canaries++}`),
    starts: async () => (await watched.starts()).length,
    async nothingHappened(since) {
      expect(await readdir(watched.canaries)).toEqual([]);
      const suspicious = (await watched.starts()).slice(since).filter((words) => misleads(words, watched));
      expect(suspicious).toEqual([]);
    },
    async close() {
      await client.remove();
      await server.stop();
      await watched.remove();
    },
  };
}

function misleads(words: readonly string[], { canaries }: WatchedGit): boolean {
  const names = new Set(corpus.flatMap((each) => [each, each.split("=")[0]!]));
  const border = words.findIndex((word) => word === "--end-of-options" || word === "--");
  const read = border < 0 ? words : words.slice(0, border);
  const options = read.filter((word) => word.startsWith("-") && !word.startsWith("--author="));
  return options.some((word) => word.includes(canaries) || (names.has(word) && !ours.has(word)));
}

/** What shells would run is a name like any other to Git, and to us, since no shell ever sees it. */
export function isHarmless(ref: string): boolean {
  return /^refs\/(?:heads|tags)\/[$`;|&]/.test(ref);
}

export function withoutHarmless(refs: string): string[] {
  return refs.split("\n").filter((line) => !isHarmless(line.slice(41)));
}

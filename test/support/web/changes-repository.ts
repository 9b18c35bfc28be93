/** `ada/changes`, pushed by the real Git, for the pages that show changes: of every kind, a few (`small`) and many (`many`). */
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../integration/git/git-client.ts";
import type { ApiServer } from "../api-server.ts";
import { signUp } from "../browser.ts";
import { hostileName, hostileWords } from "./code-repository.ts";
import { password } from "./visitor.ts";

export interface ChangesRepository {
  client: GitClient;
  /** Changes a file of every kind. */
  kinds: string;
}

/** That the branch `many` adds. */
export const manyFiles = 120;

const numbered = (count: number, changed: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, at) => changed[at + 1] ?? `line ${at + 1}`).join("\n") + "\n";
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const pointer = (digit: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 123456\n`;
const source = (answer: string) =>
  `/** The answer. */\nexport function answer(): number {\n  return ${answer};\n}\n`;

const before: Record<string, string | Buffer> = {
  "src/answer.ts": source("42"),
  "src/long.txt": numbered(200),
  "src/gone.txt": "gone\n",
  "src/spaces.txt": "a b\n",
  "src/huge.txt": numbered(600),
  "lib/old name.ts": numbered(30),
  "docs/dot.png": pixel,
  "docs/film.mov": pointer("a"),
  "docs/data.bin": Buffer.from([0, 1, 2]),
  "run.sh": "#!/bin/sh\n",
};
const after: Record<string, string | Buffer> = {
  "src/answer.ts": source("43"),
  "src/long.txt": numbered(200, { 60: "changed 60", 150: "changed 150" }),
  "src/spaces.txt": "a  b\n",
  "src/huge.txt": numbered(600).replaceAll("line", "row"),
  "src/trojan.ts": `const isAdmin = false; /*\u202e } if (isAdmin) */\n`,
  "lib/new name.ts": numbered(30, { 2: "second" }),
  "docs/dot.png": Buffer.concat([pixel, Buffer.from("!")]),
  "docs/film.mov": pointer("b"),
  "docs/data.bin": Buffer.from([0, 1, 2, 3]),
  "package-lock.json": "{}\n",
  [hostileName]: `${hostileWords}\n`,
};

export async function pushChangesRepository(server: ApiServer): Promise<ChangesRepository> {
  await signUp(server, "ada", password);
  const { json } = await server.api("GET", "/users/ada");
  const token = await server.tokenFor({ id: json.id, username: "ada", token: "" }, scopes);
  const body = { name: "changes", visibility: "public" };
  const made = await server.api("POST", "/repos", { token, body });
  if (made.status !== 201) throw new Error(made.text);
  const client = await createGitClient(server.caFile);
  const tree = await client.workTree();
  const git = (...args: string[]) => client.ok(args, { cwd: tree });
  await writeFiles(tree, before);
  await moveSubmodule(client, tree, "a");
  await writeFiles(tree, after);
  await Promise.all(["src/gone.txt", "lib/old name.ts"].map((path) => rm(join(tree, path))));
  await Promise.all([chmod(join(tree, "run.sh"), 0o755), symlink("src/answer.ts", join(tree, "link"))]);
  const kinds = await moveSubmodule(client, tree, "b");
  await git("checkout", "-q", "-b", "small");
  await client.commit(tree, { "src/answer.ts": source("44"), "src/spaces.txt": "a b\n" }, "Change a little");
  await git("checkout", "-q", "-b", "many", "main");
  await writeFiles(tree, Object.fromEntries(names().map((path) => [path, `${path}\n`])));
  await client.commit(tree, {}, "Add many files");
  await git("push", "-q", addressWithToken(server.webUrl, "ada/changes", token), "main", "small", "many");
  return { client, kinds };
}

function names(): string[] {
  return Array.from({ length: manyFiles }, (_, at) => `many/file-${String(at + 1).padStart(3, "0")}.txt`);
}

async function writeFiles(tree: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), content);
  }
}

/** Commits all there is, and a submodule at a commit of this digit; the id. */
async function moveSubmodule(client: GitClient, tree: string, digit: string): Promise<string> {
  await mkdir(join(tree, "module"), { recursive: true });
  const git = (...args: string[]) => client.ok(args, { cwd: tree });
  await git("add", "-A");
  await git("update-index", "--add", "--cacheinfo", `160000,${digit.repeat(40)},module`);
  await git("commit", "-q", "-m", `Change everything ${digit}`);
  return git("rev-parse", "HEAD");
}

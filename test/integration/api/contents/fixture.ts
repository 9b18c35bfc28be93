/** A repository with awkward content behind an API server: every test of this directory reads it through HTTP. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import {
  startApiServer,
  type ApiAnswer,
  type ApiServer,
  type TestPerson,
} from "../../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

export interface GitFixture {
  server: ApiServer;
  client: GitClient;
  ada: TestPerson;
  /** Working tree whose `origin` is `ada/code`. */
  tree: string;
  repositoryId: string;
  git(...args: string[]): Promise<string>;
  get(path: string, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** As `get`, for bytes. */
  download(path: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }>;
  /** Directory of the bare repository. */
  bare: string;
  stop(): Promise<void>;
}

/** An empty private repository `ada/code`, and a tree to push from. */
export async function startGitFixture(): Promise<GitFixture> {
  const server = await startApiServer();
  const client = await createGitClient(server.caFile);
  const ada = await server.person("ada");
  const made = await server.api("POST", "/repos", { token: ada.token, body: { name: "code" } });
  const tree = await client.workTree({ "README.md": "# code\n" });
  await client.ok(["remote", "add", "origin", addressWithToken(server.webUrl, "ada/code", ada.token)], {
    cwd: tree,
  });
  return {
    server,
    client,
    ada,
    tree,
    repositoryId: made.json.id,
    bare: server.container.platform.storage.directory(made.json.id),
    git: (...args) => client.ok(args, { cwd: tree }),
    get: (path, headers = {}) => server.api("GET", `/repos/ada/code${path}`, { token: ada.token, headers }),
    download: (path) => download(server, ada.token, `/repos/ada/code${path}`),
    async stop() {
      await client.remove();
      await server.stop();
    },
  };
}

export const binary = Buffer.from([0, 255, 1, 254, 10, 13, 0]);
export const bigBytes = 11 * 1024 * 1024;

/** Two commits on `main`, a tag, branches with slashes, a merge; pushed. */
export async function pushAwkwardContent(fixture: GitFixture): Promise<{ first: string; merge: string }> {
  const { tree, git, client } = fixture;
  await mkdir(join(tree, "src/deep"), { recursive: true });
  await writeFile(join(tree, "src/deep/a b.txt"), "one\ntwo\nthree\n");
  await writeFile(join(tree, "src/ünï#?%20.txt"), "odd\n");
  await writeFile(join(tree, "src/run.sh"), "#!/bin/sh\n");
  await chmod(join(tree, "src/run.sh"), 0o755);
  await writeFile(join(tree, "page.html"), "<script>alert(1)</script>\n");
  await writeFile(join(tree, "image.bin"), binary);
  await writeFile(join(tree, "big.txt"), "x".repeat(bigBytes));
  await writeFile(
    join(tree, "film.mov"),
    `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 123456\n`,
  );
  await symlink("/etc/passwd", join(tree, "escape"));
  await symlink("src", join(tree, "inside"));
  // An empty directory is how an unpopulated submodule looks; without it `git add` would take the entry away.
  await mkdir(join(tree, "module"));
  await git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`);
  const first = await client.commit(tree, {}, "Add ünï content");
  await git("tag", "-a", "v1.0", "-m", "The first\n\nrelease");
  await git("tag", "light");
  await git("checkout", "-q", "-b", "feature/x");
  await client.commit(tree, { "src/deep/a b.txt": "one\nTWO\nthree\n" }, "Shout");
  await git("checkout", "-q", "main");
  await client.commit(tree, { "other.txt": "other\n" }, "Other");
  await git("merge", "-q", "--no-ff", "-m", "Merge feature/x", "feature/x");
  const merge = await git("rev-parse", "HEAD");
  await git("push", "-q", "origin", "main", "feature/x", "v1.0", "light");
  return { first, merge };
}

function download(
  server: ApiServer,
  token: string,
  path: string,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const options = { ca: server.ca, headers: { Authorization: `Bearer ${token}` }, agent: false };
  return new Promise((resolve, reject) => {
    request(`${server.baseUrl}${path}`, options, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => resolve({ headers: res.headers, body: Buffer.concat(chunks) }));
    })
      .on("error", reject)
      .end();
  });
}

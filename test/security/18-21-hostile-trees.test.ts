/**
 * What a tree may hold that misleads whoever unpacks it: links, names that fold into one, hooks, settings, submodules. The
 * server keeps it as data: a link is its text, is never followed and never written through, and nothing of it runs.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pushedRepository, type PushedRepository } from "../integration/git/bad-input/pushed-repository.ts";
import { createGitClient, type GitClient } from "../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { packOf, pushOf } from "../support/git-packets.ts";
import { commitOfFiles, type HandMadeFile } from "../support/hand-made-objects.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let repository: PushedRepository;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  repository = await pushedRepository({ server, git, ada });
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const api = (method: string, path: string, body?: object) =>
  server.api(method, `/repos/${repository.name}/${path}`, { token: ada.token, ...(body ? { body } : {}) });

/** A branch of these files, in Git's order of names. */
async function push(branch: string, ...files: HandMadeFile[]): Promise<void> {
  const { id, entries } = commitOfFiles(...files);
  const { text } = await repository.push(
    pushOf([{ ref: `refs/heads/${branch}`, after: id }], packOf(entries)),
  );
  expect(text).toContain(`ok refs/heads/${branch}`);
}

const targets = [
  "/etc/passwd",
  "../../../../../../etc/passwd",
  ".git/config",
  "../config",
  "objects",
  "/proc/self/environ",
];

it("a link is its text, and nothing is read or written through it", async () => {
  await push("links", ...targets.map((text, n) => ({ mode: "120000", name: `link-${n}`, text })));
  for (const [n, target] of targets.entries()) {
    const found = await api("GET", `contents/link-${n}?ref=links`);
    expect(found.json).toMatchObject({ type: "symlink", target });
    expect((await api("GET", `raw/links/link-${n}`)).text).toBe(target);
    const { sha } = found.json;
    for (const path of [`link-${n}/passwd`, `link-${n}/config`, `link-${n}/x`]) {
      expect((await api("GET", `contents/${path}?ref=links`)).status).toBe(404);
      const body = { message: "x", content: "eA==", branch: "links" };
      expect([path, (await api("PUT", `contents/${path}`, body)).status]).toEqual([path, 422]);
    }
    const body = { message: "x", content: "eA==", branch: "links", sha };
    expect([n, (await api("PUT", `contents/link-${n}`, body)).status]).toEqual([n, 422]);
  }
  expect((await readdir(repository.directory)).sort()).not.toContain("x");
});

it("names that another file system folds into one stay apart", async () => {
  const pairs = ["A", "a", "caf\u00e9", "cafe\u0301", "stra\u00dfe", "strasse"].sort((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  );
  await push("folded", ...pairs.map((name) => ({ name, text: `text of ${name}` })));
  const { json } = await api("GET", "contents?ref=folded");
  expect(json.map(({ name }: { name: string }) => name).sort()).toEqual([...pairs].sort());
  for (const name of pairs)
    expect((await api("GET", `raw/folded/${encodeURIComponent(name)}`)).text).toBe(`text of ${name}`);
  const { tree } = repository;
  await git.ok(["push", "-q", repository.url, "main:refs/heads/Case", "main:refs/heads/case"], { cwd: tree });
  await git.ok(["push", "-q", repository.url, ":refs/heads/Case"], { cwd: tree });
  expect(await repository.refs()).toContain("refs/heads/case");
});

it("hooks, attributes and settings in a tree do nothing on the server", async () => {
  const canary = join(git.home, "canary");
  const script = `#!/bin/sh\ntouch ${canary}\n`;
  await push(
    "planted",
    { name: ".gitattributes", text: "* filter=evil diff=evil merge=evil export-subst\n" },
    {
      name: ".gitconfig",
      text: `[filter "evil"]\n\tsmudge = touch ${canary}\n[core]\n\tfsmonitor = touch ${canary}\n`,
    },
    { name: "config", text: `[core]\n\tsshCommand = touch ${canary}\n` },
    { mode: "100755", name: "post-receive", text: script },
    { mode: "100755", name: "pre-receive", text: script },
    { name: "subst", text: "$Format:%(trailers:key=x)$ $Format:%H$" },
  );
  for (const path of [
    "contents?ref=planted",
    "tarball/planted",
    "zipball/planted",
    "compare/main...planted",
    "changes/main...planted",
    "blame/planted/config",
  ])
    expect([path, (await api("GET", path)).status < 500]).toEqual([path, true]);
  await repository.look();
  await repository.isUntouched();
  expect(await readdir(git.home)).not.toContain("canary");
});

it("settings that were planted on the disk keep the repository closed, and run nothing", async () => {
  const canary = join(git.home, "canary");
  const file = join(repository.directory, "config");
  const good = await readFile(file, "utf8");
  const evil = `\tfsmonitor = touch ${canary}\n\tsshCommand = touch ${canary}\n\thooksPath = ${git.home}\n`;
  await writeFile(file, `${good}${evil}[alias]\n\tcat-file = !touch ${canary}\n`);
  for (const args of [
    ["ls-remote", repository.url],
    ["push", repository.url, "HEAD:refs/heads/x"],
  ])
    expect((await git.run(args, { cwd: repository.tree })).code).not.toBe(0);
  await writeFile(file, good);
  expect(await readdir(git.home)).not.toContain("canary");
  await repository.isUntouched();
});

it("paths that lead out, or into Git's own, are refused by every operation on files", async () => {
  const names = [
    "..%2Fx",
    "%2e%2e/x",
    "a/%2e%2e/%2e%2e/x",
    "..%5Cx%00",
    "a%00b",
    "%2Fetc%2Fpasswd",
    ".git/config",
    ".GIT/hooks/x",
  ];
  names.push("git~1/config", "a/.git/x", ".git%20/x", "a//b", "x".repeat(4_200), "a%0Ab");
  for (const name of names) {
    const body = { message: "x", content: "eA==", branch: "main" };
    const { status } = await api("PUT", `contents/${name}`, body);
    expect([name, [400, 404, 414, 422].includes(status), status]).toEqual([name, true, status]);
    expect([name, (await api("GET", `contents/${name}`)).status >= 400]).toEqual([name, true]);
    expect([name, (await api("GET", `raw/main/${name}`)).status >= 400]).toEqual([name, true]);
  }
  await repository.isUntouched();
});

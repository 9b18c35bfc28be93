/** Submodules of a job's checkout: on this server and on others, with the real Git. */
import { execFileSync } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlanClone } from "@forgeline/schemas/pipeline-file/plan.ts";
import { openEgress } from "@forgeline/runner/egress/settings.ts";
import { checkOut } from "@forgeline/runner/workspace/checkout.ts";
import { createCommitFetcher } from "@forgeline/runner/workspace/fetch-commit.ts";
import { runGit } from "@forgeline/runner/workspace/git.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { plainCheckout } from "../../support/plain-checkout.ts";
import { serveGit } from "../../support/git-http.ts";

const token = "svc_job_0a1b2c3d4e5f60718293";
let root: string;
/** Ours asks for the token; the other one is open, and speaks an older protocol, which gives only what has a name. */
const servers: Server[] = [];
let ours: string;
let other: string;
let otherPort: number;
const seen: { server: "ours" | "other"; path: string; authorization: string | undefined }[] = [];

async function serve(server: "ours" | "other"): Promise<string> {
  const git = { root, token: server === "ours" ? token : null };
  const http = createServer((request: IncomingMessage, response) => {
    seen.push({ server, path: request.url ?? "", authorization: request.headers.authorization });
    if (server === "other") delete request.headers["git-protocol"];
    serveGit(git, request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  servers.push(http);
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
}

function git(repository: string, args: readonly string[], input?: string): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const directory = join(root, repository);
  return execFileSync("git", ["-C", directory, ...identity, ...args], {
    encoding: "utf8",
    input: input ?? "",
  }).trim();
}

interface Link {
  path: string;
  sha: string;
  url: string;
  name?: string;
}

const fileOf = (links: readonly Link[]): string =>
  links
    .map(
      ({ name, path, url }) =>
        `[submodule ${JSON.stringify(name ?? path)}]\n\tpath = ${path}\n\turl = ${url}\n`,
    )
    .join("");

const begun = new Set<string>();

/** One more commit on `main` of a bare repository, which is made where there is none. Its id. */
async function commit(repository: string, links: readonly Link[], text = fileOf(links)): Promise<string> {
  const isNew = !begun.has(repository);
  begun.add(repository);
  if (isNew) execFileSync("git", ["init", "-q", "--bare", "-b", "main", join(root, repository)]);
  const data = (content: string) => `data ${String(Buffer.byteLength(content))}\n${content}\n`;
  const file = (name: string, content: string) => `M 100644 inline ${name}\n${data(content)}`;
  const stream = [
    "commit refs/heads/main\nmark :1\ncommitter Ada <ada@example.org> 1700000000 +0000\n",
    data("x"),
    isNew ? "" : "from refs/heads/main^0\n",
    "deleteall\n",
    file("name", repository),
    ...links.map(({ path, sha }) => `M 160000 ${sha} ${path}\n`),
    text === "" ? "" : file(".gitmodules", text),
    "\nget-mark :1\n",
  ];
  return git(repository, ["fast-import", "--quiet"], stream.join(""));
}

let checkouts = 0;
interface Wanted {
  submodules?: z.infer<typeof PlanClone>["submodules"] | null;
  repository?: string;
  depth?: number;
  allow?: string[];
}

async function checkOutJob(sha: string, wanted: Wanted = {}) {
  const { submodules = "direct", repository = "team/app.git", depth = 1, allow } = wanted;
  const directory = join(root, `checkout-${String((checkouts += 1))}`);
  await mkdir(directory);
  const lines: string[] = [];
  const commits = createCommitFetcher();
  try {
    await checkOut({
      ...plainCheckout(`${ours}/${repository}`),
      publicUrl: `https://forge.example/${repository}`,
      token,
      caFile: null,
      sha,
      clone: {
        depth,
        filter: "none",
        tags: false,
        lfs: false,
        ...(submodules === null ? {} : { submodules }),
      },
      egress: { ...openEgress, mode: "filter", allow: allow ?? [`127.0.0.1:${String(otherPort)}`] },
      directory,
      commits,
      onLine: (line) => lines.push(line),
    });
  } finally {
    commits.close();
  }
  const nameIn = (path: string) => readFile(join(directory, path, "name"), "utf8").catch(() => null);
  return { directory, lines, nameIn };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "forgeline-submodules-"));
  [ours, other] = [await serve("ours"), await serve("other")];
  otherPort = Number(new URL(other).port);
});
afterEach(() => seen.splice(0));
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(root, { recursive: true, force: true });
});

describe("submodules", () => {
  let sha: string;
  let deep: string;
  let lib: string;
  let foreign: string;
  beforeAll(async () => {
    deep = await commit("team/deep.git", []);
    lib = await commit("team/lib.git", [{ path: "in/deep", sha: deep, url: "../deep.git" }]);
    foreign = await commit("elsewhere/out.git", []);
    sha = await commit("team/app.git", [
      { path: "libs/lib", sha: lib, url: "../lib.git", name: 'odd "name" \\\\ of.lib' },
      { path: "again", sha: lib, url: "https://forge.example/team/lib.git" },
      { path: "out", sha: foreign, url: `${other}/elsewhere/out.git` },
    ]);
  });

  it("are fetched to the depth of the clone, and usable by the Git of the steps", async () => {
    const { directory, nameIn } = await checkOutJob(sha);
    expect(await Promise.all(["", "libs/lib", "again", "out", "libs/lib/in/deep"].map(nameIn))).toEqual([
      "team/app.git",
      "team/lib.git",
      "team/lib.git",
      "elsewhere/out.git",
      null,
    ]);
    const status = execFileSync("git", ["submodule", "status"], { cwd: directory, encoding: "utf8" });
    expect(status.split("\n").map((line) => line.replace(/ \(.*/, ""))).toEqual([
      ` ${lib} again`,
      ` ${lib} libs/lib`,
      ` ${foreign} out`,
      "",
    ]);
    const clean = execFileSync("git", ["status", "--porcelain"], { cwd: directory, encoding: "utf8" });
    expect(clean).toBe("");
  });

  it("have theirs fetched too where the file says recursive", async () => {
    const { nameIn, lines } = await checkOutJob(sha, { submodules: "recursive" });
    expect(await nameIn("libs/lib/in/deep")).toBe("team/deep.git");
    expect(lines).toContain(
      `Fetching submodule libs/lib/in/deep (${deep.slice(0, 12)} of https://forge.example/team/deep.git)`,
    );
  });

  it("have the job's token for this server alone, and in no file", async () => {
    const { directory } = await checkOutJob(sha);
    expect(seen.some(({ server }) => server === "other")).toBe(true);
    for (const { server, authorization } of seen.filter(({ path }) => path.includes("upload-pack")))
      expect(authorization !== undefined && server === "other").toBe(false);
    const found = execFileSync("sh", ["-c", `grep -rl "$1" . | wc -l`, "sh", token], { cwd: directory });
    expect(found.toString().trim()).toBe("0");
  });

  it("stay away without the key", async () => {
    const { directory } = await checkOutJob(sha, { submodules: null });
    expect(await readdir(join(directory, "libs/lib"))).toEqual([]);
  });

  it("are fetched whole where the server gives no commit by itself", async () => {
    await commit("elsewhere/out.git", []);
    const { nameIn, lines } = await checkOutJob(sha);
    expect(await nameIn("out")).toBe("elsewhere/out.git");
    expect(lines).toContain("The server does not give that commit by itself; fetching all branches and tags");
    const gone = await commit("team/app.git", [
      { path: "out", sha: "1".repeat(40), url: `${other}/elsewhere/out.git` },
    ]);
    await expect(checkOutJob(gone)).rejects.toThrow(
      `submodule "out": commit ${"1".repeat(40)} was not found in any of its branches and tags`,
    );
  });

  it("on other servers are fetched from addresses that jobs may reach, and no others", async () => {
    await expect(checkOutJob(sha, { allow: [] })).rejects.toThrow(
      `submodule "out": its server 127.0.0.1 is not in the Internet; the runner's operator can allow it with FORGELINE_RUNNER_EGRESS_ALLOW=127.0.0.1:${String(otherPort)}`,
    );
    expect(seen.filter(({ server }) => server === "other")).toEqual([]);
  });

  it("are looked for at the address that was judged", async () => {
    const url = `http://lib.example:${String(otherPort)}/elsewhere/out.git`;
    const access = { baseEnv: { PATH: process.env["PATH"] ?? "" }, url, token: null, caFile: null };
    const pinned = `lib.example:${String(otherPort)}:127.0.0.1`;
    await runGit({ ...access, pinned }, ["ls-remote", url], {
      cwd: root,
      signal: new AbortController().signal,
    });
    expect(seen[0]).toMatchObject({ server: "other" });
  });

  it("that are not there are named, with what a job can read", async () => {
    const hidden = await commit("team/app.git", [{ path: "hidden", sha: deep, url: "../hidden.git" }]);
    await expect(checkOutJob(hidden)).rejects.toThrow(
      /^submodule "hidden": [^]*not found[^]*\(on this server, a job can read its own repository and public ones\)$/i,
    );
  });

  it.each([
    ["ssh", "git@forge.example:team/lib.git"],
    ["a file", "file:///etc"],
    ["a program", "ext::touch /tmp/x"],
    ["an option", "--upload-pack=id"],
  ])("with %s as address are refused", async (_what, url) => {
    const bad = await commit("team/app.git", [{ path: "bad", sha: deep, url }]);
    await expect(checkOutJob(bad)).rejects.toThrow('submodule "bad": its address ');
    expect(seen.filter(({ path }) => !path.startsWith("/team/app.git"))).toEqual([]);
  });

  it.each([
    ["path", '[submodule "a"]\n\tpath = .git/hooks\n\turl = ../lib.git\n'],
    ["path", '[submodule "a"]\n\tpath = a/../../x\n\turl = ../lib.git\n'],
    ["path", '[submodule "a"]\n\tpath = -x\n\turl = ../lib.git\n'],
    ["path", '[submodule "a"]\n\tpath = /etc\n\turl = ../lib.git\n'],
    ["name", '[submodule "../../modules"]\n\tpath = a\n\turl = ../lib.git\n'],
  ])("with a %s that leads elsewhere are refused: %j", async (what, text) => {
    const bad = await commit("team/app.git", [{ path: "a", sha: deep, url: "" }], text);
    await expect(checkOutJob(bad)).rejects.toThrow(
      new RegExp(`\\.gitmodules has a submodule with the ${what} `),
    );
  });

  it("run none of the commands that the file has for them, and include no other file", async () => {
    const text = `[include]\n\tpath = /etc/passwd\n${fileOf([{ path: "a", sha: lib, url: "../lib.git" }])}\tupdate = !touch /tmp/forgeline-update\n`;
    const odd = await commit("team/app.git", [{ path: "a", sha: lib, url: "" }], text);
    expect(await (await checkOutJob(odd)).nameIn("a")).toBe("team/lib.git");
    expect(await stat("/tmp/forgeline-update").catch(() => null)).toBeNull();
  });

  it("are at most a hundred", async () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ path: `m${at}`, sha: deep, url: "../deep.git" }));
    await expect(checkOutJob(await commit("team/app.git", many))).rejects.toThrow("more than 100 submodules");
  });

  it("are nested at most ten deep", async () => {
    let inner = await commit("team/chain.git", []);
    for (let depth = 0; depth < 11; depth += 1)
      inner = await commit("team/chain.git", [{ path: "s", sha: inner, url: "../chain.git" }]);
    const wanted = { repository: "team/chain.git", submodules: "recursive" } as const;
    await expect(checkOutJob(inner, wanted)).rejects.toThrow(
      "submodules are nested more than 10 deep, at s/s/s/s/s/s/s/s/s/s",
    );
    const shorter = git("team/chain.git", ["rev-parse", "main~1"]);
    expect(await (await checkOutJob(shorter, wanted)).nameIn("s/s/s/s/s/s/s/s/s/s")).toBe("team/chain.git");
  });
});

/**
 * What no ref of a repository that the caller may read reaches cannot be had by its id, in any protocol version, over any
 * transport: the commit of a hidden ref, of a deleted ref, and an upstream's private commit through its fork. Advertisements name
 * own readable refs only. After a prune what was deleted is gone.
 */
import { execFileSync, type ChildProcess } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressWithToken } from "../../integration/git/git-client.ts";
import { eventually } from "../../support/eventually.ts";
import { delimiter, fetchOf, flush, packet, sendGit } from "../../support/git-packets.ts";
import { isFull } from "../../support/size.ts";
import { hiddenThings, startWallBed, type WallBed } from "./bed.ts";

const versions = [0, 1, 2];

let bed: WallBed;
beforeAll(async () => {
  bed = await startWallBed();
});
afterAll(() => bed?.close());

/** The ways to write it that Git understands. */
const spellings: [string, (id: string) => string][] = [
  ["as usual", (id) => `want ${id}`],
  ["in capitals", (id) => `want ${id.toUpperCase()}`],
  ["with more behind it", (id) => `want ${id}x`],
  ["with a zero byte behind it", (id) => `want ${id}\0`],
  ["with two line breaks", (id) => `want ${id}\n`],
];

const fetchRaw = (name: string, version: number, lines: string[], more?: string[]) =>
  sendGit(bed.server, {
    name,
    service: "upload-pack",
    version,
    token: bed.ada.token,
    body: fetchOf(version, lines, more),
  });

it("the packet traces would show a pack: what can be seen is sent in every version and spelling", async () => {
  for (const version of versions)
    for (const [, spell] of spellings.slice(0, 1)) {
      const { text } = await fetchRaw("ada/code", version, [spell(bed.seen)]);
      expect([version, text.includes("PACK")]).toEqual([version, true]);
    }
});

describe.each(hiddenThings)("%s", (what) => {
  const target = () => bed.hidden[what];

  it.each(versions)("is not sent over HTTPS in version %i, however it is asked for", async (version) => {
    const turn = hiddenThings.indexOf(what) + version;
    const spelled = spellings.filter((_, at) => isFull || at === 0 || (at + turn) % 4 === 0);
    for (const [spelling, spell] of spelled)
      for (const before of isFull || turn % 2 === 0 ? [[], [`want ${bed.seen}`]] : [[]]) {
        const { repository, id } = target();
        const { text } = await fetchRaw(repository, version, [...before, spell(id)]);
        expect([spelling, text.includes("PACK"), text]).toEqual([spelling, false, text]);
      }
    const { repository, id } = target();
    expect((await fetchRaw(repository, version, [`want ${id}`])).text).toContain("not our ref");
    expect((await fetchRaw(repository, version, [`want ${id}`], ["deepen 1"])).text).toContain("not our ref");
  });

  // SSH hands a request to what HTTPS hands it to: each thing in one version, and each version for some things.
  const overSsh = versions.filter((version) => isFull || version === hiddenThings.indexOf(what) % 3);
  it.each(overSsh)("is not sent over SSH in version %i", async (version) => {
    const { repository, id } = target();
    const into = `${bed.client.git.home}/thief-${version}-${hiddenThings.indexOf(what)}`;
    await bed.client.git.ok(["init", "-q", into]);
    const args = [
      "-C",
      into,
      "-c",
      `protocol.version=${version}`,
      "fetch",
      bed.client.address(repository),
      id,
    ];
    const { code, stderr } = await bed.client.git.run(args, { env: bed.client.env(bed.key) });
    expect([code === 0, stderr]).toEqual([false, stderr]);
    expect(stderr).toMatch(/not our ref|no such remote ref/);
  });

  it("is not shown over REST, by its id or by any name that Git would take for it", async () => {
    const { repository, id } = target();
    const names = [id, id.toUpperCase(), id.slice(0, 12), `v1-g${id.slice(0, 7)}`, `main-1-g${id}`];
    names.push(`refs/heads/main-g${id.slice(0, 10)}`, `${id}^0`, "refs/internal/kept", "internal/kept");
    const turn = hiddenThings.indexOf(what);
    for (const [n, name] of names.map(encodeURIComponent).entries()) {
      const paths = [
        `contents?ref=${name}`,
        `contents/a.txt?ref=${name}`,
        `raw/${name}/a.txt`,
        `tarball/${name}`,
        `zipball/${name}`,
        `commits?ref=${name}`,
        `commits/${name}`,
        `blame/${name}/a.txt`,
        `compare/main...${name}`,
        `compare/${name}...main`,
        `changes/${name}`,
        `patches/main...${name}?path=a.txt`,
        `branches/${name}`,
        `tags/${name}`,
      ];
      // The id itself at every door; each other name at each door for some of the things.
      for (const path of paths.filter((_, at) => isFull || n === 0 || (n + at + turn) % 5 === 0)) {
        const answer = await bed.server.api("GET", `/repos/${repository}/${path}`, { token: bed.ada.token });
        expect([path, answer.status >= 400 && answer.status < 500, answer.status]).toEqual([
          path,
          true,
          answer.status,
        ]);
        expect(answer.text).not.toContain("secret");
      }
    }
    for (const [path, field] of [
      ["branches", "ref"],
      ["tags", "ref"],
    ] as const) {
      const body = { name: "stolen", [field]: `v1-g${id.slice(0, 9)}` };
      const answer = await bed.server.api("POST", `/repos/${repository}/${path}`, {
        token: bed.ada.token,
        body,
      });
      expect([path, answer.status]).toEqual([path, 422]);
    }
  });
});

it("history cannot be made to end at a hidden ref, which would tell that it is there", async () => {
  for (const version of versions) {
    const ask = async (ref: string) =>
      (await fetchRaw("ada/code", version, [`want ${bed.seen}`], [`deepen-not ${ref}`])).text;
    for (const ref of ["refs/internal/kept", "internal/kept", "refs/internal/none"])
      expect([version, ref, (await ask(ref)).includes("not our ref")]).toEqual([version, ref, true]);
  }
});

it("a filter that names an object by an expression is refused", async () => {
  const lines = [`want ${bed.seen}`, "filter sparse:oid=refs/internal/kept:internal.txt"];
  const { text } = await fetchRaw("ada/code", 2, lines);
  expect(text).not.toContain("PACK");
  expect(text).toContain("not supported");
});

/** Names and ids that stand in an advertisement. */
function advertised(text: string): { names: Set<string>; ids: Set<string> } {
  const found = [...text.matchAll(/([0-9a-f]{40}) (HEAD|\.have|capabilities\^\{\}|refs\/[^\0\n ]+)/g)];
  return { names: new Set(found.map(([, , name]) => name!)), ids: new Set(found.map(([, id]) => id!)) };
}

describe("an advertisement", () => {
  it.each(["ada/code", "ada/fork"])("of %s names own readable refs only", async (name) => {
    for (const version of versions) {
      const headers = version > 0 ? { "Git-Protocol": `version=${version}` } : {};
      for (const service of ["git-upload-pack", "git-receive-pack"]) {
        const path = `//${name}.git/info/refs?service=${service}`;
        const answer = await bed.server.api("GET", path, { token: bed.ada.token, headers });
        const body =
          version === 2 && service === "git-upload-pack"
            ? Buffer.concat([packet("command=ls-refs"), delimiter, packet("symrefs"), packet("peel"), flush])
            : undefined;
        const { text } = body
          ? await sendGit(bed.server, { name, service: "upload-pack", version, token: bed.ada.token, body })
          : answer;
        const { names, ids } = advertised(text);
        names.delete("HEAD");
        expect([version, service, [...names]]).toEqual([version, service, ["refs/heads/main"]]);
        expect([...ids]).toEqual([bed.seen]);
      }
    }
    const prefixes = ["refs/internal/", "refs/internal/kept", "refs/"].map((each) =>
      packet(`ref-prefix ${each}`),
    );
    const body = Buffer.concat([packet("command=ls-refs"), delimiter, packet("unborn"), ...prefixes, flush]);
    const { text } = await sendGit(bed.server, {
      name,
      service: "upload-pack",
      version: 2,
      token: bed.ada.token,
      body,
    });
    expect([...advertised(text).names]).toEqual(["refs/heads/main"]);
  });

  it("over SSH is no other", async () => {
    for (const program of ["git-upload-pack", "git-receive-pack"]) {
      const child = bed.client.start(bed.key, ["git@localhost", `${program} 'ada/fork'`]);
      const text = await untilFlush(child);
      expect([...advertised(text).names].filter((name) => name !== "HEAD")).toEqual(["refs/heads/main"]);
    }
  });
});

async function untilFlush(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout!) {
    text += String(chunk);
    if (text.endsWith("0000")) break;
  }
  child.stdin?.end("0000");
  return text;
}

describe("what was deleted", () => {
  const has = async (name: string) =>
    (await bed.client.git.run(["--git-dir", bed.directory, "cat-file", "-e", name])).code === 0;

  it("is gone after a prune", async () => {
    const path = "/repos/ada/code/maintenance";
    // Young objects may belong to a push that is under way; these are to look as if they had lain for a while.
    execFileSync("find", [
      `${bed.directory}/objects`,
      "-type",
      "f",
      "-exec",
      "touch",
      "-d",
      "1 hour ago",
      "{}",
      "+",
    ]);
    const asked = await bed.server.api("POST", path, { token: bed.ada.token, body: { prune: true } });
    expect(asked.status).toBe(202);
    await eventually(
      async () => {
        const { json } = await bed.server.api("GET", path, { token: bed.ada.token });
        return json.requested_at === null && json.pruned_at !== null;
      },
      { timeoutMs: 60_000 },
    );
    // What the server keeps for itself is still there.
    for (const what of hiddenThings.filter((each) => bed.hidden[each].repository === "ada/code"))
      expect([what, await has(bed.hidden[what].id)]).toEqual([what, what.includes("hidden ref")]);
    await bed.client.git.ok(["clone", "-q", bed.url, `${bed.client.git.home}/after-prune`]);
  });
});

it("an upstream sends nothing that lies in its fork alone, in any version", async () => {
  const { git } = bed.client;
  await git.ok(["checkout", "-q", "-b", "forked", "main"], { cwd: bed.tree });
  const commit = await git.commit(bed.tree, { "forked.txt": "secret of the fork" });
  const fork = addressWithToken(bed.server.webUrl, "ada/fork", bed.ada.token);
  await git.ok(["push", "-q", fork, "forked"], { cwd: bed.tree });
  for (const name of [commit, "forked^{tree}", "forked:forked.txt"]) {
    const id = await git.ok(["rev-parse", name], { cwd: bed.tree });
    for (const version of versions) {
      const asked = { service: "upload-pack", version, body: fetchOf(version, [`want ${id}`]) } as const;
      const own = await sendGit(bed.server, { name: "ada/fork", token: bed.ada.token, ...asked });
      expect([version, own.text.includes("PACK")]).toEqual([version, true]);
      const { text } = await sendGit(bed.server, { name: "bob/upstream", token: bed.bob.token, ...asked });
      expect([version, text.includes("not our ref"), text.includes("PACK")]).toEqual([version, true, false]);
    }
  }
});

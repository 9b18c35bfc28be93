/** Conflicts of merge requests over REST: which files and lines, and the commit that resolves them on the source branch. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver, type BranchesOverRest } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let repositoryId: string;
let here: BranchesOverRest;
const R = "/repos/ada/engine";
const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);

beforeAll(async () => {
  server = await startApiServer();
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  repositoryId = (await api("POST", "/repos", { name: "engine", readme: true, private: false })).json.id;
  here = branchesOver(api, R);
  await here.put("main", "a.txt", lines());
  await here.put("main", "c.txt", "c\n");
});
afterAll(() => server?.stop());

const lines = (changed: Record<number, string> = {}) =>
  Array.from({ length: 9 }, (_, index) => `${changed[index + 1] ?? index + 1}\n`).join("");

async function open(source: string, more: object = {}, person = ada): Promise<string> {
  const made = await as(person)("POST", `${R}/merge-requests`, {
    title: source,
    source_branch: source,
    ...more,
  });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  return `${R}/merge-requests/${made.json.number}`;
}

/** Changes the second line of `a.txt` on both sides, and more on the source branch. */
async function conflicting(name: string, files: Record<string, string> = {}): Promise<string> {
  await here.branch(`${name}-into`, {});
  await here.branch(name, { "a.txt": lines({ 2: `two of ${name}`, 9: "nine" }), ...files });
  await here.put(`${name}-into`, "a.txt", lines({ 2: "two of the other" }));
  return open(name, { target_branch: `${name}-into` });
}

const list = async (merge: string, person = ada) => (await as(person)("GET", `${merge}/conflicts`)).json;
async function resolve(merge: string, files: unknown[], more: object = {}, person = ada) {
  const { head_sha, target_sha } = await list(merge, person);
  return as(person)("POST", `${merge}/conflicts/resolve`, { head_sha, target_sha, files, ...more });
}
const textOf = async (branch: string, path: string) => {
  const { status, json } = await api("GET", `${R}/contents/${path}?ref=${branch}`);
  return status === 404 ? null : Buffer.from(json.content, "base64").toString();
};
const merged = (merge: string) =>
  eventually(async () => {
    const found = (await api("GET", merge)).json;
    return found.mergeable !== "checking" && found;
  });

it("shows the lines of both branches, and resolves them in one merge commit", async () => {
  const merge = await conflicting("topic");
  const listed = await list(merge);
  expect(listed).toMatchObject({ truncated: false, viewer_may: { resolve: true } });
  expect(listed.files).toMatchObject([
    { path: "a.txt", kind: "content", editable: true, choices: ["content", "source", "target", "delete"] },
  ]);
  const { json: file } = await api("GET", `${merge}/conflicts/a.txt`);
  expect(file.pieces).toEqual([
    { type: "context", text: "1\n" },
    { type: "conflict", source: "two of topic\n", base: "2\n", target: "two of the other\n" },
    { type: "context", text: lines({ 9: "nine" }).slice(4) },
  ]);
  expect(file.text).toContain(
    "1\n<<<<<<< topic\ntwo of topic\n||||||| base\n2\n=======\ntwo of the other\n>>>>>>> topic-into\n3\n",
  );
  expect((await api("GET", `${merge}/conflicts/c.txt`)).status).toBe(404);
  const content = lines({ 2: "two of both", 9: "nine" });
  const done = await resolve(merge, [{ path: "a.txt", content }]);
  expect([done.status, done.json.message.trim()]).toEqual([200, "Merge branch 'topic-into' into topic"]);
  expect(done.json.parents.map(({ sha }: { sha: string }) => sha)).toEqual([
    listed.head_sha,
    listed.target_sha,
  ]);
  expect(await textOf("topic", "a.txt")).toBe(content);
  expect(await merged(merge)).toMatchObject({ mergeable: "clean", head_sha: done.json.sha });
  expect(await list(merge)).toMatchObject({ files: [] });
  expect((await resolve(merge, [{ path: "a.txt", content }])).json.message).toContain("Nothing conflicts");
});

it("tells kinds apart, and takes a version, a text or no file for each", async () => {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const file = (path: string, text: string, mode = "100644") => `M ${mode} inline ${path}\n${data(text)}`;
  const link = (path: string, sha: string) => `M 160000 ${sha.repeat(40)} ${path}\n`;
  const names = ["edit", "gone", "kept", "bin", "moved", "big", "latin"];
  const base = names.map((name) => file(name, `${name}\n`.repeat(20))).join("");
  const more = link("sub", "a") + file("sym", "edit", "120000");
  const ours = [
    ...["edit", "kept", "latin", "both"].map((path) => file(path, "ours")),
    `D gone\nR moved to-source\n${link("sub", "b")}${file("sym", "a", "120000")}`,
    file("bin", "\0ours") + file("big", "o".repeat(1024 * 1024 + 1)) + file("mode", "m", "100755"),
  ];
  const theirs = [
    ...["edit", "gone", "big", "both"].map((path) => file(path, "theirs")),
    `D kept\nR moved to-target\n${link("sub", "c")}${file("sym", "b", "120000")}`,
    file("bin", "\0theirs") + file("mode", "m"),
  ];
  const { git, storage } = server.container.platform;
  const commit = (ref: string, from: string, changes: string) =>
    `commit refs/heads/${ref}\nmark :${ref === "kinds" ? 2 : 1}\ncommitter Ada <a@example.com> 1700000000 +0000\n${data(ref)}from ${from}\n${changes}\n`;
  const write = (input: string | Buffer) =>
    git.run({
      directory: storage.directory(repositoryId),
      args: ["fast-import", "--quiet", "--done"],
      input,
    });
  const main = await here.tipOf("main");
  const latin = Buffer.concat([Buffer.from("M 100644 inline latin\ndata 2\n"), Buffer.from([0xe9, 10, 10])]);
  const parts = [
    commit("kinds-into", main, base + more),
    commit("kinds", ":1", ours.join("")),
    commit("kinds-into", ":1", theirs.join("")).trimEnd(),
  ];
  await write(Buffer.concat([Buffer.from(`${parts.join("")}\n`), latin, Buffer.from("\ndone\n")]));
  const merge = await open("kinds", { target_branch: "kinds-into" });
  const { files } = await list(merge);
  const shown = files.map(({ path, kind, choices }: Record<string, unknown>) => [path, kind, choices]);
  const versions = ["source", "target", "delete"];
  expect(shown).toEqual([
    ["big", "content", versions],
    ["bin", "binary", versions],
    ["both", "both_added", ["content", ...versions]],
    ["edit", "content", ["content", ...versions]],
    ["gone", "deleted_in_source", ["content", "target", "delete"]],
    ["kept", "deleted_in_target", ["content", "source", "delete"]],
    ["latin", "content", versions],
    ["mode", "mode", versions],
    ["moved", "renamed", ["delete"]],
    ["sub", "submodule", versions],
    ["sym", "symlink", versions],
    ["to-source", "renamed", ["content", "source", "delete"]],
    ["to-target", "renamed", ["content", "target", "delete"]],
  ]);
  expect((await api("GET", `${merge}/conflicts/bin`)).json).toMatchObject({ pieces: null, text: null });
  expect((await api("GET", `${merge}/conflicts/gone`)).json).toMatchObject({ pieces: null, text: "theirs" });
  const chosen = [
    ...["big", "bin", "latin", "sub", "gone"].map((path) => ({ path, take: "target" })),
    ...["sym", "to-source", "mode"].map((path) => ({ path, take: "source" })),
    ...["kept", "moved", "to-target"].map((path) => ({ path, delete: true })),
    { path: "edit", content: "both\n" },
  ];
  const missing = await resolve(merge, chosen);
  expect([missing.status, missing.json.errors[0].message]).toEqual([422, expect.stringContaining("both")]);
  const absent = chosen.map((each) => (each.path === "gone" ? { path: "gone", take: "source" } : each));
  const both = { path: "both", content: "é\n" };
  expect((await resolve(merge, [...absent, both])).json.errors[0].code).toBe("not_there");
  const text = chosen.map((each) => (each.path === "sub" ? { path: "sub", content: "x" } : each));
  expect((await resolve(merge, [...text, both])).json.errors[0].code).toBe("no_text");
  const done = await resolve(merge, [...chosen, both], { commit_message: "Settle it" });
  expect([done.status, done.json.message]).toEqual([200, "Settle it"]);
  const { json: root } = await api("GET", `${R}/contents?ref=kinds`);
  const left = root.map(({ name }: { name: string }) => name);
  expect(left).toEqual(expect.arrayContaining(["gone", "to-source", "sub", "sym", "bin"]));
  for (const name of ["kept", "moved", "to-target"]) expect(left).not.toContain(name);
  expect(root.find(({ name }: { name: string }) => name === "mode").executable).toBe(true);
  expect([await textOf("kinds", "both"), await textOf("kinds", "gone")]).toEqual(["é\n", "theirs"]);
  expect(await merged(merge)).toMatchObject({ mergeable: "clean" });
});

it("leaves a file in the way of a directory to Git", async () => {
  await here.branch("dir-into", {});
  await here.branch("dir", { "d/x": "x" });
  await here.put("dir-into", "d", "y");
  const merge = await open("dir", { target_branch: "dir-into" });
  const [found] = (await list(merge)).files;
  expect(found).toMatchObject({ kind: "directory", choices: [], source: null });
  const done = await resolve(merge, [{ path: found.path, delete: true }]);
  expect([done.status, done.json.message]).toEqual([409, expect.stringContaining("with Git")]);
});

it("refuses what is no answer to these conflicts", async () => {
  const merge = await conflicting("strict");
  const content = lines({ 2: "both" });
  const code = async (files: unknown[], more: object = {}, person = ada) => {
    const { status, json } = await resolve(merge, files, more, person);
    return [status, json.errors?.[0]?.code ?? json.error];
  };
  const marked = "1\n<<<<<<< strict\nx\n=======\ny\n>>>>>>> main\n";
  expect(await code([{ path: "a.txt", content: marked }])).toEqual([422, "conflict_marker"]);
  for (const path of ["c.txt", "../a.txt", ".git/config", "/a.txt", "a.txt/", "-x"])
    expect(await code([{ path, content }])).toEqual([422, "unknown"]);
  expect(await code([{ path: "a.txt", content: "é".repeat(600_000) }])).toEqual([422, "too_large"]);
  expect(await code([{ path: "a.txt", content: `${ada.token}\n` }])).toEqual([422, "secret"]);
  const twice = { path: "a.txt", content };
  expect(await code([twice, twice])).toEqual([422, "duplicate"]);
  expect(await code([twice], { head_sha: "1".repeat(40) })).toEqual([409, "conflict"]);
  expect(await code([twice], { target_sha: "1".repeat(40) })).toEqual([409, "conflict"]);
  expect(await code([twice], {}, bob)).toEqual([403, "forbidden"]);
  expect((await list(merge, bob)).viewer_may.resolve).toBe(false);
  expect(await code([{ path: "a.txt", content: marked }], { allow_markers: true })).toEqual([200, undefined]);
  await api("POST", `${merge}/close`);
  expect(await list(merge)).toMatchObject({ files: [], viewer_may: { resolve: false } });
  expect(await code([twice])).toEqual([409, "conflict"]);
});

it("goes on where the target has moved and the same conflicts, and says so where others do", async () => {
  const merge = await conflicting("moving");
  const seen = await list(merge);
  const body = { head_sha: seen.head_sha, target_sha: seen.target_sha };
  const files = [{ path: "a.txt", content: lines({ 2: "both" }) }];
  await here.put("moving-into", "a.txt", lines({ 2: "two again" }));
  const other = await api("POST", `${merge}/conflicts/resolve`, { ...body, files });
  expect([other.status, other.json.message]).toEqual([409, expect.stringContaining("others now")]);
  const { target_sha } = await list(merge);
  await here.put("moving-into", "d.txt", "d\n");
  const same = await api("POST", `${merge}/conflicts/resolve`, { ...body, target_sha, files });
  expect(same.status).toBe(200);
  expect(await textOf("moving", "d.txt")).toBe("d\n");
});

it("resolves on the branch of a fork, for those who may push there", async () => {
  await as(bob)("POST", `${R}/forks`, { name: "mine" });
  const there = branchesOver(as(bob), "/repos/bob/mine");
  await there.branch("from-fork", { "a.txt": lines({ 3: "three of bob" }) });
  const merge = await open("from-fork", { source_repo: "bob/mine", maintainer_can_modify: false }, bob);
  await here.put("main", "a.txt", lines({ 3: "three of ada" }));
  const files = [{ path: "a.txt", content: lines({ 3: "three of both" }) }];
  expect((await resolve(merge, files)).status).toBe(403);
  const done = await resolve(merge, files, {}, bob);
  expect([done.status, done.json.message]).toEqual([200, "Merge branch 'main' into from-fork"]);
  await eventually(async () => (await api("GET", merge)).json.head_sha === done.json.sha);
  expect(await merged(merge)).toMatchObject({ mergeable: "clean" });
});

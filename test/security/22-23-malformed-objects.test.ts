/**
 * What Git's own check calls an error, made by hand after the cases of its tests t1450, t5504 and t7450: nothing of it is
 * accepted, over HTTPS or SSH, and the next push works.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushedRepository, type PushedRepository } from "../integration/git/bad-input/pushed-repository.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { objectId, packOf, pushOf, type ObjectType } from "../support/git-packets.ts";
import { commitOfFiles, commitOfTree, person, treeOf, type HandMade } from "../support/hand-made-objects.ts";
import { createSshClient, type SshClient } from "../support/ssh-client.ts";

let server: ApiServer;
let client: SshClient;
let ada: TestPerson;
let repository: PushedRepository;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
  client = await createSshClient(server);
  ada = await server.person("ada");
  repository = await pushedRepository({ server, git: client.git, ada });
});
afterAll(async () => {
  await client?.remove();
  await server?.stop();
});

const blob = objectId("blob", "text");
const good = commitOfFiles({ name: "a.txt", text: "text" });
const tree = treeOf([{ mode: "100644", name: "a.txt", id: blob }]);
const treeId = objectId("tree", tree);
const [head, by] = [`tree ${treeId}\n`, `author ${person}\ncommitter ${person}\n`];

/** One object of this text, and a whole commit beside it. */
const beside = (type: ObjectType, body: string | Buffer): HandMade => ({
  id: objectId(type, body),
  entries: [...good.entries, { type, body }],
});
const commit = (body: string | Buffer) => beside("commit", body);
const who = (line: string) => commit(`${head}author ${line}\ncommitter ${person}\n\nx\n`);

const commits: [string, HandMade][] = [
  ["nothing at all", commit("")],
  ["no tree", commit(`${by}\nx\n`)],
  ["a tree that is no id", commit(`tree ${"z".repeat(40)}\n${by}\nx\n`)],
  ["a tree that is too short", commit(`tree ${treeId.slice(1)}\n${by}\nx\n`)],
  ["a tree that is a file", commit(`tree ${blob}\n${by}\nx\n`)],
  ["a tree that is not there", commit(`tree ${"1".repeat(40)}\n${by}\nx\n`)],
  ["a parent that is no id", commit(`${head}parent ${"z".repeat(40)}\n${by}\nx\n`)],
  ["a parent that is a tree", commit(`${head}parent ${treeId}\n${by}\nx\n`)],
  ["a parent that is not there", commit(`${head}parent ${"2".repeat(40)}\n${by}\nx\n`)],
  ["no author", commit(`${head}committer ${person}\n\nx\n`)],
  ["two authors", commit(`${head}author ${person}\n${by}\nx\n`)],
  ["no committer", commit(`${head}author ${person}\n\nx\n`)],
  ["an author without a name", who("<eve@example.org> 1700000000 +0000")],
  ["an author without an address", who("Eve 1700000000 +0000")],
  ["an author with a bracket in the name", who("Ev> <eve@example.org> 1700000000 +0000")],
  ["an author with an address that does not end", who("Eve <eve@example.org 1700000000 +0000")],
  ["an author without a time", who("Eve <eve@example.org>")],
  ["a time that is no number", who("Eve <eve@example.org> soon +0000")],
  ["a time with a zero before it", who("Eve <eve@example.org> 01700000000 +0000")],
  ["a time that overflows", who("Eve <eve@example.org> 18446744073709551617 +0000")],
  ["a time zone that is none", who("Eve <eve@example.org> 1700000000 later")],
  ["no space before the time", who("Eve <eve@example.org>1700000000 +0000")],
  [
    "a zero byte in its head",
    commit(`${head}author Ev\0e <e@example.org> 1 +0000\ncommitter ${person}\n\nx\n`),
  ],
  ["a zero byte in its message", commit(`${head}${by}\nbe\0hind\n`)],
  ["a head that does not end", commit(`${head}author ${person}`)],
];

const entry = (name: string | Buffer, mode = "100644") => ({ mode, name, id: blob });
const files = (...entries: { mode: string; name: string | Buffer; id: string }[]) =>
  commitOfTree(treeOf(entries), [
    { type: "blob", body: "text" },
    { type: "tree", body: tree },
  ]);
const inTree = (name: string) => files(entry(name));

const trees: [string, HandMade][] = [
  ["an entry twice", files(entry("a"), entry("a"))],
  [
    "a file and a directory of one name",
    files(entry("a"), entry("a-b"), { mode: "40000", name: "a", id: treeId }),
  ],
  ["entries that are not sorted", files(entry("b"), entry("a"))],
  ["a mode with a zero before it", files(entry("a", "0100644"))],
  ["a mode that is no number", files(entry("a", "x"))],
  ["an entry without a name", inTree("")],
  ["a path for a name", inTree("a/b")],
  ["a path out of it", inTree("../a")],
  [".", inTree(".")],
  ["..", files({ mode: "40000", name: "..", id: treeId })],
  ["an entry of all zeros", files({ mode: "160000", name: "a", id: "0".repeat(40) })],
  ["a file that is not there", files({ mode: "100644", name: "a", id: "3".repeat(40) })],
  ["a directory that is a file", files({ mode: "40000", name: "a", id: blob })],
  [
    "an entry that breaks off",
    commitOfTree(treeOf([entry("a")]).subarray(0, -3), [{ type: "blob", body: "text" }]),
  ],
  [
    "bytes behind its last entry",
    commitOfTree(Buffer.concat([tree, Buffer.from("100644 b")]), good.entries.slice(2)),
  ],
];
for (const name of [
  ".git",
  ".GIT",
  ".Git",
  "git~1",
  "GIT~1",
  ".git.",
  ".git ",
  ".git::$INDEX_ALLOCATION",
  ".g\u200cit",
  ".\u200dgit",
])
  for (const mode of ["100644", "40000", "120000"])
    trees.push([
      `${JSON.stringify(name)} as ${mode}`,
      files({ mode, name, id: mode === "40000" ? treeId : blob }),
    ]);

const tag = (body: string) => beside("tag", body);
const aim = `object ${good.id}\ntype commit\n`;
const tags: [string, HandMade][] = [
  ["nothing at all", tag("")],
  ["no object", tag(`type commit\ntag v1\ntagger ${person}\n\nx\n`)],
  ["an object that is no id", tag(`object ${"z".repeat(40)}\ntype commit\ntag v1\ntagger ${person}\n\nx\n`)],
  [
    "an object that is not there",
    tag(`object ${"4".repeat(40)}\ntype commit\ntag v1\ntagger ${person}\n\nx\n`),
  ],
  ["another type than its object", tag(`object ${good.id}\ntype tree\ntag v1\ntagger ${person}\n\nx\n`)],
  ["a type that is none", tag(`object ${good.id}\ntype note\ntag v1\ntagger ${person}\n\nx\n`)],
  ["no type", tag(`object ${good.id}\ntag v1\ntagger ${person}\n\nx\n`)],
  ["no name", tag(`${aim}tagger ${person}\n\nx\n`)],
  ["a tagger without an address", tag(`${aim}tag v1\ntagger Eve 1700000000 +0000\n\nx\n`)],
  ["a zero byte in its head", tag(`${aim}tag v\x001\ntagger ${person}\n\nx\n`)],
];

/** A submodule, whose place and source Git's clients read from a file. */
function submodule(settings: string, name = ".gitmodules", mode = "100644"): HandMade {
  const text = settings;
  const link = { mode: "160000", name: "sub", id: "5".repeat(40) };
  const made = treeOf([{ mode, name, id: objectId("blob", text) }, link]);
  return commitOfTree(made, [{ type: "blob", body: text }]);
}
const from = (url: string) => submodule(`[submodule "sub"]\n\tpath = sub\n\turl = ${url}\n`);
const submodules: [string, HandMade][] = [
  ["an address that is an option", from("-u./payload")],
  ["an address that is a long option", from("--upload-pack=touch canary")],
  ["an address with a line break", from('"https://one.example.org?%0ahost=two.example.org/foo.git"')],
  ["an address relative to nothing", from('"../../../../../:localhost:8080/x.git"')],
  ["an address without a host", from("http:///credential.example.org/x")],
  ["a name that leads out", submodule('[submodule "../../modules/evil"]\n\tpath = sub\n\turl = ./x\n')],
  [
    "a name that leads out, written for Windows",
    submodule('[submodule "..\\\\evil"]\n\tpath = sub\n\turl = ./x\n'),
  ],
  ["a path that is an option", submodule('[submodule "sub"]\n\tpath = -sub\n\turl = ./x\n')],
  [
    "an update that is a command",
    submodule('[submodule "sub"]\n\tpath = sub\n\turl = ./x\n\tupdate = !touch canary\n'),
  ],
  ["settings behind a link", submodule("elsewhere", ".gitmodules", "120000")],
  ["settings behind a link, in the short form of Windows", submodule("elsewhere", "GITMOD~1", "120000")],
  [
    "settings that another file system takes for it",
    submodule('[submodule "../x"]\n\turl = -x\n', ".gitm\u200codules"),
  ],
];

async function isRefused({ id, entries }: HandMade, ref: string): Promise<void> {
  const { status, text } = await repository.push(pushOf([{ ref, after: id }], packOf(entries)));
  const isRefusal = /unpack (?!ok)|ng refs\//.test(text) && !text.includes("ok refs/");
  expect([status, isRefusal, text]).toEqual([200, true, text]);
}

it("what is whole is taken, so that a refusal is for the fault", async () => {
  for (const made of [good, commit(`${head}${by}\nx\n`), inTree("a"), from("https://example.org/x.git")]) {
    const body = pushOf([{ ref: `refs/heads/${made.id.slice(1)}`, after: made.id }], packOf(made.entries));
    expect((await repository.push(body)).text).toContain("ok refs/heads/");
  }
  const whole = tag(`${aim}tag v1\ntagger ${person}\n\nx\n`);
  const body = pushOf([{ ref: "refs/tags/whole", after: whole.id }], packOf(whole.entries));
  expect((await repository.push(body)).text).toContain("ok refs/tags/whole");
  await repository.look();
});

describe.each([
  ["a commit with", commits, "refs/heads/bad"],
  ["a tree with", trees, "refs/heads/bad"],
  ["a tag with", tags, "refs/tags/bad"],
  ["a submodule with", submodules, "refs/heads/bad"],
] as const)("%s", (_what, cases, ref) => {
  it.each(cases)("%s is refused", (_fault, made) => isRefused(made, ref));

  it("leaves nothing, and the next push works", () => repository.isUntouched());
});

it("a branch that would name no commit is refused", async () => {
  const ofTag = tag(`${aim}tag v2\ntagger ${person}\n\nx\n`);
  for (const { id, entries } of [
    { id: treeId, entries: good.entries },
    { id: blob, entries: good.entries },
    ofTag,
  ])
    await isRefused({ id, entries }, "refs/heads/bad");
  await repository.isUntouched();
});

it("over SSH one of each kind is refused too", async () => {
  const key = await client.keyOf(ada);
  const words = ["git@localhost", `git-receive-pack '${repository.name}'`];
  for (const [cases, ref] of [
    [commits[3], "refs/heads/bad"],
    [trees.at(-2), "refs/heads/bad"],
    [tags[4], "refs/tags/bad"],
    [submodules[0], "refs/heads/bad"],
  ] as const) {
    const { id, entries } = cases![1];
    const { stdout } = await client.ssh(key, words, {}, pushOf([{ ref, after: id }], packOf(entries)));
    expect([cases![0], /unpack (?!ok)|ng refs\//.test(stdout)]).toEqual([cases![0], true]);
  }
  await repository.isUntouched();
});

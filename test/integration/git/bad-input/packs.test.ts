/** Packs that are broken or lie: refused with a word of Git's, nothing of them is kept, and the next push works. */
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { objectId, packOf, pushOf, sealed, varint, type PackEntry } from "../../../support/git-packets.ts";
import { telling } from "../../../support/size.ts";
import { createGitClient, type GitClient } from "../git-client.ts";
import { pushedRepository, type PushedRepository } from "./pushed-repository.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let repository: PushedRepository;
/** Of few objects, which Git unpacks, and of many, which it keeps as they came. */
let small: { head: string; pack: Buffer };
let large: { head: string; pack: Buffer };

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_MAX_FILE_BYTES: String(10 * 1024 * 1024) } });
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  repository = await pushedRepository({ server, git, ada });
  small = await packed({ "a.txt": "some text\n".repeat(50), "b.txt": "b" });
  large = await packed(
    Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`f${n}`, `${n}`.repeat(n)])),
  );
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

async function packed(files: Record<string, string>) {
  const cwd = await git.workTree(files);
  const head = await git.ok(["rev-parse", "HEAD"], { cwd });
  const pack = execFileSync("git", ["pack-objects", "--stdout", "--revs", "-q"], { cwd, input: "HEAD\n" });
  return { head, pack };
}

const push = (pack: Buffer, after: string) =>
  repository.push(pushOf([{ ref: "refs/heads/bad", after }], pack));

async function isRefused(pack: Buffer, after: string): Promise<void> {
  const { status, text } = await push(pack, after);
  // A pack that does not begin like one is no pack to us, any other is for Git to judge.
  const isRefusal = status === 400 || /unpack (?!ok)|ng refs\/heads\/bad/.test(text);
  expect([status, isRefusal, text]).toEqual([status, true, text]);
  expect(text).not.toContain("ok refs/");
}

/** With the bit at this place turned over. */
function flipped(pack: Buffer, at: number): Buffer {
  const copy = Buffer.from(pack);
  copy[at]! ^= 0x10;
  return copy;
}

describe.each([
  ["few", () => small],
  ["many", () => large],
] as const)("a pack of %s objects", (_many, get) => {
  it("is refused with one bit turned over, wherever it is, with or without the right checksum", async () => {
    const { head, pack } = get();
    const end = pack.length;
    for (const at of [0, 5, 7, 11, 12, 13, 20, end >> 2, end >> 1, end - 30, end - 21, end - 20, end - 1])
      await isRefused(flipped(pack, at), head);
    // In what is compressed, so that not all of it can pass for something else.
    for (const at of [20, end >> 1, end - 30])
      await isRefused(sealed(flipped(pack, at).subarray(0, -20)), head);
    await repository.isUntouched();
  });

  it("is refused when it breaks off", async () => {
    const { head, pack } = get();
    for (const part of [1, 4, 8, 11, 12, 15, pack.length >> 1, pack.length - 20, pack.length - 1])
      await isRefused(pack.subarray(0, part), head);
    await repository.isUntouched();
  });

  it("is refused when its head says another number of objects", async () => {
    const { head, pack } = get();
    const real = pack.readUInt32BE(8);
    for (const count of [0, 1, real - 1, real + 1, 2 ** 31, 2 ** 32 - 1]) {
      const copy = Buffer.from(pack.subarray(0, -20));
      copy.writeUInt32BE(count, 8);
      await isRefused(sealed(copy), head);
    }
    await repository.isUntouched();
  });

  it("with bytes behind its end gives what it held or nothing, and nothing of those bytes", async () => {
    const { head, pack } = get();
    const hidden = "canary behind the pack";
    const { text } = await push(Buffer.concat([pack, packOf([{ type: "blob", body: hidden }])]), head);
    // `index-pack` hands such bytes on to `receive-pack`; where that has stopped reading by then, it dies of it.
    expect(text).toMatch(/ok refs\/heads\/bad|unpack index-pack abnormal exit/);
    if (text.includes("ok refs/heads/bad"))
      await git.ok(["push", "-q", repository.url, ":refs/heads/bad"], { cwd: repository.tree });
    await repository.look();
    const id = objectId("blob", hidden);
    expect((await git.run(["--git-dir", repository.directory, "cat-file", "-e", id])).code).not.toBe(0);
  });
});

/** A commit of these files, as entries of a pack. */
function commitWith(blobs: readonly { body: string; id?: string; entry?: PackEntry }[]) {
  const list = blobs.map(({ body, id, entry }, at) => ({
    id: id ?? objectId("blob", body),
    entry: entry ?? ({ type: "blob", body } as PackEntry),
    name: `file-${at}`,
  }));
  const tree = Buffer.concat(
    list.flatMap(({ id, name }) => [Buffer.from(`100644 ${name}\0`), Buffer.from(id, "hex")]),
  );
  const person = "Eve <eve@example.org> 1700000000 +0000";
  const commit = `tree ${objectId("tree", tree)}\nauthor ${person}\ncommitter ${person}\n\nbomb\n`;
  const entries: PackEntry[] = [
    { type: "commit", body: commit },
    { type: "tree", body: tree },
    ...list.map(({ entry }) => entry),
  ];
  return { entries, head: objectId("commit", commit) };
}

/** Instructions that make `times` copies of a base of `baseBytes`, 64 KiB at most. */
function copies(baseBytes: number, times: number, claims = baseBytes * times): Buffer {
  const copy = Buffer.from([0x80 | 0x10 | 0x20, baseBytes & 0xff, baseBytes >> 8]);
  return Buffer.concat([varint(baseBytes), varint(claims), ...Array<Buffer>(times).fill(copy)]);
}

describe("a pack that lies", () => {
  it.each(telling([2 ** 52], [4 * 2 ** 30, 2 ** 40]))(
    "about an object of %i bytes is refused",
    async (claims) => {
      for (const type of ["blob", "tree", "commit", "tag"] as const)
        await isRefused(packOf([{ type, body: "few bytes", claims }]), "1".repeat(40));
      await repository.isUntouched();
    },
  );

  it("about what its deltas make is refused", async () => {
    const body = "x".repeat(60_000);
    const base = objectId("blob", body);
    const wrong = [
      copies(60_000, 2, 2 ** 40),
      copies(60_000, 2, 7),
      copies(59_999, 2),
      // Copies from behind the base's end; an instruction that is reserved; text that breaks off.
      Buffer.concat([
        varint(60_000),
        varint(9),
        Buffer.from([0x91, 0xff, 9]),
        Buffer.from([0x9f, 255, 255, 255, 255, 9]),
      ]),
      Buffer.concat([varint(60_000), varint(9), Buffer.from([0])]),
      Buffer.concat([varint(60_000), varint(9), Buffer.from([9, 65])]),
    ];
    for (const delta of wrong)
      await isRefused(
        packOf([
          { type: "blob", body },
          { type: "refDelta", body: delta, base },
        ]),
        "1".repeat(40),
      );
    await repository.isUntouched();
  });

  it("about its base is refused: an object that is not there, and one that needs itself", async () => {
    const delta = copies(10, 1);
    await isRefused(packOf([{ type: "refDelta", body: delta, base: "ab".repeat(20) }]), "1".repeat(40));
    const empty = createHash("sha1").update("nothing").digest("hex");
    await isRefused(
      packOf([
        { type: "refDelta", body: delta, base: empty },
        { type: "refDelta", body: delta, base: empty },
      ]),
      empty,
    );
    await repository.isUntouched();
  });

  it("by leaving out what its commit needs is refused", async () => {
    const { entries, head } = commitWith([{ body: "left out" }]);
    for (const missing of [0, 1, 2]) await isRefused(packOf(entries.filter((_, at) => at !== missing)), head);
    await repository.isUntouched();
  });
});

it("a delta of a few kilobytes that makes more than a file may have is refused by the file's name", async () => {
  const body = "y".repeat(65_000);
  const whole = Buffer.from(body.repeat(170));
  const bomb: PackEntry = { type: "refDelta", body: copies(65_000, 170), base: objectId("blob", body) };
  const { entries, head } = commitWith([{ body }, { body: "", id: objectId("blob", whole), entry: bomb }]);
  const pack = packOf(entries);
  expect(pack.length).toBeLessThan(2_000);
  const { text } = await repository.push(
    pushOf([{ ref: "refs/heads/bad", after: head }], pack, "side-band-64k"),
  );
  expect(text).toContain("file-1 has 10.5 MiB");
  expect(text).not.toContain("ok refs/");
  await repository.isUntouched();
});

/**
 * What a client says that it has is no way to ask what lies in the store: a file, a directory or a tag that no visible ref names
 * is answered as what is absent, in any protocol version, over any transport. Commits that are there are told; see `haves.ts`.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { delimiter, flush, packet, sendGit } from "../../support/git-packets.ts";
import { isFull } from "../../support/size.ts";
import { hiddenThings, startWallBed, type WallBed } from "./bed.ts";

const versions = [0, 1, 2];
const absent = "1234567890".repeat(4);
const isCommit = (what: string) => /^(a commit |the upstream's private commit$)/.test(what);
const secrets = hiddenThings.filter((what) => !isCommit(what));

let bed: WallBed;
beforeAll(async () => {
  bed = await startWallBed();
});
afterAll(() => bed?.close());

const lines = (texts: readonly string[]) => texts.map((text) => packet(`${text}\n`));
const wants = (version: number) => [`want ${bed.seen}${version === 2 ? "" : " multi_ack_detailed"}`];

function requestOf(version: number, haves: readonly string[], shallow: readonly string[] = []): Buffer {
  const about = [...lines(wants(version)), ...lines(shallow.map((id) => `shallow ${id}`))];
  const had = lines(haves.map((id) => `have ${id}`));
  if (version === 2) return Buffer.concat([packet("command=fetch"), delimiter, ...about, ...had, flush]);
  return Buffer.concat([...about, flush, ...had, flush]);
}

async function answer(repository: string, version: number, body: Buffer): Promise<string> {
  const sent = { name: repository, service: "upload-pack", version, token: bed.ada.token, body } as const;
  // What follows, the pack, is not twice in the same order.
  return (await sendGit(bed.server, sent)).text.split("packfile")[0]!;
}

it("what the client has in common with visible refs is acknowledged in every version", async () => {
  for (const version of versions)
    expect(await answer("ada/code", version, requestOf(version, [absent, bed.seen]))).toContain(
      `ACK ${bed.seen}`,
    );
});

it.each(secrets)("%s is answered as what is absent", async (what) => {
  const { repository, id } = bed.hidden[what];
  const turn = secrets.indexOf(what);
  for (const version of versions)
    for (const [s, spelled] of [id, id.toUpperCase(), `${id}x`].entries()) {
      const forms = [[spelled], [bed.seen, spelled], [spelled, spelled]];
      // The id as it is in every form; the other spellings in one form each, another one for the next thing.
      const asked = forms.filter((_, at) => isFull || (s === 0 && at < 2) || (at + s + turn) % 3 === 0);
      for (const haves of asked) {
        const same = haves.map((each) => (each === spelled ? absent : each));
        const told = await answer(repository, version, requestOf(version, haves));
        expect([version, haves, told]).toEqual([
          version,
          haves,
          await answer(repository, version, requestOf(version, same)),
        ]);
      }
    }
});

it.each(secrets)("nor does %s make a shallow history wrong", async (what) => {
  const { repository, id } = bed.hidden[what];
  for (const version of versions) {
    const told = await answer(repository, version, requestOf(version, [absent], [id]));
    expect(told).toBe(await answer(repository, version, requestOf(version, [absent], [absent])));
  }
});

it("nor is one among thousands", async () => {
  const { repository, id } = bed.hidden["a file of a deleted ref"];
  const guesses = Array.from({ length: 3_000 }, (_, n) => n.toString(16).padStart(40, "a"));
  for (const version of versions) {
    const told = await answer(repository, version, requestOf(version, [...guesses, id, bed.seen]));
    expect([version, told.match(/ACK [0-9a-f]{40}/g)?.includes(`ACK ${id}`)]).toEqual([version, false]);
  }
});

it.each([0, 1])("over SSH in version %i, in whatever pieces it comes", async (version) => {
  const { repository, id } = bed.hidden["a file of a deleted ref"];
  const child = bed.client.start(bed.key, [
    ...(version === 1 ? ["-o", "SetEnv=GIT_PROTOCOL=version=1"] : []),
    "git@localhost",
    `git-upload-pack '${repository}'`,
  ]);
  let text = "";
  child.stdout!.on("data", (chunk: Buffer) => (text += String(chunk)));
  const said = (pattern: RegExp) => eventually(() => pattern.test(text));
  await said(/0000$/);
  text = "";
  child.stdin!.write(Buffer.concat([...lines(wants(version)), flush]));
  const round = Buffer.concat([...lines([`have ${id}`, `have ${absent}`]), flush]);
  child.stdin!.write(round.subarray(0, 30));
  await new Promise((resolve) => setImmediate(resolve));
  child.stdin!.write(round.subarray(30));
  await said(/NAK/);
  child.stdin!.write(Buffer.concat([...lines([`have ${id}`, `have ${bed.seen}`]), flush]));
  await said(new RegExp(`ACK ${bed.seen}`));
  child.stdin!.end(packet("done\n"));
  await said(/PACK/);
  expect(text).not.toContain(id);
});

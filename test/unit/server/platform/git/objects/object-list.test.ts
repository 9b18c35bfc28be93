import { expect, it } from "vitest";
import {
  createLineSearch,
  createSharedLists,
  type Listing,
} from "@forgeline/server/platform/git/objects/object-list.ts";

const ids = Array.from({ length: 40 }, (_, n) => n.toString(16).padStart(2, "0").repeat(20));
const lines = Buffer.from(ids.map((id) => `${id}\n`).join(""), "latin1");
const never = new AbortController().signal;

it.each([1, 7, 40, 41, 42, 100, 5000])("finds ids in pieces of %i bytes", async (size) => {
  const found: string[] = [];
  const see = await createLineSearch([ids[3]!, ids[39]!, ids[17]!], (id) => found.push(id));
  // As the pieces of a program: one buffer, again and again.
  const piece = Buffer.alloc(size);
  for (let at = 0; at < lines.length; at += size) see(piece.subarray(0, lines.copy(piece, 0, at, at + size)));
  expect(found).toEqual([ids[3], ids[17], ids[39]]);
});

it("takes nothing that begins or ends alike for what it seeks", async () => {
  const found: string[] = [];
  const id = "0123456789".repeat(4);
  const see = await createLineSearch([id], (each) => found.push(each));
  see(Buffer.from(`${id.slice(0, -1)}8\n9${id.slice(1)}\n`));
  expect(found).toEqual([]);
  see(Buffer.from(`${id}\n`));
  expect(found).toEqual([id]);
});

/** Lists that the test reads out by itself. */
function byHand() {
  const begun: (Listing & { end(): void; fail(error: Error): void })[] = [];
  const areListed = createSharedLists(
    (listing) =>
      new Promise((resolve, reject) => {
        begun.push({ ...listing, end: resolve, fail: reject });
      }),
  );
  const ask = (id: string, signal = never, directory = "one") =>
    areListed({ directory, ids: [id], signal }).catch((error: Error) => error.message);
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { begun, ask, turn };
}

it("reads one list of a repository at a time, for all who ask meanwhile; others have their own", async () => {
  const { begun, ask, turn } = byHand();
  const first = ask(ids[0]!);
  await turn();
  const later = [ask(ids[1]!), ask(ids[2]!), ask("f".repeat(40))];
  const elsewhere = ask(ids[1]!, never, "two");
  await turn();
  expect(begun.map(({ directory }) => directory)).toEqual(["one", "two"]);
  // What was asked for after a list has begun may have come before in it.
  expect(begun[0]!.take(lines)).toBe(true);
  begun[0]!.end();
  begun[1]!.take(lines);
  expect([await first, await elsewhere]).toEqual([true, true]);
  await turn();
  expect(begun).toHaveLength(3);
  expect(begun[2]!.take(lines)).toBe(false);
  expect(await Promise.all(later.slice(0, 2))).toEqual([true, true]);
  begun[2]!.end();
  expect(await later[2]).toBe(false);
  begun[1]!.end();
  void ask(ids[1]!);
  await turn();
  expect(begun).toHaveLength(4);
});

it("goes on while anybody waits, and ends with the last", async () => {
  const { begun, ask, turn } = byHand();
  const gone = [new AbortController(), new AbortController()];
  const answers = gone.map(({ signal }, n) => ask(ids[n]!, signal));
  await turn();
  gone[0]!.abort(new Error("gone"));
  expect([await answers[0], begun[0]!.signal.aborted]).toEqual(["gone", false]);
  gone[1]!.abort(new Error("gone too"));
  expect([await answers[1], begun[0]!.signal.aborted]).toEqual(["gone too", true]);
});

it("serves who comes when all who waited for the next have gone", async () => {
  const { begun, ask, turn } = byHand();
  const first = ask(ids[0]!);
  await turn();
  const gone = new AbortController();
  const second = ask(ids[1]!, gone.signal);
  gone.abort(new Error("gone"));
  const third = ask(ids[2]!);
  begun[0]!.end();
  expect([await first, await second]).toEqual([false, "gone"]);
  await turn();
  expect([begun.length, begun[1]!.signal.aborted]).toEqual([2, false]);
  begun[1]!.take(lines);
  expect(await third).toBe(true);
});

it("tells all who wait that a list has failed, and reads the next", async () => {
  const { begun, ask, turn } = byHand();
  const answers = [ask(ids[0]!), ask(ids[1]!)];
  await turn();
  begun[0]!.fail(new Error("torn"));
  expect(await Promise.all(answers)).toEqual(["torn", "torn"]);
  const again = ask(ids[0]!);
  await turn();
  begun[1]!.take(lines);
  expect(await again).toBe(true);
});

it("gives others their turns while it is told of hundreds of thousands of ids", async () => {
  const many = Array.from({ length: 100_000 }, (_, n) => n.toString(16).padStart(40, "0"));
  let isMade = false;
  const made = createLineSearch(many, () => undefined).then(() => (isMade = true));
  let turns = 0;
  for (; !isMade; turns += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  await made;
  expect(turns).toBeGreaterThan(5);
});

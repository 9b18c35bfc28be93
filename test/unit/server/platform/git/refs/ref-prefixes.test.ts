import { expect, test } from "vitest";
import { matchPrefixes, tooManyPrefixes } from "@forgeline/server/platform/git/refs/ref-prefixes.ts";
import { readLsRefsRequest } from "@forgeline/server/platform/git/refs/ls-refs-request.ts";
import { delimiter, flush, packet } from "../../../../../support/git-packets.ts";
import { seededRandom } from "../../../../../support/seeded-random.ts";
import { watchTurns } from "../../../../../support/turns.ts";
import { size } from "../../../../../support/size.ts";

const compare = (a: string, b: string) => (a < b ? -1 : 1);

function madeUp(random: () => number): { names: string[]; prefixes: string[] } {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  // Few letters, so that many begin alike; the first and the last that a byte can be are among them.
  const word = () =>
    Array.from({ length: Math.floor(random() * 6) }, () => pick(["a", "b", "/", "\0", "ÿ"])).join("");
  const some = (max: number) => Array.from({ length: Math.floor(random() * max) }, word);
  const names = [...new Set(some(40).map((each) => `refs/${each}`))].toSorted(compare);
  const prefixes = some(8).map((each) => (random() < 0.1 ? each : `refs/${each}`));
  return { names, prefixes: random() < 0.3 ? [...prefixes, ...prefixes] : prefixes };
}

test("names that begin with any prefix are those that one finds by trying each with each", async () => {
  const random = seededRandom(7);
  for (let round = 0; round < size(400, 2_000); round += 1) {
    const { names, prefixes } = madeUp(random);
    const isMeant = await matchPrefixes(names, prefixes);
    const meant = names.filter((_, index) => isMeant(index));
    expect([prefixes, meant]).toEqual([
      prefixes,
      names.filter((name) => prefixes.some((prefix) => name.startsWith(prefix))),
    ]);
  }
});

test("others have their turn between thousands of prefixes", async () => {
  const names = Array.from({ length: 400 }, (_, n) => `refs/heads/${n}`).toSorted(compare);
  const prefixes = Array.from({ length: 50_000 }, (_, n) => `refs/heads/x${n}`);
  const { result, turns } = await watchTurns(() => matchPrefixes(names, prefixes));
  expect(names.some((_, index) => result(index))).toBe(false);
  expect(turns).toBeGreaterThanOrEqual(49);
});

const ask = (words: readonly string[]) =>
  Buffer.concat([
    packet("command=ls-refs\n"),
    delimiter,
    Buffer.from(words.map((word) => `${(word.length + 5).toString(16).padStart(4, "0")}${word}\n`).join("")),
    flush,
  ]);

test("prefixes count up to Git's own number, and from there on none does", async () => {
  const one = "ref-prefix refs/heads/a";
  const last = Array.from({ length: tooManyPrefixes - 1 }, () => one);
  expect((await readLsRefsRequest(ask(last)))?.prefixes).toHaveLength(tooManyPrefixes - 1);
  expect((await readLsRefsRequest(ask([...last, one])))?.prefixes).toEqual([]);
  expect((await readLsRefsRequest(ask([...last, one, one, "peel"])))?.peel).toBe(true);
});

test("a question has as many bytes as so many prefixes need, and no more", async () => {
  const [head, tail] = ["ref-prefix refs/heads/", "x".repeat(60_000)];
  const longest = (count: number) => ask(Array.from({ length: count }, () => head + tail));
  expect((await readLsRefsRequest(longest(69)))?.prefixes).toHaveLength(69);
  await expect(readLsRefsRequest(longest(70))).rejects.toMatchObject({ code: "payload_too_large" });
  // Ten thousand refs by their names, of which Git's client makes six prefixes each.
  expect(60_000 * packet("ref-prefix refs/remotes/refs/heads/topic-123456/HEAD\n").length).toBeLessThan(
    4 << 20,
  );
});

test("nothing is read behind a word that we do not know", async () => {
  const request = ask(["unheard-of", ...Array.from({ length: 100_000 }, () => "ref-prefix a")]);
  const { result, turns } = await watchTurns(() => readLsRefsRequest(request));
  expect([result, turns]).toEqual([undefined, 0]);
});

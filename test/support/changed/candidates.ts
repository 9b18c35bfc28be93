/** Which tests one changed file leads to, each with why and how near it is. */
import { hubs, reach } from "./hubs.ts";
import { isNamed, isNamedAfter, nameWordsOf, nounsOf } from "./nouns.ts";
import { roomOf } from "./rooms.ts";
import { isTest, type Tree } from "./tree.ts";
import { timesNamed } from "./words.ts";

export interface Candidate {
  test: string;
  /** Completes “4 …”: `import what changed`. */
  why: string;
  /** 0 is the file itself; from `far` on it is a guess. */
  distance: number;
}

/** Candidates as far away as this are chosen as far as there is time for them. */
export const maxDistance = 2;

export function candidatesOf(tree: Tree, file: string): Candidate[] {
  const reached = reach(tree.importers, file);
  const found = [
    ...itself(tree, file),
    ...importing(reached),
    ...byUsers(tree, reached),
    ...naming(tree, file),
    ...byNoun(tree, file),
    ...byWord(tree, file),
    ...byText(tree, file),
    ...inRoom(tree, file),
  ];
  const nearest = new Map<string, Candidate>();
  for (const candidate of found.toSorted((a, b) => a.distance - b.distance))
    if (!nearest.has(candidate.test)) nearest.set(candidate.test, candidate);
  return [...nearest.values()];
}

function itself({ tests }: Tree, file: string): Candidate[] {
  return tests.includes(file) ? [{ test: file, why: "changed", distance: 0 }] : [];
}

function importing(reached: ReadonlyMap<string, number>): Candidate[] {
  return [...reached]
    .filter(([path]) => isTest(path))
    .map(([test, distance]) => ({ test, why: "import what changed", distance }));
}

/** A feature that uses what changed may be tested where what changed is not. */
function byUsers(tree: Tree, reached: ReadonlyMap<string, number>): Candidate[] {
  const users = [...reached].filter(([path, steps]) => steps <= 2 && !isTest(path) && !hubs.has(path));
  return users.flatMap(([path]) =>
    nounsOf(path).flatMap((noun) =>
      inRoomOf(tree, path)
        .filter((test) => isNamedAfter(test, noun))
        .map((test) => ({ test, why: `by noun "${noun}" of who uses it`, distance: maxDistance + 1 })),
    ),
  );
}

function inRoomOf({ tests }: Tree, file: string): string[] {
  const room = roomOf(file)?.tests ?? [];
  return tests.filter((test) => room.some((start) => test.startsWith(start)));
}

/** Tests that read or start what changed, and so name its path. */
function naming({ tests, texts }: Tree, file: string): Candidate[] {
  const names = namesOf(file);
  const why = "name what changed";
  return tests
    .filter((test) => names.some((name) => texts.get(test)?.includes(name)))
    .map((test) => ({ test, why, distance: 1 }));
}

/** Of what lies below `test/` and is no code, a folder's name is enough: tests read all that is in it. */
function namesOf(file: string): string[] {
  const [top, folder] = file.split("/");
  if (top !== "test" || file.endsWith(".ts") || folder === undefined) return [file];
  // As it is named from the root, and from a test beside it.
  return [file, `test/${folder}`, `../${folder}`];
}

/** The noun's own tests in its own room are near; those of others, where whole instances run, are not. */
function byNoun(tree: Tree, file: string): Candidate[] {
  const own = new Set(inRoomOf(tree, file));
  return nounsOf(file).flatMap((noun) => {
    const found = tree.tests.filter((test) => isNamedAfter(test, noun));
    const isExact = found.some((test) => own.has(test) && isNamed(test, noun));
    return found.map((test) => {
      const isNear = own.has(test) && (!isExact || isNamed(test, noun));
      return {
        test,
        why: `by noun "${noun}"`,
        distance: isNear ? 1.5 : maxDistance + (own.has(test) ? 0.1 : 0.5),
      };
    });
  });
}

function byWord(tree: Tree, file: string): Candidate[] {
  const words = nameWordsOf(file);
  return inRoomOf(tree, file).flatMap((test): Candidate[] => {
    const shared = words.filter((word) => isNamedAfter(test, word));
    const [word] = shared;
    // Of many that share one word, those that share two are meant.
    return word === undefined
      ? []
      : [{ test, why: `by word "${word}"`, distance: maxDistance + 0.2 / shared.length }];
  });
}

/** Only those that speak of the noun most: each test signs in and makes a repository. */
const maxByText = 8;

function byText(tree: Tree, file: string): Candidate[] {
  return nounsOf(file).flatMap((noun) =>
    inRoomOf(tree, file)
      .map((test) => ({ test, times: timesNamed(tree.texts.get(test) ?? "", noun) }))
      .filter(({ times }) => times > 1)
      .toSorted((a, b) => b.times - a.times)
      .slice(0, maxByText)
      .map(({ test }) => ({ test, why: `speak of "${noun}"`, distance: maxDistance + 0.7 })),
  );
}

function inRoom({ tests }: Tree, file: string): Candidate[] {
  const room = roomOf(file);
  return (room?.tests ?? []).flatMap((start, index) =>
    tests
      .filter((test) => test.startsWith(start))
      .map((test) => ({ test, why: `of ${room?.sources}`, distance: maxDistance + 5 + index })),
  );
}

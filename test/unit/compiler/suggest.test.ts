/** Hints name what was meant: any one slip is found, also two neighbours that changed places; what is far is not guessed at. */
import { expect, test } from "vitest";
import { nearest } from "@forgeline/compiler/suggest.ts";

const keys = ["name", "env", "when", "steps", "image", "needs", "timeout", "idle_timeout", "allow_failure"];

type Slip = (key: string, i: number) => string;
const slips: [string, Slip][] = [
  [
    "two letters changed places",
    (key, i) => key.slice(0, i) + (key[i + 1] ?? "") + key[i] + key.slice(i + 2),
  ],
  ["a letter is twice", (key, i) => key.slice(0, i) + key[i] + key.slice(i)],
  ["a letter is missing", (key, i) => key.slice(0, i) + key.slice(i + 1)],
  ["a letter is another", (key, i) => `${key.slice(0, i)}x${key.slice(i + 1)}`],
  ["a letter is large", (key, i) => key.slice(0, i) + (key[i] ?? "").toUpperCase() + key.slice(i + 1)],
];

test.each(slips)("the key that was meant is named where %s", (_, slip) => {
  const named = keys.map((key) => [key, Array.from(key, (_letter, i) => nearest(slip(key, i), keys))]);
  expect(named).toEqual(keys.map((key) => [key, Array.from(key, () => key)]));
});

test.each(["x", "thing", "emit", "", "a".repeat(100_000)])("no key is named for %.10s", (word) => {
  expect(nearest(word, keys)).toBeNull();
});

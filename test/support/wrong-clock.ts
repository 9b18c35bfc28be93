/** Makes the wall clock of a process wrong, by libfaketime; monotonic time stays right. */
import { existsSync } from "node:fs";
import { needs } from "./programs/needs.ts";

const places = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

/** Environment of a process whose clock is off as libfaketime says it: `+3h`, `-3h`, `+0 x5` for five times as fast. */
export function wrongClock(error: string): Record<string, string> {
  needs("faketime");
  const library = places.find((place) => existsSync(place));
  // What cannot be loaded would be left out without a word.
  if (library === undefined) throw new Error(`libfaketime is in none of ${places.join(", ")}`);
  return { LD_PRELOAD: library, FAKETIME: error, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
}

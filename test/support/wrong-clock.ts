/** Makes the wall clock of a process wrong, by libfaketime; monotonic time stays right. */
import { existsSync } from "node:fs";

const places = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);
export const wrongClockLibrary = places.find((place) => existsSync(place)) ?? places[0] ?? "";

/** Environment of a process whose clock is off as libfaketime says it: `+3h`, `-3h`, `+0 x5` for five times as fast. */
export function wrongClock(error: string): Record<string, string> {
  return { LD_PRELOAD: wrongClockLibrary, FAKETIME: error, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
}

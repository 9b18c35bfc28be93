/** One Chromium for all test files of a process: each of its own would take a second of processor time to start. */
import type { Browser } from "playwright-core";
import { atProcessEnd } from "../process-end.ts";
import { openChromium } from "./visitor.ts";

let shared: Promise<Browser> | undefined;

/** A new one where the last one died. Whoever uses it closes its windows with `closeWindows`. */
export async function sharedChromium(): Promise<Browser> {
  if (!(await shared)?.isConnected()) {
    const opening = openChromium();
    shared = opening;
    atProcessEnd(async () => (await opening).close());
  }
  return shared as Promise<Browser>;
}

export async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** How long each test file took when it last ran here; a run of a few files changes what is known of these alone. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";

/** By path below `test/`. */
export type KnownSeconds = Readonly<Record<string, number>>;

const secondsFile = join(loadLauncherConfig().cache, "test-seconds.json");

/** Nothing is known where no test has run yet. */
export async function readKnownSeconds(): Promise<KnownSeconds> {
  const text = await readFile(secondsFile, "utf8").catch(() => "{}");
  try {
    return JSON.parse(text) as KnownSeconds;
  } catch {
    return {};
  }
}

/** Runs at the same time may forget each other's figures, never spoil them. */
export async function keepSeconds(files: readonly { file: string; seconds: number }[]): Promise<void> {
  const known = { ...(await readKnownSeconds()) };
  // Some scenarios say nothing about all.
  const isPart = (file: string) =>
    file === "integration/scenarios.test.ts" && process.env["FORGELINE_TEST_SCENARIOS"] !== undefined;
  for (const { file, seconds } of files) if (!isPart(file)) known[file] = Math.round(seconds * 10) / 10;
  const part = `${secondsFile}.${process.pid}`;
  await writeFile(part, JSON.stringify(known));
  await rename(part, secondsFile);
}

/** The files of one step: its log, which no container sees, and those that the step writes for the runner to read. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { EngineError } from "../engine.ts";
import type { SupervisorPlaces } from "./supervisor.ts";

const triesMax = 5;

/** Ends of their names: what `$CI_OUTPUT`, `$CI_SUMMARY` and `$CI_ANNOTATIONS` name inside. */
const writtenFiles = ["ci", "summary", "annotations"] as const;
export type WrittenFile = (typeof writtenFiles)[number];

/** Where they lie; the same for both where nothing is hidden from the job. */
export type StepDirectories = Pick<SupervisorPlaces, "ownDir" | "outDir">;

export function outputFileOf({ ownDir }: Pick<StepDirectories, "ownDir">, position: number): string {
  return join(ownDir, `step-${String(position)}.out`);
}

export function writtenFileOf(
  { outDir }: Pick<StepDirectories, "outDir">,
  position: number,
  kind: WrittenFile,
): string {
  return join(outDir, `step-${String(position)}.${kind}`);
}

/** What the system answers where the job took the directory, or a file in it, from the runner. Never to root. */
const closedToRunner = new Set<string | undefined>(["EACCES", "EPERM"]);

/**
 * Before the step starts, so that readers and the step find them. Answers with the names of what something before the step
 * had put in their place, which nobody does by mistake; it is set aside and never read.
 */
export async function makeStepFiles(places: StepDirectories, position: number): Promise<string[]> {
  const isFirstTry = await makeEmpty(outputFileOf(places, position));
  const planted: string[] = [];
  for (const kind of writtenFiles) {
    const path = writtenFileOf(places, position, kind);
    if (!(await makeFresh(path, position)) && isFirstTry) planted.push(`step-${String(position)}.${kind}`);
  }
  return planted;
}

/** Whether nothing was there. A job that puts something there again and again gets an error. */
async function makeFresh(path: string, position: number): Promise<boolean> {
  const begun = `Step ${String(position + 1)} could not start:`;
  try {
    for (let tries = 0; tries < triesMax; tries += 1) {
      if (await makeEmpty(path)) return tries === 0;
      await setAside(path);
    }
  } catch (error) {
    if (!closedToRunner.has((error as NodeJS.ErrnoException).code)) throw error;
    const message = `${begun} the job made the directory of $CI_OUTPUT inaccessible to the runner, for example with chmod or chown.`;
    throw new EngineError("outputs_closed", message, { cause: error });
  }
  throw new EngineError(
    "outputs_closed",
    `${begun} something in the job prevents ${basename(path)} from being created in the directory of $CI_OUTPUT.`,
  );
}

/** False when something is there. */
async function makeEmpty(path: string): Promise<boolean> {
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY;
  try {
    const handle = await open(path, flags);
    try {
      // Whoever the image's user is.
      await handle.chmod(0o666);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * In one call, whatever stands there by now, and under a name that nobody can know before. Not `rm`: that looks, then walks
 * what has become a directory, through the link that has taken the directory's place.
 */
async function setAside(path: string): Promise<void> {
  try {
    await rename(path, `${path}.${randomBytes(6).toString("hex")}`);
  } catch (error) {
    // Taken away meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** What a test needs of the machine: it fails, with what to do, rather than being left out where that is missing. */
import { accessSync, constants } from "node:fs";
import { installHint, neededPrograms, type NeededName, type NeededProgram } from "./needed.ts";

const besidePath = ["/usr/sbin", "/sbin"];

/** Where it lies. Throws with how to install it. */
export function pathOf(program: NeededName): string {
  const { directory: apart = "" }: NeededProgram = neededPrograms[program];
  for (const directory of [...(process.env["PATH"] ?? "").split(":"), ...besidePath, apart]) {
    const path = `${directory}/${program}`;
    if (directory !== "" && isProgram(path)) return path;
  }
  throw new Error(installHint(program));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws for the first that is missing. */
export function needs(...programs: readonly NeededName[]): void {
  for (const program of programs) pathOf(program);
}

/** Throws where we are not root; `why` completes "only root can". */
export function needsRoot(why: string): void {
  if (process.getuid?.() !== 0) throw new Error(`only root can ${why}: run the tests as root`);
}

/** Before any test: the programs that tests need are installed where we may, and named where not. */
import { canInstallPackages, installPackages } from "@forgeline/launcher/apt.ts";
import { run, which } from "@forgeline/launcher/run.ts";
import { installHint, neededPrograms, type NeededName, type NeededProgram } from "./needed.ts";

type Say = (line: string) => void;

export interface SetUpOptions {
  say: Say;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** Default: as root on Debian and Ubuntu. */
  mayInstall?: boolean;
}

/** May run twice. Rejects only at `signal`: tests of what is still missing fail by themselves, with the same words. */
export async function setUpPrograms(options: SetUpOptions): Promise<void> {
  const { say, env, signal } = options;
  sayOfMachine(say);
  if (options.mayInstall ?? (await canInstallPackages(env))) await installAll(options);
  signal?.throwIfAborted();
  const missing = await missingPrograms(env);
  if (missing.length === 0) return;
  for (const program of missing) say(installHint(program));
  say(
    `all at once: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packagesFor(missing, 0).join(" ")}`,
  );
  say("tests that need what is missing fail");
}

function sayOfMachine(say: Say): void {
  if (process.platform !== "linux")
    say(`made for Linux: on ${process.platform}, tests that look into /proc, mount or start dockerd fail`);
  else if (process.getuid?.() !== 0)
    say("not root: tests that mount, start a Docker daemon of their own or make files of others fail");
}

/** A package that is not the same everywhere: what is still missing after the first of its names is tried by the next. */
async function installAll(options: SetUpOptions): Promise<void> {
  const max = Math.max(...entries().map(([, { packages }]) => packages.length));
  for (let choice = 0; choice < max; choice++) {
    const missing = await missingPrograms(options.env);
    const packages = packagesFor(missing, choice);
    if (packages.length > 0) await installEach(packages, options);
  }
}

/** Together; where that fails, one after the other, so that what one lacks is not missing for all. */
async function installEach(packages: readonly string[], options: SetUpOptions): Promise<void> {
  const tryOut = (names: readonly string[]) =>
    installPackages(names, options).then(
      () => true,
      (error: Error) => {
        options.signal?.throwIfAborted();
        options.say(`${names.join(", ")}: ${error.message}`);
        return false;
      },
    );
  if ((await tryOut(packages)) || packages.length === 1) return;
  for (const name of packages) await tryOut([name]);
}

const entries = () => Object.entries(neededPrograms) as [NeededName, NeededProgram][];

function packagesFor(programs: readonly NeededName[], choice: number): string[] {
  const needed: Readonly<Record<NeededName, NeededProgram>> = neededPrograms;
  return [...new Set(programs.flatMap((program) => needed[program].packages[choice] ?? []))];
}

/** In the order of the list. */
export async function missingPrograms(env: NodeJS.ProcessEnv): Promise<NeededName[]> {
  const isThere = await Promise.all(
    entries().map(async ([program, { probe, directory }]) => {
      const path = await which(program, env, directory === undefined ? [] : [directory]);
      if (path === undefined || probe === undefined) return path !== undefined;
      return run(path, probe, { env }).then(
        () => true,
        () => false,
      );
    }),
  );
  return entries().flatMap(([program], i) => (isThere[i] === true ? [] : [program]));
}

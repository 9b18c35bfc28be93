/**
 * Programs written in Python, in the cache of Forgeline: an environment of exactly the versions in a file, from PyPI, so
 * that they do the same everywhere.
 */
import { createHash } from "node:crypto";
import { access, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { canInstallPackages, installPackages } from "@forgeline/launcher/apt.ts";
import { run } from "@forgeline/launcher/run.ts";

export interface PythonEnvironment {
  /** Of what it is for; begins the directory's name. */
  name: string;
  requirementsFile: string;
  /** A program in it. */
  program: string;
}

/** The program's path, or undefined where it is not installed yet. */
export async function installedProgram(
  environment: PythonEnvironment,
  cache: string,
): Promise<string | undefined> {
  const { program, marker } = await placeIn(environment, cache);
  return (await exists(marker)) ? program : undefined;
}

/**
 * The program's path; installed when it is not there, with Python by apt-get where we are root and it is missing. Throws
 * when that is not possible.
 */
export async function ensureProgram(
  environment: PythonEnvironment,
  cache: string,
  say: (line: string) => void,
): Promise<string> {
  const { directory, program, marker } = await placeIn(environment, cache);
  if (await exists(marker)) return program;
  await ensurePython(say);
  say(`installing ${environment.name} from PyPI into ${directory} (once)`);
  await mkdir(cache, { recursive: true });
  // Its scripts hold their own paths, so that it cannot be made elsewhere and moved here.
  await run("python3", ["-m", "venv", "--clear", directory]);
  const args = ["install", "--quiet", "--disable-pip-version-check", "-r", environment.requirementsFile];
  await run(join(directory, "bin", "python"), ["-m", "pip", ...args]);
  await mkdir(marker);
  return program;
}

async function placeIn({ name, requirementsFile, program }: PythonEnvironment, cache: string) {
  const versions = createHash("sha256").update(await readFile(requirementsFile));
  const directory = join(cache, `${name}-${versions.digest("hex").slice(0, 12)}`);
  return {
    directory,
    program: join(directory, "bin", program),
    /** There once everything is installed. */
    marker: join(directory, "installed"),
  };
}

/** `venv` makes no environment with pip in it without `ensurepip`, which Debian has in a package of its own. */
async function ensurePython(say: (line: string) => void): Promise<void> {
  const isThere = await run("python3", ["-c", "import venv, ensurepip"]).then(
    () => true,
    () => false,
  );
  if (isThere || !(await canInstallPackages(process.env))) return;
  await installPackages(["python3", "python3-venv"], { env: process.env, say });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

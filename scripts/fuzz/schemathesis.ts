/**
 * Finds schemathesis in the cache of Forgeline, or installs it there from PyPI: a Python environment of exactly the
 * versions in `requirements.txt`, so that the same seed tries the same.
 */
import { createHash } from "node:crypto";
import { access, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run, which } from "@forgeline/launcher/run.ts";

const requirementsFile = fileURLToPath(new URL("requirements.txt", import.meta.url));

interface Place {
  directory: string;
  program: string;
  /** There once everything is installed. */
  marker: string;
}

/** The program's path, or undefined where it is not installed yet. */
export async function installedSchemathesis(cache: string): Promise<string | undefined> {
  const { program, marker } = await placeIn(cache);
  return (await exists(marker)) ? program : undefined;
}

/**
 * The program's path; installed when it is not there, with Python by apt-get where we are root and it is missing. Throws
 * with what to do when that is not possible.
 */
export async function ensureSchemathesis(cache: string, say: (line: string) => void): Promise<string> {
  const { directory, program, marker } = await placeIn(cache);
  if (await exists(marker)) return program;
  try {
    await ensurePython(say);
    say(`installing schemathesis from PyPI into ${directory} (once)`);
    await mkdir(cache, { recursive: true });
    // Its scripts hold their own paths, so that it cannot be made elsewhere and moved here.
    await run("python3", ["-m", "venv", "--clear", directory]);
    const quiet = ["--quiet", "--disable-pip-version-check"];
    await run(join(directory, "bin", "python"), ["-m", "pip", "install", ...quiet, "-r", requirementsFile]);
    await mkdir(marker);
  } catch (error) {
    throw new Error(howToInstall(error), { cause: error });
  }
  return program;
}

async function placeIn(cache: string): Promise<Place> {
  const versions = createHash("sha256").update(await readFile(requirementsFile));
  const directory = join(cache, `schemathesis-${versions.digest("hex").slice(0, 12)}`);
  return {
    directory,
    program: join(directory, "bin", "schemathesis"),
    marker: join(directory, "installed"),
  };
}

/** `venv` makes no environment with pip in it without `ensurepip`, which Debian has in a package of its own. */
async function ensurePython(say: (line: string) => void): Promise<void> {
  const isThere = await run("python3", ["-c", "import venv, ensurepip"]).then(
    () => true,
    () => false,
  );
  if (isThere || process.getuid?.() !== 0 || !(await which("apt-get"))) return;
  say("installing python3 and python3-venv with apt-get (once)");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "python3", "python3-venv"], {
    env,
  });
}

function howToInstall(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return [
    `schemathesis could not be installed: ${reason}`,
    "Install it where PyPI can be reached (Python 3.10 or newer with its venv module is needed), and name it:",
    "  python3 -m venv fuzz-venv",
    "  fuzz-venv/bin/pip install -r scripts/fuzz/requirements.txt",
    "  npm run fuzz -- --schemathesis $PWD/fuzz-venv/bin/schemathesis",
  ].join("\n");
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

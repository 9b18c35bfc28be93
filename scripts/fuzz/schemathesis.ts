/** Finds schemathesis in the cache of Forgeline, or installs it there: one pinned version in a Python environment. */
import { access, mkdir } from "node:fs/promises";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const version = "4.32.5";

const execute = promisify(execFile);

/** The program's path. Throws with what to do when it can be neither found nor installed. */
export async function ensureSchemathesis(cache: string, say: (line: string) => void): Promise<string> {
  const directory = join(cache, `schemathesis-${version}`);
  const program = join(directory, "bin", "schemathesis");
  const marker = join(directory, "installed");
  if (await exists(marker)) return program;
  say(`schemathesis ${version}: installing it from PyPI into ${directory}`);
  await mkdir(cache, { recursive: true });
  try {
    // Its scripts hold their own paths, so that it cannot be made elsewhere and moved here.
    await execute("python3", ["-m", "venv", "--clear", directory]);
    const pip = [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      `schemathesis==${version}`,
    ];
    await execute(join(directory, "bin", "python"), pip);
    await mkdir(marker);
  } catch (error) {
    throw new Error(howToInstall(error), { cause: error });
  }
  return program;
}

function howToInstall(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return [
    `schemathesis ${version} could not be installed: ${reason}`,
    "Install it where PyPI can be reached (Python 3 with its venv module is needed), and name it:",
    "  python3 -m venv fuzz-venv",
    `  fuzz-venv/bin/pip install schemathesis==${version}`,
    "  npm run fuzz -- --schemathesis $PWD/fuzz-venv/bin/schemathesis",
  ].join("\n");
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

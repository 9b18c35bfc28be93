/** One manifest or lock file: its text in, dependencies or a problem out. Never throws. */
import { readCargoLock, readCargoToml } from "./cargo.ts";
import { UnreadableManifest, type Dependency } from "./dependency.ts";
import { readGoMod } from "./go.ts";
import { readPom } from "./maven.ts";
import { readPackageJson, readPackageLock, readPnpmLock } from "./npm.ts";
import { readPipfileLock, readPyproject, readPythonLock, readRequirements } from "./python.ts";
import { readYarnLock } from "./yarn.ts";

export interface ReadManifest {
  dependencies: Dependency[];
  problem: string | null;
}

const readers: Record<string, (text: string) => Dependency[]> = {
  "package.json": readPackageJson,
  "package-lock.json": readPackageLock,
  "npm-shrinkwrap.json": readPackageLock,
  "pnpm-lock.yaml": readPnpmLock,
  "yarn.lock": readYarnLock,
  "pyproject.toml": readPyproject,
  "requirements.txt": readRequirements,
  "poetry.lock": readPythonLock,
  "uv.lock": readPythonLock,
  "Pipfile.lock": readPipfileLock,
  "Cargo.toml": readCargoToml,
  "Cargo.lock": readCargoLock,
  "go.mod": readGoMod,
  "pom.xml": readPom,
};

const maxDependencies = 20_000;
const maxTextLength = 300;

export function readManifest(format: string, text: string): ReadManifest {
  try {
    const dependencies = readers[format]?.(text.replace(/^\uFEFF/, "")) ?? [];
    if (dependencies.length > maxDependencies)
      throw new UnreadableManifest(`It lists more than ${maxDependencies} dependencies.`);
    return { dependencies: dependencies.map(bounded), problem: null };
  } catch (error) {
    const { message } = error as Error;
    return { dependencies: [], problem: cut(message.split("\n")[0] ?? "") };
  }
}

const cut = (text: string) => text.slice(0, maxTextLength).toWellFormed().replaceAll("\0", "\uFFFD");
const cutOrNull = (text: string | null) => (text === null ? null : cut(text));

function bounded(one: Dependency): Dependency {
  const { name, requirement, version } = one;
  return { ...one, name: cut(name), requirement: cutOrNull(requirement), version: cutOrNull(version) };
}

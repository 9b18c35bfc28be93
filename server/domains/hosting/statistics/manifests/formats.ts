/** Which files are manifests or lock files, by their names. */
import type { Ecosystem } from "@forgeline/schemas/statistics/dependencies.ts";
import { linguistData } from "../linguist/data.ts";

export interface ManifestFormat {
  ecosystem: Ecosystem;
  /** The name by which the file is read. */
  format: string;
  /** It lists resolved versions, not required ones. */
  isLock: boolean;
}

const names: Record<string, [Ecosystem, "manifest" | "lock"]> = {
  "package.json": ["npm", "manifest"],
  "package-lock.json": ["npm", "lock"],
  "npm-shrinkwrap.json": ["npm", "lock"],
  "pnpm-lock.yaml": ["npm", "lock"],
  "yarn.lock": ["npm", "lock"],
  "pyproject.toml": ["pypi", "manifest"],
  "requirements.txt": ["pypi", "manifest"],
  "poetry.lock": ["pypi", "lock"],
  "uv.lock": ["pypi", "lock"],
  "Pipfile.lock": ["pypi", "lock"],
  "Cargo.toml": ["cargo", "manifest"],
  "Cargo.lock": ["cargo", "lock"],
  "go.mod": ["go", "manifest"],
  "pom.xml": ["maven", "manifest"],
};

/** undefined for other files, and for those in vendored code. */
export function formatOf(path: string): ManifestFormat | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const format = /^requirements[\w.-]*\.txt$/.test(name) ? "requirements.txt" : name;
  const found = Object.hasOwn(names, format) ? names[format] : undefined;
  if (!found || linguistData().vendored.test(path)) return undefined;
  return { ecosystem: found[0], format, isLock: found[1] === "lock" };
}

export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

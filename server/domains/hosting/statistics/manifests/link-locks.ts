/**
 * Combines the files of one directory: a manifest takes resolved versions from the lock file next to it, and a lock file
 * without the project's requirements takes those from the manifest.
 */
import type { Dependency } from "./dependency.ts";
import type { ManifestFormat } from "./formats.ts";

export interface LinkedFile {
  format: ManifestFormat;
  dependencies: Dependency[];
}

/** Changes the dependencies in place. */
export function linkLocks(files: readonly LinkedFile[]): void {
  for (const lock of files.filter(({ format }) => format.isLock)) {
    const beside = files.filter(({ format }) => !format.isLock && format.ecosystem === lock.format.ecosystem);
    const asked = new Map(beside.flatMap((each) => each.dependencies).map((one) => [one.name, one]));
    if (!lock.dependencies.some(({ direct }) => direct)) markDirect(lock.dependencies, asked);
    const chosen = Map.groupBy(lock.dependencies, ({ name }) => name);
    for (const one of beside.flatMap((each) => each.dependencies)) {
      const all = chosen.get(one.name) ?? [];
      const direct = all.filter((each) => each.direct);
      const versions = new Set((direct.length > 0 ? direct : all).map(({ version }) => version));
      const [only = null] = versions;
      if (versions.size === 1) one.version ??= only;
    }
  }
}

function markDirect(dependencies: readonly Dependency[], asked: ReadonlyMap<string, Dependency>): void {
  for (const one of dependencies) {
    const by = asked.get(one.name);
    if (!by) continue;
    one.direct = true;
    one.requirement = by.requirement;
    if (one.scope === "runtime") one.scope = by.scope;
  }
}

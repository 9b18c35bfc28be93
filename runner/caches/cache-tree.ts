/**
 * What the paths of a cache mean in a job's container. Entries are named by their root, so that a cache of one image's home
 * directory fits another's. Pure.
 */
import { cachePlace, cacheRoots, type CacheRoot } from "@forgeline/compiler/cache-path.ts";
import { pathPatterns, type PathPatterns } from "../artifacts/patterns.ts";

export const workspacePath = "/workspace";

export interface CacheSource {
  root: CacheRoot;
  /** Relative to the root; `""` is the root itself. */
  path: string;
  /** In the container. */
  absolute: string;
}

export interface CacheTree {
  /** Where everything lies that belongs to the cache; none lies in another. */
  sources: readonly CacheSource[];
  /** Whether a path, relative to its root, belongs to the cache. */
  matches(root: CacheRoot, path: string): boolean;
  /** In the container. */
  absolute(root: CacheRoot, path: string): string;
}

export function cacheTree(paths: readonly string[], home: string): CacheTree {
  const directories: Readonly<Record<CacheRoot, string>> = {
    workspace: workspacePath,
    home: home.replace(/\/+$/, ""),
    system: "",
  };
  const absolute = (root: CacheRoot, path: string) =>
    path === "" ? directories[root] || "/" : `${directories[root]}/${path}`;
  const byRoot = new Map<CacheRoot, PathPatterns>(
    cacheRoots.map((root) => [root, pathPatterns(patternsOf(root, paths), [])]),
  );
  const sources = [...byRoot].flatMap(([root, { bases }]) =>
    outermost(bases).map((path) => ({ root, path, absolute: absolute(root, path) })),
  );
  return {
    sources,
    matches: (root, path) => byRoot.get(root)?.matches(path) ?? false,
    absolute,
  };
}

function patternsOf(root: CacheRoot, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const sign = path.startsWith("!") ? "!" : "";
    const place = cachePlace(path.slice(sign.length));
    return place.root === root ? [sign + place.pattern] : [];
  });
}

/** Without those that lie in another. */
function outermost(bases: readonly string[]): string[] {
  const isIn = (path: string, outer: string) => outer === "" || path.startsWith(`${outer}/`);
  const unique = [...new Set(bases)];
  return unique.filter((path) => !unique.some((other) => other !== path && isIn(path, other)));
}

/** The name of an entry in the archive. */
export function entryName(root: CacheRoot, path: string): string {
  return path === "" ? root : `${root}/${path}`;
}

/** null for a name that no cache gives. */
export function placeOfEntry(name: string): { root: CacheRoot; path: string } | null {
  const parts = name.replace(/\/$/, "").split("/");
  const root = cacheRoots.find((each) => each === parts[0]);
  const inner = parts.slice(1);
  if (root === undefined || inner.some((part) => part === "" || part === "." || part === "..")) return null;
  return name.includes("\0") ? null : { root, path: inner.join("/") };
}

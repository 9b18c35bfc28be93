/** Where a path of a cache lies: in the workspace, in the home directory, or elsewhere in the system of the job. Pure. */

export const cacheRoots = ["workspace", "home", "system"] as const;
export type CacheRoot = (typeof cacheRoots)[number];

/** `pattern` is relative to the root, without `./` and without a slash at the end; `**` for all of it. */
export function cachePlace(path: string): { root: CacheRoot; pattern: string } {
  const root = path.startsWith("/") ? "system" : path === "~" || path.startsWith("~/") ? "home" : "workspace";
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (root === "home") parts.shift();
  return { root, pattern: parts.length === 0 ? "**" : parts.join("/") };
}

/** A file system of a few megabytes, for tests of a disk without room. Only root can mount one. */
import { execFileSync } from "node:child_process";
import { needsRoot } from "./programs/needs.ts";

export interface SmallDisk {
  grow(size: string): void;
  remove(): void;
}

/** `size` as tmpfs takes it, such as `4m`. Throws where nothing may be mounted. */
export function mountSmallDisk(directory: string, size: string): SmallDisk {
  needsRoot("mount a small disk");
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory]);
  return {
    grow: (to) => void execFileSync("mount", ["-o", `remount,size=${to}`, directory]),
    remove: () => void execFileSync("umount", ["-l", directory]),
  };
}

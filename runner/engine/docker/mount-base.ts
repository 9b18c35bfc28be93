/**
 * Where our own mounts lie in a container that runs steps: `in`, `out` and `init` below a directory of the root whose name no image
 * can know. With a fixed name an image could bring a link in its place: the daemon mounts where it leads beforehand, the
 * kernel starts what it leads to later, and process 1 would be a program of the image.
 */
import { randomBytes } from "node:crypto";
import type { MountBase } from "./create-options.ts";

export function newMountBase(): MountBase {
  return `/forgeline-${randomBytes(8).toString("hex")}`;
}

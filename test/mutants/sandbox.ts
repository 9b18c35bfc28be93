/**
 * A copy of the checkout in which mistakes can be made: whatever happens, none of them is left in the sources themselves.
 * Installed packages are links to the checkout's; those of our own workspaces lead into the copy.
 */
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Mutant } from "./mutant.ts";

export interface Sandbox {
  root: string;
  /** Makes the mistake; resolves with what takes it back. Rejects when the place is not there, or not alone. */
  put(mutant: Pick<Mutant, "file" | "find" | "replace">): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

const checkout = join(import.meta.dirname, "../..");
const leftOut = new Set([
  "node_modules",
  ".git",
  ".cache",
  "coverage",
  ".forgeline",
  ".forgeline-postgresql",
]);
const own = "@forgeline";
/** Made anew by each copy: what they hold belongs to its paths. */
const caches = new Set([".forgeline-programs", ".vite", ".vite-temp", ".vitest-cache"]);

export async function createSandbox(): Promise<Sandbox> {
  const root = await mkdtemp(join(tmpdir(), "forgeline-mutants-"));
  // Tests run programs of it as other users.
  await chmod(root, 0o755);
  await cp(checkout, root, {
    recursive: true,
    filter: (source) => dirname(source) !== checkout || !leftOut.has(basename(source)),
  });
  await linkPackages(join(checkout, "node_modules"), join(root, "node_modules"));
  return {
    root,
    async put({ file, find, replace }) {
      const path = join(root, file);
      const before = await readFile(path, "utf8");
      const [start, end, ...more] = before.split(find);
      if (start === undefined || end === undefined || more.length > 0)
        throw new Error(`what is to be changed does not stand in ${file} exactly once`);
      await writeFile(path, start + replace + end);
      return () => writeFile(path, before);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(join(to, own), { recursive: true });
  for (const name of await readdir(from))
    if (name !== own && !caches.has(name)) await symlink(join(from, name), join(to, name));
  for (const name of await readdir(join(from, own)))
    await symlink(await readlink(join(from, own, name)), join(to, own, name));
}

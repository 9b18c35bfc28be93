/**
 * Files of a job's workspace for caches, named as in containers, by this machine's `tar`. What lies elsewhere belongs to the runner's user and not to
 * the job, so no cache reads or writes it.
 */
import { lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import { Readable } from "node:stream";
import { workspacePath } from "../../caches/cache-tree.ts";
import { createWorkspaceTar, hasGnuTar } from "../docker/workspace-tar.ts";
import type { ContainerFiles } from "../container-files.ts";
import { EngineError } from "../engine.ts";
import { ownUser } from "./own-user.ts";

/** Throws `EngineError` where this machine cannot. */
export async function createProcessFiles(workspaceDir: string): Promise<ContainerFiles> {
  if (process.platform !== "linux" || !(await hasGnuTar()))
    throw new EngineError(
      "unsupported",
      "This runner executes jobs as processes, and has caches only on Linux with GNU tar.",
    );
  const tar = createWorkspaceTar(workspaceDir);

  async function* read(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    placeOf(workspaceDir, path);
    const archive = await tar.read(path, signal);
    if (archive === null) throw new EngineError("internal", "The way to its files leads through a link.");
    yield* archive;
  }

  return {
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, home: ownUser().home },
    async stat(path) {
      const facts = await lstat(placeOf(workspaceDir, path)).catch(() => null);
      if (facts === null) return null;
      if (facts.isSymbolicLink()) return "link";
      return facts.isDirectory() ? "directory" : "file";
    },
    read,
    async write(archive, { signal, isWorkspace }) {
      if (!isWorkspace) throw outsideWorkspace();
      await tar.write(Readable.from(archive), signal);
    },
  };
}

function placeOf(workspaceDir: string, path: string): string {
  const isInside = path === workspacePath || path.startsWith(`${workspacePath}/`);
  // Every directory above a path of a cache is asked for.
  if (!isInside) throw outsideWorkspace();
  return join(workspaceDir, posix.relative(workspacePath, path));
}

function outsideWorkspace(): EngineError {
  return new EngineError(
    "unsupported",
    "This runner executes jobs as processes, and has caches of paths in the workspace only.",
  );
}

/**
 * Files of a job's container by way of the daemon, which reads and writes them in the container's own root; those of the workspace
 * by this machine's `tar`, where that can. While they are read, the container stands still, if the daemon can do that: programs of the
 * job that still run could otherwise change what was just looked at.
 */
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type Dockerode from "dockerode";
import { crashPoint } from "../../crash-point.ts";
import type { ContainerFiles, PackedFile } from "../container-files.ts";
import { EngineError } from "../engine.ts";
import { createByteReader } from "../../artifacts/byte-reader.ts";
import { workspacePath } from "../../caches/cache-tree.ts";
import { readTar } from "../../caches/read-tar.ts";
import { daemonMessage, statusOf } from "./daemon.ts";
import { workspaceDirectory } from "./context.ts";
import type { WorkspaceParts } from "./workspace-owner.ts";
import { createWorkspaceTar, hasGnuTar, type WorkspaceTar } from "./workspace-tar.ts";

const maxUsersBytes = 1024 * 1024;
const pieceBytes = 256 * 1024;

/** Throws `EngineError`. */
export async function openContainerFiles(
  { context, set }: WorkspaceParts,
  signal: AbortSignal,
): Promise<ContainerFiles> {
  const container = context.docker.getContainer(set.record.containerId);
  const { ready } = await set.supervisor.journal();
  if (ready === null) throw new EngineError("internal", "The step supervisor did not report its user.");
  const { uid, gid } = ready;

  const workspace = await workspaceTar({ context, set });

  /** Until the end of its scope. */
  async function stillness(): Promise<AsyncDisposable> {
    const { hasControlGroups } = await context.daemonFacts();
    if (hasControlGroups) await standStill(container);
    crashPoint("cache.paused-before-read");
    return {
      async [Symbol.asyncDispose]() {
        if (hasControlGroups) await context.daemon.ask(() => container.unpause()).catch(() => undefined);
      },
    };
  }

  async function* read(path: string, within: AbortSignal): AsyncGenerator<Buffer> {
    await using _ = await stillness();
    const fast = isInWorkspace(path) ? await workspace?.read(path, within) : null;
    yield* fast ?? (await readByDaemon(path, within));
  }

  async function readByDaemon(path: string, within: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const ask = () => container.getArchive({ path, abortSignal: within });
    return (await context.daemon.ask(ask, within)) as AsyncIterable<Buffer>;
  }

  const { Config } = await context.daemon.ask(() => container.inspect(), signal);
  const named = Config.Env.find((each) => each.startsWith("HOME="))?.slice("HOME=".length);
  const home = named ?? (await homeOf(uid, () => plainRead(container, "/etc/passwd", signal)));
  return {
    user: { uid, gid, home: home.startsWith("/") ? home : "/" },
    async stat(path, within) {
      const found = await context.daemon.find(
        () => container.infoArchive({ path, abortSignal: within }),
        within,
      );
      return found === null ? null : kindOf(found);
    },
    read,
    ...(workspace && {
      async pack(path: string, into: PackedFile, within: AbortSignal) {
        if (!isInWorkspace(path)) return false;
        await using _ = await stillness();
        return await workspace.pack(path, into, within);
      },
      unpack: (archive: FileHandle, within: AbortSignal) => workspace.unpack(archive, { uid, gid }, within),
    }),
    async write(archive, { signal: within, isWorkspace }) {
      const aborting = new AbortController();
      const source = Readable.from(inPieces(archive), { objectMode: false, highWaterMark: pieceBytes });
      if (isWorkspace && workspace) return workspace.write(source, within);
      // What breaks off would wait for its end: the client only pipes.
      source.on("error", (error) => aborting.abort(error));
      const abortSignal = AbortSignal.any([within, aborting.signal]);
      try {
        await container.putArchive(source, { path: "/", abortSignal });
      } catch (error) {
        within.throwIfAborted();
        if (aborting.signal.aborted) throw aborting.signal.reason;
        throw new EngineError("internal", daemonMessage(error), { cause: error });
      } finally {
        source.destroy();
      }
    },
  };
}

/** null where this process may not do what the daemon can. */
async function workspaceTar({ context, set }: WorkspaceParts): Promise<WorkspaceTar | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const { isRootless } = await context.daemonFacts();
  if (isRootless || !(await hasGnuTar())) return null;
  return createWorkspaceTar(workspaceDirectory(context, set.record.workspaceKey ?? set.record.jobKey));
}

function isInWorkspace(path: string): boolean {
  return path === workspacePath || path.startsWith(`${workspacePath}/`);
}

/** One that stands still already, after a runner that died, is fine. */
async function standStill(container: Dockerode.Container): Promise<void> {
  await container.pause().catch((error: unknown) => {
    if (statusOf(error) !== 409) throw new EngineError("internal", daemonMessage(error), { cause: error });
  });
}

async function plainRead(
  container: Dockerode.Container,
  path: string,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<Buffer> | null> {
  try {
    return (await container.getArchive({ path, abortSignal })) as AsyncIterable<Buffer>;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

/** As the daemon finds it for the processes of a user. */
async function homeOf(uid: number, open: () => Promise<AsyncIterable<Buffer> | null>): Promise<string> {
  const archive = await open();
  if (archive === null) return "/";
  for await (const entry of readTar(archive)) {
    if (entry.kind !== "file" || entry.sizeBytes > maxUsersBytes) continue;
    const text = (await createByteReader(entry.pieces()).take(entry.sizeBytes)).toString();
    const fields = text.split("\n").map((line) => line.split(":"));
    return fields.find(([, , id]) => id === String(uid))?.[5] ?? "/";
  }
  return "/";
}

/** The daemon's own word for a file: base64 of JSON in a header. Its mode has the bits of Go. */
function kindOf(found: unknown): "directory" | "file" | "link" {
  const { headers } = (found as IncomingMessage).resume();
  const told = JSON.parse(
    Buffer.from(String(headers["x-docker-container-path-stat"] ?? ""), "base64").toString() || "{}",
  ) as { mode?: number };
  const mode = told.mode ?? 0;
  if (mode >= 2 ** 31) return "directory";
  return Math.floor(mode / 2 ** 27) % 2 === 1 ? "link" : "file";
}

/** Headers and small files are sent together. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let small: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    small.push(piece);
    size += piece.length;
    if (size < pieceBytes) continue;
    yield small.length === 1 ? piece : Buffer.concat(small, size);
    small = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(small, size);
}

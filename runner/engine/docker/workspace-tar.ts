/**
 * Files of a workspace as archives of tar, by the `tar` of this machine instead of the daemon, several times as fast. Only where
 * the runner is root and users have the same numbers in containers, and only GNU's: it goes through no link while it reads, and
 * what is written replaces links of the checkout.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { dirname, posix } from "node:path";
import { openDirectory } from "../../artifacts/workspace-files.ts";
import { workspacePath } from "../../caches/cache-tree.ts";
import type { PackedFile } from "../container-files.ts";
import { EngineError } from "../engine.ts";

export interface WorkspaceTar {
  /** As `ContainerFiles.read`; null where the way to it leads through a link. The container must stand still. */
  read(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer> | null>;
  /** As `ContainerFiles.pack`. The container must stand still. */
  pack(path: string, into: PackedFile, signal: AbortSignal): Promise<boolean>;
  /** As `ContainerFiles.write`, of an archive whose names are all below that of the workspace. */
  write(archive: Readable, signal: AbortSignal): Promise<void>;
  /** As `ContainerFiles.unpack`. */
  unpack(archive: FileHandle, user: TarUser, signal: AbortSignal): Promise<boolean>;
}

export interface TarUser {
  uid: number;
  gid: number;
}

interface TarSource {
  words: readonly string[];
  /** Names of entries begin with it. */
  first: string;
  /** The directory above, or nothing. */
  stdin: number | "ignore";
}

/** In pieces of half a mebibyte: fewer turns between two processes. */
const blocks = "1024";
const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" };
/** How each `tar` is started. */
const tarOptions = (signal: AbortSignal) => ({ env, signal, killSignal: "SIGKILL" as const });
const maxComplaintChars = 500;

let gnuTar: Promise<boolean> | null = null;

/** Whether this machine's `tar` is GNU's. Asked once. */
export function hasGnuTar(): Promise<boolean> {
  gnuTar ??= new Promise((resolve) => {
    execFile("tar", ["--version"], { env }, (error, stdout) =>
      resolve(error === null && stdout.includes("GNU tar")),
    );
  });
  return gnuTar;
}

/** `workspaceDir` is the directory that containers have at `/workspace`, and has that name. */
export function createWorkspaceTar(workspaceDir: string): WorkspaceTar {
  const root = realpathSync(workspaceDir);
  const above = dirname(root);

  /** null where the way to it leads through a link. */
  async function reading<T>(path: string, work: (from: TarSource) => Promise<T>): Promise<T | null> {
    const inner = posix.relative(workspacePath, path);
    const parent = inner === "" ? null : await openDirectory(root, posix.join(inner, ".."));
    if (inner !== "" && parent === null) return null;
    const [from, first] = parent ? ["/proc/self/fd/0", posix.basename(inner)] : [above, "workspace"];
    const words = ["-f", "-", "--format=gnu", "-b", blocks, "-C", from, "--", first];
    try {
      return await work({ words, first, stdin: parent ? parent.fd : "ignore" });
    } finally {
      await parent?.close();
    }
  }

  return {
    async read(path, signal) {
      return reading(path, async ({ words, stdin }) => {
        const child = spawn("tar", ["-c", ...words], {
          ...tarOptions(signal),
          stdio: [stdin, "pipe", "pipe"],
        });
        await once(child, "spawn");
        return outputOf(child, signal);
      });
    },
    async pack(path, { name, file }, signal) {
      const done = await reading(path, async ({ words, stdin, first }) => {
        // As it is restored: as somebody else's, and without the rights of its owner for whoever calls it.
        const told = ["--owner=0", "--group=0", "--numeric-owner", "--mode=ug-s,-t"];
        const renamed = `--transform=${renaming(first, name)}`;
        const child = spawn("tar", ["-c", ...told, renamed, ...words], {
          ...tarOptions(signal),
          stdio: [stdin, file.fd, "pipe"],
        });
        const { code } = await endOf(child);
        return code === 0 || code === 1;
      });
      return done === true;
    },
    async write(archive, signal) {
      const words = ["-x", "-f", "-", "-b", blocks, "--same-owner", "--numeric-owner", "-p", "-C", above];
      const child = spawn("tar", words, { ...tarOptions(signal), stdio: ["pipe", "ignore", "pipe"] });
      const ended = endOf(child);
      const fed = pipeline(archive, child.stdin).catch((error: unknown) => error);
      const { code, complaint } = await ended;
      const problem = await fed;
      signal.throwIfAborted();
      if (problem !== undefined && (problem as NodeJS.ErrnoException).code !== "EPIPE") throw problem;
      if (code !== 0) throw failure(complaint);
    },
    async unpack(archive, { uid, gid }, signal) {
      // As the user: what it writes belongs to them, whatever the archive says. They may not come by the directories above.
      const words = ["-x", "-f", "-", "-b", blocks, "--strip-components=1", "--no-same-owner", "-p"];
      const child = spawn("tar", words, {
        ...tarOptions(signal),
        cwd: root,
        uid,
        gid,
        stdio: [archive.fd, "ignore", "pipe"],
      });
      const { code } = await endOf(child);
      signal.throwIfAborted();
      return code === 0;
    },
  };
}

/** For the names of entries and what hard links name, and not for where symbolic links lead. */
function renaming(first: string, name: string): string {
  const literal = first.replaceAll(/[.[\]*^$\\/]/g, "\\$&");
  return `s/^${literal}\\(\\/\\|$\\)/${name.replaceAll(/[&\\/]/g, "\\$&")}\\1/S`;
}

/** What it prints. Files that change or vanish meanwhile are no failure: the archive is whole all the same. */
async function* outputOf(child: ChildProcess, signal: AbortSignal): AsyncGenerator<Buffer> {
  const ended = endOf(child);
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    const { code, complaint } = await ended;
    signal.throwIfAborted();
    if (code !== 0 && code !== 1) throw failure(complaint);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Never rejects. `code` is null for a program that could not be started, or was killed. */
function endOf(child: ChildProcess): Promise<{ code: number | null; complaint: string }> {
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (complaint.length < maxComplaintChars) complaint += text.slice(0, maxComplaintChars);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => (complaint += error.message));
    child.on("close", (code) => resolve({ code, complaint: complaint.trim().split("\n")[0] ?? "" }));
  });
}

function failure(complaint: string): EngineError {
  if (/no space left on device/i.test(complaint))
    return new EngineError("disk_full", `The disk is full: ${complaint}`);
  return new EngineError("internal", complaint === "" ? "tar was ended." : complaint);
}

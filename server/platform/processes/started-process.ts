/** A program that runs, and our ends of its handles. */
import { once } from "node:events";
import type { Duplex, Readable, Writable } from "node:stream";
import type { Pieces } from "./pieces.ts";

/** What becomes of handles 0 to 2: a stream of ours, pieces (only of handle 1), or nothing. */
export type Stdio = readonly ("pipe" | "pieces" | "ignore")[];

export interface ProcessStart {
  program: string;
  args: readonly string[];
  directory: string;
  env: Readonly<Record<string, string>>;
  stdio: Stdio;
  /** 0 to 19: how far it gives way to others; it begins so. */
  niceness: number;
}

export interface StartedProcess {
  pid: number;
  stdin: Writable | null;
  stdout: Readable | null;
  stderr: Readable | null;
  /** Instead of `stdout`, where it was requested. */
  pieces: Pieces["read"] | null;
  /** Handle 3, where one was requested. */
  handle3: Duplex | null;
  /** Exit code; null when a signal ended it. */
  exited: Promise<number | null>;
  /** As `exited`, when all output has come, too. Output that nobody has begun to read by then is dropped. */
  closed: Promise<number | null>;
  /** Kills it and what it has started, at once; nothing happens when it has ended. */
  kill(): void;
  /** It no longer keeps our process from ending. */
  unref(): void;
}

export interface ProcessHandles {
  stdin?: Writable | null | undefined;
  stdout?: Readable | null | undefined;
  stderr?: Readable | null | undefined;
  pieces?: Pieces | null | undefined;
  handle3?: Duplex | null | undefined;
}

export function describeProcess(process: {
  pid: number;
  handles: ProcessHandles;
  exited: Promise<number | null>;
  unref(): void;
}): StartedProcess {
  const { pid, handles, exited } = process;
  const { stdin = null, stdout = null, stderr = null, pieces = null, handle3 = null } = handles;
  const outputs = [stdout, stderr].filter((stream) => stream !== null);
  const complete = [...outputs, ...(pieces ? [pieces.socket] : [])].map((stream) =>
    once(stream, "close").catch(() => []),
  );
  let hasEnded = false;
  const closed = exited.then(async (exitCode) => {
    hasEnded = true;
    stdin?.destroy();
    for (const stream of outputs) stream.resume();
    pieces?.drop();
    await Promise.all(complete);
    return exitCode;
  });
  return {
    pid,
    stdin,
    stdout,
    stderr,
    pieces: pieces && pieces.read,
    handle3,
    exited,
    closed,
    kill() {
      if (!hasEnded) killGroup(pid);
    },
    unref() {
      process.unref();
      for (const stream of [stdin, stdout, stderr, pieces?.socket, handle3])
        (stream as { unref?: () => void } | null | undefined)?.unref?.();
    },
  };
}

/** Started programs lead a process group of their own. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

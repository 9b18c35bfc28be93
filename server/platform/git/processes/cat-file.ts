/**
 * Long-lived `git cat-file --batch-command` processes, one a repository in use: a read costs a pipe's round trip
 * instead of a process start. Bounded in number; the one unused for longest goes first; idle ones end by themselves.
 */
import { createCatFile, type CatFile, type GitObject } from "./cat-file-process.ts";
import type { StartGit } from "./run-git.ts";

export interface CatFilePool {
  /** undefined when there is no such object; `bytes` is null when it is larger than `maxBytes`. */
  read(directory: string, name: string, maxBytes: number): Promise<GitObject | undefined>;
  /** Ends the process of one repository, for example before it is deleted. */
  forget(directory: string): void;
  close(): void;
}

export interface CatFilePoolOptions {
  startGit: StartGit;
  maxProcesses: number;
  idleMs: number;
}

export function createCatFilePool(options: CatFilePoolOptions): CatFilePool {
  // In order of use: the first is the one unused for longest.
  const processes = new Map<string, CatFile>();

  function drop(directory: string): void {
    processes.get(directory)?.close();
    processes.delete(directory);
  }

  function processOf(directory: string): CatFile {
    let process = processes.get(directory);
    processes.delete(directory);
    if (!process || process.ended()) {
      if (processes.size >= options.maxProcesses) drop(processes.keys().next().value!);
      process = createCatFile(options.startGit, directory, options.idleMs);
    }
    processes.set(directory, process);
    return process;
  }

  return {
    read: (directory, name, maxBytes) => processOf(directory).read(name, maxBytes),
    forget: drop,
    close() {
      for (const directory of processes.keys()) drop(directory);
    },
  };
}

/**
 * One `git cat-file --batch-command` process and its conversation: requests are answered in order. An object is
 * asked for by `info` first and by `contents` only when it is wanted and small enough, so a huge blob never travels.
 */
import type { Writable } from "node:stream";
import type { StartedProcess } from "../../processes/started-process.ts";
import type { StartGit } from "./run-git.ts";

export interface GitObject {
  oid: string;
  type: string;
  sizeBytes: number;
  bytes: Buffer | null;
}

export interface CatFile {
  read(name: string, maxBytes: number): Promise<GitObject | undefined>;
  ended(): boolean;
  /** Answers pending requests, then ends. */
  close(): void;
}

interface Waiting {
  wantsContents: boolean;
  resolve(answer: GitObject | undefined): void;
  reject(error: Error): void;
}

export function createCatFile(startGit: StartGit, directory: string, idleMs: number): CatFile {
  let stdin: Writable | undefined;
  /** Requests from before the process has started. */
  let unsent = "";
  const waiting: Waiting[] = [];
  let ended = false;
  let buffered: Buffer = Buffer.alloc(0);
  const idle = setTimeout(() => close(), idleMs).unref();

  function close(): void {
    ended = true;
    stdin?.end();
  }

  function fail(error: Error): void {
    ended = true;
    clearTimeout(idle);
    for (const request of waiting.splice(0)) request.reject(error);
  }

  function ask(command: "info" | "contents", name: string): Promise<GitObject | undefined> {
    idle.refresh();
    return new Promise((resolve, reject) => {
      if (ended) return reject(new Error("git cat-file has ended"));
      waiting.push({ wantsContents: command === "contents", resolve, reject });
      const line = `${command} ${name}\n`;
      if (stdin) stdin.write(line);
      else unsent += line;
    });
  }

  function converse(child: StartedProcess): void {
    // Our process may exit while this one waits; it then ends by the end of its input.
    child.unref();
    stdin = child.stdin!;
    stdin.on("error", fail);
    void child.closed.then(() => fail(new Error("git cat-file ended")));
    child.stdout!.on("data", (chunk: Buffer) => {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
      buffered = answer(buffered, waiting);
    });
    if (unsent) stdin.write(unsent);
    if (ended) stdin.end();
  }

  startGit({ directory, args: ["cat-file", "--batch-command"], stdio: ["pipe", "pipe", "ignore"] }).then(
    converse,
    fail,
  );

  return {
    async read(name, maxBytes) {
      const info = await ask("info", name);
      if (!info || maxBytes === 0 || info.sizeBytes > maxBytes) return info;
      return ask("contents", info.oid);
    },
    ended: () => ended,
    close,
  };
}

/** Delivers complete answers and returns the rest. */
function answer(buffered: Buffer, waiting: Waiting[]): Buffer {
  let rest = buffered;
  while (waiting.length > 0) {
    const lineEnd = rest.indexOf(0x0a);
    if (lineEnd < 0) return rest;
    const header = rest.toString("utf8", 0, lineEnd);
    const match = /^(?<oid>[0-9a-f]{40}) (?<type>\w+) (?<size>\d+)$/.exec(header);
    const sizeBytes = Number(match?.groups?.["size"] ?? 0);
    const wantsContents = match !== null && waiting[0]!.wantsContents;
    const end = lineEnd + 1 + (wantsContents ? sizeBytes + 1 : 0);
    if (rest.length < end) return rest;
    const bytes = wantsContents ? Buffer.from(rest.subarray(lineEnd + 1, end - 1)) : null;
    const object = match && {
      oid: match.groups!["oid"]!,
      type: match.groups!["type"]!,
      sizeBytes,
      bytes,
    };
    waiting.shift()!.resolve(object ?? undefined);
    rest = rest.subarray(end);
  }
  return rest;
}

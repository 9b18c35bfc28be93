/** A repository with a long history, the same bytes each time: a commit rewrites one of 400 files with text that does not compress well. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const files = 400;
/** Half of it in the file, as hexadecimal digits. */
const fileBytes = 1_200;
const beganSeconds = 1_700_000_000;

export interface History {
  /** Bare. */
  directory: string;
  env: NodeJS.ProcessEnv;
}

/** Puts `count` commits, of which the first has `from` before it, on top of `main`. */
export async function addCommits({ directory, env }: History, from: number, count: number): Promise<void> {
  const child = spawn("git", ["fast-import", "--quiet"], {
    cwd: directory,
    env,
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  await pipeline(Readable.from(commits(from, count)), child.stdin!);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

function* commits(from: number, count: number): Generator<string> {
  for (let n = from; n < from + count; n++) {
    const text = textOf(n);
    const message = `Change number ${n}\n`;
    const parent = n === from && from > 0 ? "from refs/heads/main^0\n" : "";
    yield (
      `commit refs/heads/main\ncommitter Ada <ada@example.org> ${beganSeconds + n} +0000\n` +
        `data ${message.length}\n${message}${parent}` +
        `M 100644 inline src/${n % 20}/file-${n % files}.txt\ndata ${text.length}\n${text}\n`
    );
  }
}

function textOf(n: number): string {
  const digits = createHash("shake256", { outputLength: fileBytes }).update(String(n)).digest("hex");
  return `${digits.replaceAll(/.{60}/g, "$&\n")}\n`;
}

/** What a job may put in the place of a file while the runner is at work on it, and the directory in which it does. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Ground {
  home: string;
  /** Of the machine: no job may read or change it. */
  outside: string;
  /** What is hard to make: pipe, socket, device. Links to them are put in place. */
  specialFiles: string;
  socket: Server;
}

const canary = "a line of the machine\n";

export async function makeGround(): Promise<Ground> {
  const home = mkdtempSync(join(tmpdir(), "forgeline-swaps-"));
  const [outside, specialFiles] = [join(home, "outside"), join(home, "special")];
  mkdirSync(join(outside, "directory"), { recursive: true });
  writeFileSync(join(outside, "directory/inner"), canary, { mode: 0o600 });
  writeFileSync(join(outside, "file"), canary, { mode: 0o640 });
  writeFileSync(join(outside, "journal"), "ready 4242 4242 sh\n", { mode: 0o600 });
  mkdirSync(specialFiles);
  execFileSync("mkfifo", [join(specialFiles, "pipe")]);
  // That of /dev/zero: harmless, and without an end to whoever reads it.
  if (process.getuid?.() === 0) execFileSync("mknod", [join(specialFiles, "device"), "c", "1", "5"]);
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(join(specialFiles, "socket"), resolve));
  return { home, outside, specialFiles, socket };
}

export function removeGround({ home, socket }: Ground): void {
  socket.close();
  rmSync(home, { recursive: true, force: true });
}

/** Names, owners, modes, times and bytes of all that is outside. */
export function snapshotOf({ outside }: Ground): unknown[] {
  return readdirSync(outside, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const found = lstatSync(join(outside, name));
      const text = found.isFile() ? readFileSync(join(outside, name), "utf8") : null;
      return { name, text, mode: found.mode, uid: found.uid, gid: found.gid, mtimeMs: found.mtimeMs };
    });
}

/** What is at a path is another thing afterwards; what was there keeps another name, as it may be open. */
export type Swap = (at: string) => void;

const isThere = (at: string): boolean => lstatSync(at, { throwIfNoEntry: false }) !== undefined;

function moveAway(at: string): void {
  if (!isThere(at)) return;
  let count = 0;
  while (isThere(`${at}.away-${count}`)) count += 1;
  renameSync(at, `${at}.away-${count}`);
}

function putting(put: (at: string) => void): Swap {
  return (at) => {
    if (!existsSync(dirname(at))) return;
    moveAway(at);
    put(at);
  };
}

/** `hardLinked`: what a job could give a second name. Of files outside its own mount the kernel makes none (`EXDEV`). */
export function swapsOn({ outside, specialFiles }: Ground, hardLinked: string): [string, Swap][] {
  const puts: [string, (at: string) => void][] = [
    ["a link to a file", (at) => symlinkSync(join(outside, "file"), at)],
    ["a link to a directory", (at) => symlinkSync(outside, at)],
    ["a link to a name that is free", (at) => symlinkSync(join(outside, "new"), at)],
    ["a link to itself", (at) => symlinkSync(at, at)],
    ["a hard link", (at) => linkSync(hardLinked, at)],
    ...readdirSync(specialFiles).map((name): [string, (at: string) => void] => [
      `a ${name}`,
      (at) => linkSync(join(specialFiles, name), at),
    ]),
    ["a full directory", (at) => mkdirSync(join(at, "full"), { recursive: true })],
    ["a sparse terabyte", (at) => [writeFileSync(at, ""), truncateSync(at, 2 ** 40)]],
    ["a closed file", (at) => [writeFileSync(at, "forged=1\n"), chmodSync(at, 0)]],
    ["another file", (at) => writeFileSync(at, "forged=1\n")],
    ["nothing", () => undefined],
  ];
  const cut: Swap = (at) => {
    const found = lstatSync(at, { throwIfNoEntry: false });
    // One with a second name may be that outside.
    if (found?.isFile() === true && found.nlink === 1) truncateSync(at, 0);
  };
  return [...puts.map(([what, put]): [string, Swap] => [what, putting(put)]), ["a cut file", cut]];
}

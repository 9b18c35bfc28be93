/** Whether a client wants all of its push or nothing. Git's hooks are not told, so it is read on the way to Git. */

export interface AtomicRequest {
  /** Each piece of the request, in order. */
  see(chunk: Buffer): void;
  isAtomic(): boolean;
}

/** What may come before the first command, such as the borders of a shallow clone; a push with more counts as not atomic. */
const mostBytes = 1024 * 1024;

export function createAtomicRequest(): AtomicRequest {
  let seen = Buffer.alloc(0);
  let answer: boolean | undefined;
  return {
    see(chunk) {
      if (answer !== undefined) return;
      seen = Buffer.concat([seen, chunk]);
      answer = look(seen) ?? (seen.length > mostBytes ? false : undefined);
      if (answer !== undefined) seen = Buffer.alloc(0);
    },
    isAtomic: () => answer ?? false,
  };
}

/** What a client can and wants stands behind a zero byte in its first packet that has one. Undefined: not there yet. */
function look(bytes: Buffer): boolean | undefined {
  let at = 0;
  while (at + 4 <= bytes.length) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 4), 16);
    if (!(length >= 4)) return false;
    if (at + length > bytes.length) return undefined;
    const [, wishes] = bytes.toString("latin1", at + 4, at + length).split("\0");
    if (wishes !== undefined) return wishes.trim().split(" ").includes("atomic");
    at += length;
  }
  return undefined;
}

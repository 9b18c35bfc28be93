/**
 * What a push says before its pack: which refs it would move, and what its client understands. Read so that the client can be
 * answered where Git itself does not come to a word.
 */

export interface PushCommands {
  /** Each piece of the request, in order. */
  see(chunk: Buffer): void;
  /** As they were sent. Without those of a list that is too long to be kept, or has not come whole. */
  refs(): string[];
  understands(capability: string): boolean;
}

const mostBytes = 1024 * 1024;

export function createPushCommands(): PushCommands {
  let unread = Buffer.alloc(0);
  let size = 0;
  let isOver = false;
  let capabilities: string[] | undefined;
  let refs: string[] = [];

  function read(line: string): void {
    const [command = "", wishes] = line.split("\0");
    capabilities ??= wishes?.trim().split(" ");
    const ref = /^[0-9a-f]{40,64} [0-9a-f]{40,64} (.+)$/.exec(command.trimEnd())?.[1];
    if (ref !== undefined) refs.push(ref);
  }

  /** Stops at the flush that ends the list, and at what is no packet. */
  function readAll(): void {
    let at = 0;
    while (!isOver && at + 4 <= unread.length) {
      const length = Number.parseInt(unread.toString("latin1", at, at + 4), 16);
      if (!(length > 4)) isOver = true;
      else if (at + length > unread.length) break;
      else read(unread.toString("utf8", at + 4, at + length));
      at += length;
    }
    unread = isOver ? Buffer.alloc(0) : unread.subarray(at);
  }

  return {
    see(chunk) {
      if (isOver) return;
      size += chunk.length;
      unread = Buffer.concat([unread, chunk]);
      readAll();
      if (isOver || size <= mostBytes) return;
      isOver = true;
      [unread, refs] = [Buffer.alloc(0), []];
    },
    refs: () => refs,
    understands: (capability) => capabilities?.includes(capability) ?? false,
  };
}

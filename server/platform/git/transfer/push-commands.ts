/**
 * Reads the commands of a push before its pack: its ref updates, and its client's capabilities. Needed to answer the client if
 * Git itself cannot, and because Git's hooks do not learn whether the push is atomic.
 */

export interface PushCommands {
  /** Each piece of the request, in order. */
  see(chunk: Buffer): void;
  /** As they were sent. Without those of a list that is too long to be kept, or has not come whole. */
  refs(): string[];
  understands(capability: string): boolean;
}

const maxBytes = 1024 * 1024;

export function createPushCommands(): PushCommands {
  let unread: Buffer[] = [];
  /** Of what is unread; and how much of it there must be to read on, so that small pieces are not joined again and again. */
  let [unreadBytes, wantedBytes] = [0, 4];
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
  function readAll(bytes: Buffer): void {
    let at = 0;
    wantedBytes = 4;
    while (!isOver && at + 4 <= bytes.length) {
      const length = Number.parseInt(bytes.toString("latin1", at, at + 4), 16);
      if (!(length > 4)) isOver = true;
      else if (at + length > bytes.length) wantedBytes = length;
      else read(bytes.toString("utf8", at + 4, at + length));
      if (wantedBytes > 4) break;
      at += length;
    }
    unread = isOver ? [] : [bytes.subarray(at)];
    unreadBytes = bytes.length - at;
  }

  return {
    see(chunk) {
      if (isOver) return;
      size += chunk.length;
      unreadBytes += chunk.length;
      unread.push(chunk);
      if (unreadBytes >= wantedBytes) readAll(Buffer.concat(unread));
      if (isOver || size <= maxBytes) return;
      isOver = true;
      [unread, refs] = [[], []];
    },
    refs: () => refs,
    understands: (capability) => capabilities?.includes(capability) ?? false,
  };
}

/** Reads a stream of bytes in the amounts that its form asks for. What is given is a view of what came, not a copy, where it can be. */
export interface ByteReader {
  /** Throws `RangeError` where the stream ends before. */
  take(count: number): Promise<Buffer>;
  /** As `take`, and they stay to be read. */
  peek(count: number): Promise<Buffer>;
  /** As `take`, in the pieces in which they came. */
  pieces(count: number): AsyncGenerator<Buffer>;
  /** As `take`, and nothing is given. */
  skip(count: number): Promise<void>;
  /** All that is left, in the pieces in which it comes. */
  remaining(): AsyncGenerator<Buffer>;
  /** All that is left. Throws `RangeError` where there is more. */
  rest(maxBytes: number): Promise<Buffer>;
}

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const incoming = source[Symbol.asyncIterator]();
  let current: Buffer = Buffer.alloc(0);
  /** What came after `current`, when that was put together. */
  let ahead: Buffer | null = null;

  /** Puts what comes next in the place of `current`; false at the end. */
  async function more(): Promise<boolean> {
    if (ahead === null) {
      const next = await incoming.next();
      if (next.done === true) return false;
      current = next.value;
    } else [current, ahead] = [ahead, null];
    return true;
  }

  async function peek(count: number): Promise<Buffer> {
    while (current.length < count) {
      const before = current;
      if (!(await more())) throw new RangeError("it ends early");
      if (before.length === 0) continue;
      // Only what is asked for is copied: what comes next can be large.
      const missing = count - before.length;
      if (current.length > missing) ahead = current.subarray(missing);
      current = Buffer.concat([before, current.subarray(0, missing)]);
    }
    return current.subarray(0, count);
  }

  return {
    peek,
    async take(count) {
      const bytes = await peek(count);
      current = current.subarray(count);
      return bytes;
    },
    async *pieces(count) {
      for (let left = count; left > 0;) {
        if (current.length === 0 && !(await more())) throw new RangeError("it ends early");
        const piece = current.subarray(0, left);
        current = current.subarray(piece.length);
        left -= piece.length;
        yield piece;
      }
    },
    async skip(count) {
      for (let left = count; left > 0;) {
        if (current.length === 0 && !(await more())) throw new RangeError("it ends early");
        const passed = Math.min(left, current.length);
        current = current.subarray(passed);
        left -= passed;
      }
    },
    async *remaining() {
      do {
        const piece = current;
        current = Buffer.alloc(0);
        yield piece;
      } while (await more());
    },
    async rest(maxBytes) {
      const pieces: Buffer[] = [];
      let size = 0;
      do {
        pieces.push(current);
        size += current.length;
        current = Buffer.alloc(0);
        if (size > maxBytes) throw new RangeError("its list of files is too long");
      } while (await more());
      return Buffer.concat(pieces);
    },
  };
}

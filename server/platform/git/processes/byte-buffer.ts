/** Bytes that come in pieces. Each piece is copied: a small one that is kept as it came costs hundreds of bytes of memory. */
export interface ByteBuffer {
  size(): number;
  add(piece: Buffer): void;
  /** All that has come, and starts over. */
  take(): Buffer;
}

export function createByteBuffer(): ByteBuffer {
  let bytes = Buffer.alloc(0);
  let size = 0;
  return {
    size: () => size,
    add(piece) {
      const needed = size + piece.length;
      if (needed > bytes.length) {
        // Twice as much, so that a byte is copied twice on average, however small the pieces are.
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * bytes.length));
        bytes.copy(larger, 0, 0, size);
        bytes = larger;
      }
      piece.copy(bytes, size);
      size = needed;
    },
    take() {
      const all = bytes.subarray(0, size);
      bytes = Buffer.alloc(0);
      size = 0;
      return all;
    },
  };
}

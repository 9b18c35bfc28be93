/**
 * In how many pieces a frame may come, and a message: each piece costs memory of its own until the whole is there. What
 * comes in more ends the connection with 1008.
 */
export const pieces = {
  /** 64 KiB in parts that even a poor network makes no smaller. */
  viewer: { maxFragments: 16, maxBufferedChunks: 1_024 },
  /** The same for 2 MiB. */
  runner: { maxFragments: 16, maxBufferedChunks: 8_192 },
};

import type { Readable } from "node:stream";

const max = 2_000;

/** Keeps the beginning of Git's error output. */
export function firstText(stream: Readable): () => string {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    if (text.length < max) text += chunk.toString("utf8");
  });
  return () => text.slice(0, max).trim();
}

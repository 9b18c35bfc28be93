/** Bytes from elsewhere on standard output: as they are when piped, line by line and made harmless on a terminal. */
import { pipeline } from "node:stream/promises";
import { createLineSplitter } from "./line-splitter.ts";
import { terminalSafe } from "./terminal-safe.ts";

export async function printStream(stream: NodeJS.ReadableStream): Promise<void> {
  if (!process.stdout.isTTY) return pipeline(stream, process.stdout, { end: false });
  const splitter = createLineSplitter((line) => process.stdout.write(`${terminalSafe(line)}\n`));
  for await (const chunk of stream) splitter.push(chunk as Buffer);
  splitter.end();
}

/** The log file of one child process, below `logs/`; rotated at start when large, so that it cannot grow forever. */
import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";

const rotateAtBytes = 20 * 1024 * 1024;

export interface ProcessLog {
  path: string;
  line(text: string): void;
  close(): void;
}

export async function openProcessLog(directory: string, name: string): Promise<ProcessLog> {
  const path = join(directory, `${name}.log`);
  const size = await stat(path).then(
    (s) => s.size,
    () => 0,
  );
  if (size > rotateAtBytes) await rename(path, `${path}.1`);
  const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
  return { path, line: (text) => void stream.write(`${text}\n`), close: () => stream.end() };
}

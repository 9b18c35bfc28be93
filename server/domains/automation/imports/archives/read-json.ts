/** JSON in files of an archive, within bounds. */
import { SourceProblem } from "../source-problem.ts";
import type { ArchiveEntry } from "./archive-entries.ts";

const maxFileBytes = 64 * 1024 * 1024;
const maxLineBytes = 32 * 1024 * 1024;

/** Throws `SourceProblem`. */
export async function readJsonFile({ path, bytes }: ArchiveEntry): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > maxFileBytes) throw tooLarge(path);
    pieces.push(piece);
  }
  return parsed(Buffer.concat(pieces, size), path);
}

/** One value for each line. Throws `SourceProblem`. */
export async function* readJsonLines({ path, bytes }: ArchiveEntry): AsyncGenerator<unknown> {
  let begun: Buffer[] = [];
  let size = 0;
  const line = () => {
    const whole = Buffer.concat(begun, size);
    [begun, size] = [[], 0];
    return whole;
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      begun.push(piece.subarray(from, end));
      size += end - from;
      from = end + 1;
      if (size > maxLineBytes) throw tooLarge(path);
      if (size > 0) yield parsed(line(), path);
    }
    if (from < piece.length) begun.push(piece.subarray(from));
    size += piece.length - from;
    if (size > maxLineBytes) throw tooLarge(path);
  }
  if (size > 0) yield parsed(line(), path);
}

const shown = (path: string) => path.slice(0, 200);

function parsed(bytes: Buffer, path: string): unknown {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    throw new SourceProblem(`${shown(path)} in the archive is no JSON.`);
  }
}

const tooLarge = (path: string) => new SourceProblem(`${shown(path)} in the archive is too large.`);

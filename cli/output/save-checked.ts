/** Downloads to a file or to standard output, checked against their SHA-256. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Writable, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** `file` may be `-`. A file that is not what it should be is removed; where `sha256` is null, any content will do. */
export async function saveChecked(
  content: Readable,
  { file, sha256, mode }: { file: string; sha256: string | null; mode: number },
): Promise<void> {
  const hash = createHash("sha256");
  content.on("data", (chunk: Buffer) => hash.update(chunk));
  await pipeline(content, file === "-" ? standardOutput() : createWriteStream(file, { mode }));
  if (sha256 === null || hash.digest("hex") === sha256) return;
  if (file !== "-") await rm(file, { force: true });
  throw new Error("the file arrived damaged: its SHA-256 is another one; try again");
}

/** Without its end: other things may be printed after it. */
function standardOutput(): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      process.stdout.write(chunk, () => done());
    },
  });
}

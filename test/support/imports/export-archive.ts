/** Writes a `.tar.gz` file as GitHub and GitLab export them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

export type ArchiveFiles = Record<string, string | Buffer>;

export async function archiveOf(files: ArchiveFiles): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, content);
  tar.finalize();
  return buffer(Readable.from(tar as AsyncIterable<Buffer>).pipe(createGzip()));
}

/** Every file of a directory, by its path below `at`. */
export async function filesBelow(directory: string, at: string): Promise<ArchiveFiles> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (path) => [`${at}${path.slice(directory.length)}`, await readFile(path)] as const),
    ),
  );
}

export const lines = (...records: object[]): string =>
  records.map((each) => `${JSON.stringify(each)}\n`).join("");

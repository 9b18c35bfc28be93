/** The list of a backup's files, `files.jsonl`: one line each, with what proves that it is whole. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";

const Path = z
  .string()
  .refine(
    (path) => path !== "" && path.split("/").every((part) => part !== "" && part !== "." && part !== ".."),
  );

const FileEntry = z.strictObject({
  path: Path,
  mode: z.number().int().min(0).max(0o777),
  size: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const DirectoryEntry = z.strictObject({
  path: Path,
  mode: z.number().int().min(0).max(0o777),
  directory: z.literal(true),
});
const Entry = z.union([FileEntry, DirectoryEntry]);

export type FileEntry = z.infer<typeof FileEntry>;
/** Directories stand before what is in them. */
export type Entry = z.infer<typeof Entry>;

export const listName = "files.jsonl";

export function entryLine(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Throws for a line that is none of ours; the list as a whole is proved by its hash in the manifest. */
export async function* readEntries(file: string): AsyncGenerator<Entry> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    yield Entry.parse(JSON.parse(line));
}

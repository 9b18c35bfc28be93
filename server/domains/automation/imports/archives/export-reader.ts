/** How an export of a host is read: which files it has, and what their records are as the API of that host would answer them. */
import type { ReadStep } from "../source-reader.ts";
import type { ArchiveEntry } from "./archive-entries.ts";

export interface ExportedRecord {
  list: ReadStep;
  /** Of the issue or merge request there, for lists of one; 0 otherwise. */
  number: number;
  record: unknown;
}

export interface ExportReader {
  /** The first look at a file: names that records of other files refer to. False for files that need none. */
  learns(path: string): boolean;
  learn(entry: ArchiveEntry): Promise<void>;
  /** What to say where the archive, looked at once, does not have the repository; undefined: it has. */
  problem(): string | undefined;
  /** The second look. */
  reads(path: string): boolean;
  read(entry: ArchiveEntry): AsyncGenerator<ExportedRecord>;
}

/** Names that one archive may have. */
export const maxNames = 200_000;

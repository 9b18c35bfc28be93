/** The reader of each host, and of its archives. */
import type { ImportSource } from "@forgeline/schemas/imports/resource.ts";
import { createArchiveReader } from "./archives/archive-client.ts";
import { createGithubReader } from "./github-reader.ts";
import { createGitlabReader } from "./gitlab-reader.ts";
import type { SourceReader } from "./source-reader.ts";

interface Read {
  source: ImportSource;
  source_path: string;
  from_archive: boolean;
}

export function readerOf({ source, source_path: path, from_archive: fromArchive }: Read): SourceReader {
  if (fromArchive) return createArchiveReader(source, path);
  return source === "github" ? createGithubReader(path) : createGitlabReader(path);
}

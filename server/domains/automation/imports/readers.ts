/** The reader of each host. */
import type { ImportSource } from "@forgeline/schemas/imports/resource.ts";
import { createGithubReader } from "./github-reader.ts";
import { createGitlabReader } from "./gitlab-reader.ts";
import type { SourceReader } from "./source-reader.ts";

export function readerOf({
  source,
  source_path: path,
}: {
  source: ImportSource;
  source_path: string;
}): SourceReader {
  return source === "github" ? createGithubReader(path) : createGitlabReader(path);
}

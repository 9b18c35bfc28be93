/** Where changed files come from. Comparisons, commits and merge requests show them alike. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type FileDiff = Schemas["FileDiff"];

export interface Whitespace {
  whitespace: "show" | "ignore";
}

export interface FilesPage {
  files: FileDiff[];
  /** Of all pages. */
  total: number;
  /** Whether there are more files than the pages have. */
  isCut: boolean;
}

export interface DiffSource {
  /** Tells the change from others; the same for as long as nothing in it can differ. */
  key: readonly string[];
  /** The commit at which files are as they are after the change. */
  after: string;
  fetchFiles: (query: Whitespace & { page: number; per_page: number }) => Promise<FilesPage>;
  /** One file with its whole patch, as far as the server makes one. */
  fetchFile: (query: Whitespace & { path: string }) => Promise<FileDiff>;
}

/** Where changed files come from, and what pages add to them. Comparisons, commits and merge requests show them alike. */
import type { ReactNode } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { PatchLine } from "./parse-patch.ts";

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

/** What a page adds. Keep the object the same between renderings: every line is drawn anew with another one. */
export interface DiffSlots {
  /** At the end of a file's head. */
  ofFile?: (file: FileDiff) => ReactNode;
  /** Below a line; nothing for most of them. */
  belowLine?: (file: FileDiff, line: PatchLine) => ReactNode;
}

/** What a CODEOWNERS file says, and what is wrong with it. */
import type { PathPattern } from "./path-pattern.ts";

/** Where it may be; the first that exists counts. */
export const codeOwnersPlaces = [".forgeline/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

export const codeOwnersLimits = {
  bytes: 3 * 1024 * 1024,
  lines: 20_000,
  /** Different ones. */
  owners: 2000,
  /** On one line. */
  ownersOfLine: 100,
  /** On all lines. */
  mentions: 100_000,
  /** Those that are told. */
  errors: 1000,
};

export interface CodeOwner {
  type: "user" | "team" | "email";
  /** As it is written, with its `@`. */
  text: string;
  /** To compare: `ada`, `acme/payments`, `ada@example.com`. */
  name: string;
}

/** Where an owner is named, from 1. */
export interface OwnerMention {
  owner: CodeOwner;
  line: number;
  column: number;
}

export interface CodeOwnersSection {
  /** null before the first heading. */
  name: string | null;
  /** Its owners are asked, but nothing waits for them. */
  optional: boolean;
  /** How many of its owners have to approve. */
  approvals: number;
}

export interface CodeOwnersRule {
  line: number;
  /** As it is written. */
  pattern: string;
  matches: PathPattern;
  /** Those of the section where the line names none. None: nobody owns what matches. */
  owners: readonly CodeOwner[];
}

export type CodeOwnersErrorKind =
  | "invalid_pattern"
  | "invalid_owner"
  | "invalid_section"
  | "file_too_large"
  | "too_many_lines"
  | "too_many_owners"
  | "unknown_owner";

export interface CodeOwnersError {
  /** From 1. */
  line: number;
  /** From 1, in characters of UTF-16. */
  column: number;
  kind: CodeOwnersErrorKind;
  message: string;
  suggestion?: string;
}

export interface CodeOwnersFile {
  /** In the order in which their names appear first. */
  sections: readonly { section: CodeOwnersSection; rules: readonly CodeOwnersRule[] }[];
  /** In the order of the file. */
  mentions: readonly OwnerMention[];
  /** The first `codeOwnersLimits.errors`, in the order of the file. */
  errors: readonly CodeOwnersError[];
  errorCount: number;
}

/** How the API of a host is read: which addresses, and what their records mean. Pure. */
import type { SourceItem } from "./source-item.ts";

/** In the order in which they are read: what comes later belongs to what came before. */
export const readSteps = [
  "labels",
  "milestones",
  "issues",
  "merge_requests",
  "comments",
  "reviews",
  "line_comments",
] as const;
export type ReadStep = (typeof readSteps)[number];
/** `unpack` is of archives alone. */
export type ImportStepName = "unpack" | "numbers" | "git" | ReadStep;
export const importSteps: readonly ImportStepName[] = ["unpack", "numbers", "git", ...readSteps];

export interface ReadPlace {
  page: number;
  /** Where the list goes on, as `after` or `beyond` said; null: it is counted in pages. */
  cursor: string | null;
  /** Of the issue or merge request here, for steps that go through each. */
  number: number;
  /** What is added to the numbers of merge requests. */
  offset: number;
}

/** A record that could not be read, or is left out for this reason. */
export interface Unreadable {
  kind: "unreadable";
  source: string;
  reason?: string;
}

export interface SourceReader {
  /** Whether a step reads one list, or goes through all issues or merge requests; null: the host has no such thing. */
  scope: Readonly<Record<ReadStep, "whole" | "issue" | "merge_request" | null>>;
  /** Lists, newest first. */
  newest: Readonly<Record<"issues" | "merge_requests", string>>;
  /** Those with the next `perPage` numbers above this one; absent: the newest have the highest. */
  above?(kind: "issues" | "merge_requests", number: number): string;
  /** Issues and merge requests are numbered together, as here. */
  sharesNumbers: boolean;
  /** The number of such a record; undefined where it has none. */
  numberOf(record: unknown): number | undefined;
  /** Relative to the address of the API. */
  path(step: ReadStep, at: ReadPlace): string;
  /** The cursor for what an answer of the host says of its next page; absent: the host counts pages. */
  after?(given: string): string;
  /** The cursor for what comes after `last`, a page that `before` had led to, where pages are not counted that far. Undefined: there is none other. */
  beyond?(step: ReadStep, last: unknown, before: string | null): string | undefined;
  /** The number of the record that a cursor names; undefined where it stands for a list. */
  single?(cursor: string): number | undefined;
  /** What one answer holds; undefined for one of another form than a list of at most `perPage` records. */
  read(step: ReadStep, answer: unknown, at: ReadPlace): (SourceItem | Unreadable)[] | undefined;
  /** The number of a merge request by the name of the ref that keeps its head; undefined for other refs. */
  headRef(ref: string): number | undefined;
}

export const perPage = 100;

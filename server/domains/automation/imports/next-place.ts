/** Where an import goes on: the step, the page in it, and the issue or merge request whose records are read. */
import type { ImportKind } from "@forgeline/schemas/imports/resource.ts";
import type { ImportWriter } from "../../collaboration/domain.ts";
import type { BegunImport, Cursor } from "./imports.store.ts";
import { readerOf } from "./readers.ts";
import {
  importSteps,
  type ImportStepName,
  type ReadPlace,
  type ReadStep,
  type SourceReader,
} from "./source-reader.ts";

export type NextPlace = Cursor | "done";

const needs: Record<ImportStepName, (include: ReadonlySet<ImportKind>) => boolean> = {
  unpack: () => true,
  numbers: () => true,
  git: () => true,
  labels: (include) => include.has("labels"),
  milestones: (include) => include.has("milestones"),
  issues: (include) => include.has("issues"),
  merge_requests: (include) => include.has("merge_requests"),
  comments: (include) => include.has("comments") && (include.has("issues") || include.has("merge_requests")),
  reviews: (include) => include.has("reviews") && include.has("merge_requests"),
  line_comments: (include) => include.has("comments") && include.has("merge_requests"),
};

/** The beginning of the next step that is wanted. */
export function placeAfter(
  row: Pick<BegunImport, "include" | "source" | "source_path" | "from_archive">,
  step: ImportStepName,
): NextPlace {
  const include = new Set(row.include);
  const { scope } = readerOf(row);
  const isThere = (name: ImportStepName) =>
    name === "unpack" || name === "numbers" || name === "git" || scope[name] !== null;
  const next = importSteps
    .slice(importSteps.indexOf(step) + 1)
    .find((name) => needs[name](include) && isThere(name));
  return next === undefined ? "done" : { step: next, page: 1, cursor: null, itemNumber: 0 };
}

interface At {
  row: BegunImport;
  repositoryId: string;
  reader: SourceReader;
  step: ReadStep;
}

/** What is to be read now; undefined where the step is over. */
export async function placeNow(
  writer: Pick<ImportWriter, "nextItem">,
  { row, repositoryId, reader, step }: At,
): Promise<Pick<ReadPlace, "page" | "cursor" | "number"> | undefined> {
  const kind = reader.scope[step];
  if (kind === null) return undefined;
  if (kind === "whole") return { page: row.page, cursor: row.cursor, number: 0 };
  const number = await writer.nextItem(repositoryId, { kind, after: row.item_number });
  return number === undefined ? undefined : { page: row.page, cursor: row.cursor, number };
}

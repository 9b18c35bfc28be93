/** What an answer of the host holds, and where its list goes on. */
import type { BegunImport } from "./imports.store.ts";
import { refused, unknownForm } from "./highest-number.ts";
import { placeAfter, type NextPlace } from "./next-place.ts";
import type { SourceAnswer, SourceClient } from "./source-client.ts";
import type { SourceItem } from "./source-item.ts";
import { SourceUnavailable } from "./source-problem.ts";
import {
  perPage,
  type ReadPlace,
  type ReadStep,
  type SourceReader,
  type Unreadable,
} from "./source-reader.ts";

export interface Asked {
  row: BegunImport;
  reader: SourceReader;
  step: ReadStep;
  at: ReadPlace;
}

export interface Records {
  items: (SourceItem | Unreadable)[];
  to: NextPlace;
}

type Answer = Exclude<SourceAnswer, { kind: "wait" | "refused" }>;

/** Throws `SourceProblem`, and `SourceUnavailable` for what a later try may find. */
export function recordsOf(answer: Answer, asked: Asked): Records | Extract<SourceAnswer, { kind: "wait" }> {
  const { row, reader, step, at } = asked;
  const single = singleOf(asked);
  if (single !== undefined) return recordOf(answer, asked, single);
  if (answer.kind === "absent")
    return at.page > 1 ? notThere(row.host, answer.status) : noList(answer, asked);
  const items = reader.read(step, answer.json, at) ?? unknownForm(row.host);
  const length = Array.isArray(answer.json) ? answer.json.length : 0;
  const hasNext = length > 0 && (answer.hasNext ?? length >= perPage);
  return { items, to: hasNext ? nextPage(answer, asked) : afterThis(asked) };
}

function nextPage(
  { json, after }: Extract<Answer, { kind: "page" }>,
  { row, reader, step, at }: Asked,
): NextPlace {
  const itemNumber = row.item_number;
  const given = after === null ? undefined : reader.after?.(after);
  if (given === at.cursor) return unknownForm(row.host);
  if (given !== undefined) return { step, page: at.page + 1, cursor: given, itemNumber };
  // What changes meanwhile moves to the end, and what comes after it moves up: so each page begins with the last of the one before.
  const cursor = at.cursor === null ? undefined : reader.beyond?.(step, json, at.cursor);
  if (cursor !== undefined) return { step, page: 1, cursor, itemNumber };
  return { step, page: at.page + 1, cursor: at.cursor, itemNumber };
}

/** A page before this one: after it, the host lists no more. */
export function lastPage(
  { row, reader, step, at }: Asked,
  { client, signal }: { client: SourceClient; signal: AbortSignal },
): Promise<SourceAnswer> {
  if (at.page === 1) return refused(row.host);
  return client.get(reader.path(step, { ...at, page: at.page - 1 }), signal);
}

/** Throws `SourceProblem` where there is no way on. */
export function placeBeyond({ row, reader, step, at }: Asked, last: SourceAnswer): NextPlace {
  const json = last.kind === "page" ? last.json : undefined;
  const cursor = reader.beyond?.(step, json, at.cursor);
  if (cursor === undefined) return refused(row.host);
  return { step, page: 1, cursor, itemNumber: row.item_number };
}

const singleOf = ({ reader, at }: Asked) => (at.cursor === null ? undefined : reader.single?.(at.cursor));

/** One by one, until the last number that was there when the import began. */
function recordOf(answer: Answer, asked: Asked, number: number): Records {
  const { row, reader, step, at } = asked;
  const items = answer.kind === "absent" ? [] : (reader.read(step, [answer.json], at) ?? []);
  const next = { step, page: 1, cursor: `number=${number + 1}`, itemNumber: row.item_number };
  return { items, to: number < row.last_number ? next : afterThis(asked) };
}

function afterThis({ row, reader, step, at }: Asked): NextPlace {
  if (reader.scope[step] === "whole") return placeAfter(row, step);
  return { step, page: 1, cursor: null, itemNumber: at.number };
}

function noList({ status }: Extract<SourceAnswer, { kind: "absent" }>, asked: Asked): Records {
  const what = asked.reader.scope[asked.step] === "whole" ? "all" : `all of ${asked.at.number}`;
  return { items: [{ kind: "unreadable", source: `${what} (status ${status})` }], to: afterThis(asked) };
}

/** Of a list that was there a page before: it is still there, but not now. */
function notThere(host: string, status: number): Extract<SourceAnswer, { kind: "wait" }> {
  // GitHub's answer to too many requests at once, where it does not say how long to wait.
  if (status === 403) return { kind: "wait", ms: 60_000 };
  throw new SourceUnavailable(`${host} answered with status ${status} in the middle of a list.`);
}

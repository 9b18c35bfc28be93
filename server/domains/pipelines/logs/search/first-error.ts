/** Finds the line that tells why a run failed. */
import type { FirstLogError } from "@forgeline/schemas/logs/search.ts";
import type { RepositoryRef } from "../../../policy/domain.ts";
import { selectLogs, type LogSelection } from "../selection.ts";
import type { LogView } from "../view.ts";
import { plainText } from "./plain-text.ts";
import { presentMatch, type MatchPlace } from "./present.ts";
import type { RunSearchDeps } from "./search-runs.ts";
import { findFailedStreams, type SearchedRun } from "./search.store.ts";
import { searchStreams, type SearchBudget } from "./search-streams.ts";

export interface FirstErrorSearch {
  repository: RepositoryRef;
  run: SearchedRun;
  /** Key, label, name or id of the only job that is looked at. */
  job: string | undefined;
}

const none: FirstLogError = { line: null, found_by: null };
/** Among so many of the last lines one that is not blank is looked for. */
const lastLines = 100;
const shownLength = 500;

/** Throws as `searchStreams`. */
export async function findFirstError(
  deps: RunSearchDeps & { view: LogView },
  { repository, run, job }: FirstErrorSearch,
  budget: SearchBudget,
): Promise<FirstLogError> {
  const selection = await selectLogs(deps.db, run, { job });
  const failed = await findFailedStreams(deps.db, run.id);
  const id = failed.find((one) => selection.streams.some((stream) => stream.id === one));
  const stream = selection.streams.find((one) => one.id === id);
  if (!stream) return none;
  const place = { repository, run, stream, webUrl: deps.webUrl };
  const search = { streams: [stream], from: { index: 0, offset: 0 }, wanted: { kind: "error" } as const };
  const { hits } = await searchStreams(deps, search, budget);
  const [first] = hits;
  if (first) return { line: presentMatch(place, first.hit), found_by: "error" };
  return lastLine(deps.view, { ...selection, streams: [stream] }, place);
}

async function lastLine(view: LogView, selection: LogSelection, place: MatchPlace): Promise<FirstLogError> {
  const last = await view.tail(selection, lastLines);
  const told =
    last.findLast(({ line }) => plainText(line.bytes.toString("utf8")).trim() !== "") ?? last.at(-1);
  if (!told) return none;
  const { number, start, bytes } = told.line;
  const text = plainText(bytes.toString("utf8")).trimEnd();
  const isCut = text.length > shownLength;
  const found = { line: number, text: text.slice(0, shownLength), isCut, ranges: [], offset: start };
  return { line: presentMatch(place, found), found_by: "last_line" };
}

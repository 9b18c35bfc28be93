/** Searches the logs of one run, or of the last runs of a repository, a page at a time. */
import type { LogMatch, LogSearchPage } from "@forgeline/schemas/logs/search.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { RepositoryRef } from "../../../policy/domain.ts";
import type { StreamFilter } from "../run-state.ts";
import { selectLogs } from "../selection.ts";
import type { PieceSource } from "./pieces.ts";
import { presentMatch } from "./present.ts";
import { findLastRuns, findRunOfStream, type SearchedRun } from "./search.store.ts";
import { searchStreams, type ScanPool, type SearchBudget } from "./search-streams.ts";

export interface RunSearchDeps extends PieceSource {
  threads: ScanPool;
  webUrl: string;
}

export interface RunSearch {
  repository: RepositoryRef;
  words: string;
  filter: StreamFilter;
  /** In the order in which they are searched. */
  runs: readonly SearchedRun[];
  cursor: SearchCursor | null;
}

/** Where to go on: in which stream, and down to which run. */
export interface SearchCursor {
  lowestRun: number;
  streamId: string;
  offset: number;
}

/** `cursor` fits the contract. */
export function parseCursor(cursor: string | undefined): SearchCursor | null {
  if (cursor === undefined) return null;
  const [lowestRun, streamId = "", offset] = cursor.split(":");
  return { lowestRun: Number(lowestRun), streamId, offset: Number(offset) };
}

export function staleCursor(): AppError {
  return new AppError("bad_request", {
    message: "The cursor belongs to a log that is not, or no longer, searched. Start without a cursor.",
  });
}

export interface LastRuns {
  runs: number;
  ref?: string | undefined;
  pipeline?: string | undefined;
}

/** The runs that a search of a repository is about; with a cursor those that are left. Throws `bad_request` for an old cursor. */
export async function chooseRuns(
  db: PieceSource["db"],
  repositoryId: string,
  { runs, ref, pipeline, cursor }: LastRuns & { cursor: SearchCursor | null },
): Promise<SearchedRun[]> {
  const to = cursor && ((await findRunOfStream(db, repositoryId, cursor.streamId)) ?? 0);
  if (to === 0) throw staleCursor();
  return findLastRuns(db, repositoryId, {
    from: cursor?.lowestRun ?? null,
    to,
    ref: ref ?? null,
    pipeline: pipeline ?? null,
    limit: runs,
  });
}

/** Throws `bad_request` for a cursor of another search, and as `searchStreams`. */
export async function searchRuns(
  deps: RunSearchDeps,
  search: RunSearch,
  budget: SearchBudget,
): Promise<LogSearchPage> {
  const { repository, runs, cursor, words } = search;
  const bytes = budget.bytes;
  const matches: LogMatch[] = [];
  const wanted = { kind: "words", words } as const;
  const lowestRun = cursor?.lowestRun ?? runs.at(-1)?.number ?? 0;
  for (const [n, run] of runs.entries()) {
    const { streams } = await selectLogs(deps.db, run, search.filter);
    const from = n === 0 && cursor ? placeIn(streams, cursor) : { index: 0, offset: 0 };
    const { hits, stopped } = await searchStreams(deps, { streams, from, wanted }, budget);
    for (const { index, hit } of hits) {
      const stream = streams[index];
      if (stream) matches.push(presentMatch({ repository, run, stream, webUrl: deps.webUrl }, hit));
    }
    const stream = stopped && streams[stopped.at.index];
    if (!stopped || !stream) continue;
    const rest = streams.slice(stopped.at.index + 1);
    const isOver = stopped.at.offset >= stream.next_offset && rest.every((one) => one.next_offset === 0);
    if (isOver && n === runs.length - 1) break;
    return {
      matches,
      stopped_by: stopped.why,
      next_cursor: `${lowestRun}:${stream.id}:${stopped.at.offset}`,
      searched_bytes: bytes - budget.bytes,
    };
  }
  return { matches, stopped_by: null, next_cursor: null, searched_bytes: bytes - budget.bytes };
}

function placeIn(streams: readonly { id: string }[], { streamId, offset }: SearchCursor) {
  const index = streams.findIndex(({ id }) => id === streamId);
  if (index < 0) throw staleCursor();
  return { index, offset };
}

/** Searches of logs for REST: within limits, a few at a time, off the event loop. */
import type {
  FirstLogError,
  LogSearchPage,
  LogSearchQuery,
  RepositoryLogSearchQuery,
} from "@forgeline/schemas/logs/search.ts";
import { AppError } from "../../../../platform/app-error.ts";
import { subjectOf } from "../../../../platform/access/subject.ts";
import type { Actor } from "../../../../platform/access/actor.ts";
import { createCounter, createGauge } from "../../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../../platform/metrics.ts";
import { createThreadPool } from "../../../../platform/thread-pool.ts";
import type { RepositoryRef } from "../../../policy/domain.ts";
import type { LogService } from "../service.ts";
import { findFirstError } from "./first-error.ts";
import type { PieceSource } from "./pieces.ts";
import type { ScanResult, ScanTask } from "./scan-frames.ts";
import { createSearchQueue } from "./search-queue.ts";
import { chooseRuns, parseCursor, searchRuns } from "./search-runs.ts";
import { findSearchedRun, type SearchedRun } from "./search.store.ts";
import type { SearchBudget } from "./search-streams.ts";

/** Who searches where; `signal` aborts when the client is gone. */
export interface Searcher {
  actor: Actor;
  repository: RepositoryRef;
  signal: AbortSignal;
}

export interface LogSearch {
  /** Throws `not_found`, `bad_request` for an old cursor, and `rate_limit_exceeded` when too many search; so does the next. */
  inRun(searcher: Searcher, pipeline: string, query: LogSearchQuery): Promise<LogSearchPage>;
  inRepository(searcher: Searcher, query: RepositoryLogSearchQuery): Promise<LogSearchPage>;
  /** Throws `not_found`, and as above. */
  firstError(searcher: Searcher, pipeline: string, job: string | undefined): Promise<FirstLogError>;
  close(): Promise<void>;
}

export interface LogSearchDeps extends Pick<PieceSource, "db" | "objects"> {
  logs: Pick<LogService, "reader" | "view">;
  addresses: { webUrl: string };
  metrics: Metrics;
}

const maxBytes = 256 * 1024 * 1024;
const maxMs = 3_000;
/** Of a batch of 2 MiB, which takes some ten milliseconds. */
const batchTimeoutMs = 10_000;
const nothing: ScanTask = {
  payloads: new Uint8Array(),
  frames: [],
  carry: null,
  isEnd: false,
  wanted: { kind: "error" },
  limit: 0,
};
const queueLimits = { atOnce: 4, maxWaiting: 32, waitMs: 10_000 };

export function createLogSearch({ db, objects, logs, addresses, metrics }: LogSearchDeps): LogSearch {
  const script = new URL("./scan-thread.ts", import.meta.url);
  const threads = createThreadPool<ScanTask, ScanResult>({ script, threads: 1, timeoutMs: batchTimeoutMs });
  const deps = { db, objects, ...logs, threads, webUrl: addresses.webUrl };
  const refused = createCounter(metrics, "forgeline_log_searches_refused_total");
  const searched = createCounter(metrics, "forgeline_log_search_bytes_total");
  const queue = createSearchQueue(queueLimits, () => refused.inc());
  createGauge(metrics, "forgeline_log_searches", (gauge) => {
    const { running, waiting } = queue.counts();
    gauge.set({ state: "running" }, running);
    gauge.set({ state: "waiting" }, waiting);
  });

  async function findRun({ repository }: Searcher, pipeline: string): Promise<SearchedRun> {
    const run = await findSearchedRun(db, repository.id, pipeline);
    if (!run) throw new AppError("not_found");
    return run;
  }

  let started: Promise<unknown> | undefined;
  /** The thread, which loads its modules first. */
  const start = () => (started ??= threads.run(nothing).catch(() => undefined));

  /** The time begins with the turn, when the thread is there. */
  function inTurn<T>(
    searcher: Searcher,
    matches: number,
    work: (budget: SearchBudget) => Promise<T>,
  ): Promise<T> {
    const { actor, signal } = searcher;
    return queue.run(subjectOf(actor), signal, async () => {
      await start();
      const budget = { matches, bytes: maxBytes, untilMs: performance.now() + maxMs, signal };
      try {
        return await work(budget);
      } finally {
        searched.inc(maxBytes - budget.bytes);
      }
    });
  }

  return {
    async inRun(searcher, pipeline, query) {
      const { q: words, limit, cursor, ...filter } = query;
      const run = await findRun(searcher, pipeline);
      const search = {
        repository: searcher.repository,
        words,
        filter,
        runs: [run],
        cursor: parseCursor(cursor),
      };
      return inTurn(searcher, limit, (budget) => searchRuns(deps, search, budget));
    },
    inRepository(searcher, { q: words, limit, cursor: given, job, step, ...last }) {
      const { repository } = searcher;
      const cursor = parseCursor(given);
      return inTurn(searcher, limit, async (budget) => {
        const runs = await chooseRuns(db, repository.id, { ...last, cursor });
        return searchRuns(deps, { repository, words, filter: { job, step }, runs, cursor }, budget);
      });
    },
    async firstError(searcher, pipeline, job) {
      const run = await findRun(searcher, pipeline);
      const { repository } = searcher;
      return inTurn(searcher, 1, (budget) => findFirstError(deps, { repository, run, job }, budget));
    },
    close: () => threads.close(),
  };
}

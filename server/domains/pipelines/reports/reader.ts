/**
 * Reads reports in the background: at once where this server has accepted them, and from time to time what others have left, by
 * dying or because the object store was away. Several servers may do it at once; each report is kept by one of them.
 */
import type { Logger } from "../../../platform/logger.ts";
import type { Database } from "../../../platform/db/database.ts";
import { createThreadPool } from "../../../platform/thread-pool.ts";
import { discardUpload } from "../artifacts/publish.ts";
import type { ArtifactContent } from "../artifacts/content.ts";
import { loadReports } from "./load-reports.ts";
import type { ReportMetrics } from "./metrics.ts";
import { nothingFound, type FoundReports } from "./parse/found.ts";
import type { GivenReport } from "./parse/read-reports.ts";
import { addCoverage } from "./coverage.store.ts";
import { keepTests } from "./keep-tests.ts";
import { addProblem, keepFound, postpone, takeWaiting, type WaitingReports } from "./reports.store.ts";

export interface ReportReader {
  /** Some reports have come. */
  wake(): void;
  /** Looks at intervals too, until closed. */
  start(): void;
  /** Resolves when nothing is being read. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface ReportReaderDeps {
  db: Database;
  content: Pick<ArtifactContent, "read" | "readIndex">;
  logger: Logger;
  metrics: ReportMetrics;
}

const sweepMs = 10_000;
const atOnce = 2;
const timeoutMs = 30_000;
const maxTries = 10;
const maxDelaySeconds = 600;

export function createReportReader({ db, content, logger, metrics }: ReportReaderDeps): ReportReader {
  const script = new URL("./report-thread.ts", import.meta.url);
  const pool = createThreadPool<GivenReport[], FoundReports>({
    script,
    threads: atOnce,
    timeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  });
  const working = new Set<Promise<void>>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  /** Rejects where it is worth another try. */
  async function read(waiting: WaitingReports): Promise<FoundReports> {
    const { artifact_id: id, size_bytes: size, parts, repository_id: repositoryId } = waiting;
    if (id === null || size === null || parts === null) return failure("the upload is gone");
    const upload = { id, repository_id: repositoryId, size_bytes: size, parts };
    const given = await loadReports(content, upload).catch((error: unknown) => {
      if (error instanceof RangeError) return error;
      throw error;
    });
    if (given instanceof RangeError) return failure(given.message);
    return parse(given);
  }

  async function parse(given: GivenReport[]): Promise<FoundReports> {
    const memory = given.map(({ bytes }) => bytes.buffer as ArrayBuffer);
    try {
      return (await pool.run(given, memory)) ?? failure("reading them took too long");
    } catch {
      return failure("reading them took too much memory");
    }
  }

  async function readOne(waiting: WaitingReports): Promise<void> {
    const begun = performance.now();
    const name = { attemptId: waiting.attempt_id, pipelineId: waiting.pipeline_id };
    const found = await read(waiting).catch(async (error: Error) => {
      const again = waiting.tries < maxTries;
      logger.warn({ attempt_id: name.attemptId, error: error.message, again }, "could not read reports");
      if (!again) return failure("the server could not get them from its object store");
      await postpone(db, name.attemptId, Math.min(5 * 2 ** waiting.tries, maxDelaySeconds));
      return null;
    });
    if (!found) return;
    const isKept = await db.transaction(async (tx) => {
      if (!(await keepFound(tx, name, found))) return false;
      await addCoverage(tx, name.attemptId, found.coverage);
      const surplus = await keepTests(tx, { ...name, repositoryId: waiting.repository_id }, found.tests);
      if (surplus !== null)
        await addProblem(tx, name.attemptId, { kind: "junit", path: null, step: null, message: surplus });
      if (waiting.artifact_id !== null) await discardUpload(tx, waiting.artifact_id);
      return true;
    });
    if (isKept) metrics.count(found, (performance.now() - begun) / 1000);
  }

  async function work(): Promise<void> {
    try {
      while (!closed) {
        const waiting = await takeWaiting(db);
        if (!waiting) return;
        await readOne(waiting);
      }
    } catch (error) {
      logger.warn({ error: (error as Error).message }, "could not read reports; trying again later");
    }
  }

  function wake(): void {
    if (closed || working.size >= atOnce) return;
    const done: Promise<void> = work().finally(() => working.delete(done));
    working.add(done);
  }

  const idle = async () => {
    while (working.size > 0) await Promise.all(working);
  };

  return {
    wake,
    start() {
      timer ??= setInterval(wake, sweepMs).unref();
      wake();
    },
    idle,
    async close() {
      closed = true;
      clearInterval(timer);
      await idle();
      await pool.close();
    },
  };
}

/** In place of what the reports say. */
function failure(message: string): FoundReports {
  const problem = { kind: "reports", path: null, step: null, message } as const;
  return { ...nothingFound(), problems: [problem] };
}

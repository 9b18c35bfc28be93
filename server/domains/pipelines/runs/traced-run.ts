/** A run as its trace needs it. */
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { presentRun } from "./present.ts";
import { readRun } from "./runs.store.ts";
import { findStarter, listReopenings, listStarted, type Starter } from "./traced-run.store.ts";

export interface TracedRun {
  run: Omit<Pipeline, "approvals" | "fork_approval" | "parent" | "children">;
  /** The first one begins its second sequence, and so on. */
  reopenings: Date[];
  /** The attempt of a job of another run; undefined: none has started it. */
  startedBy: Starter | undefined;
  /** Runs that attempts of its jobs have started. */
  started: { pipelineId: string; attemptId: string }[];
}

export interface TracedRuns {
  /** Undefined where it is gone. */
  read(pipelineId: string): Promise<TracedRun | undefined>;
}

const nothingWaits = { attempts: new Map(), slots: new Map() };

export function createTracedRuns(deps: {
  db: Database;
  addresses: { baseUrl: string; webUrl: string };
}): TracedRuns {
  const { db, addresses } = deps;
  return {
    async read(pipelineId) {
      const [row, reopenings, startedBy, started] = await Promise.all([
        readRun(db, pipelineId),
        listReopenings(db, pipelineId),
        findStarter(db, pipelineId),
        listStarted(db, pipelineId),
      ]);
      if (!row) return undefined;
      const { baseUrl, webUrl } = addresses;
      const run = presentRun(row, nothingWaits, { baseUrl, webUrl, nowMs: Date.now() });
      return { run, reopenings, startedBy, started };
    },
  };
}

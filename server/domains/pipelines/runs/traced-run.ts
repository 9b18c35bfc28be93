/** A run as its trace needs it. */
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { presentRun } from "./present.ts";
import { readRun } from "./runs.store.ts";
import { listReopenings } from "./traced-run.store.ts";

export interface TracedRun {
  run: Omit<Pipeline, "approvals" | "parent" | "children">;
  /** The first one begins its second sequence, and so on. */
  reopenings: Date[];
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
      const [row, reopenings] = await Promise.all([readRun(db, pipelineId), listReopenings(db, pipelineId)]);
      const { baseUrl, webUrl } = addresses;
      return (
        row && { run: presentRun(row, nothingWaits, { baseUrl, webUrl, nowMs: Date.now() }), reopenings }
      );
    },
  };
}

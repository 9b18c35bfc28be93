/** What the server was told of the filter of jobs' networks on this connection, so that heartbeats say only what is new. */
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { Logger } from "pino";
import type { Engine } from "./engine/engine.ts";

export interface ReportedEgress {
  /** For `hello`. */
  all(): Promise<EgressReport>;
  /** For a heartbeat; undefined when the server knows it. */
  news(): Promise<EgressReport | undefined>;
}

export function createReportedEgress(engine: Pick<Engine, "filterEgress">): ReportedEgress {
  let told: string | null = null;
  const all = async (): Promise<EgressReport> => {
    const report = await engine.filterEgress();
    told = JSON.stringify(report);
    return report;
  };
  return {
    all,
    async news() {
      const before = told;
      const report = await all();
      return told === before ? undefined : report;
    },
  };
}

/** Before any job. Warns where jobs can reach everything although that is not wanted. */
export async function startFilter({
  engine,
  logger,
}: {
  engine: Pick<Engine, "filterEgress">;
  logger: Logger;
}): Promise<void> {
  const egress = await engine.filterEgress();
  if (egress.state === "unfiltered")
    logger.warn(`Jobs can reach every network of this machine: ${egress.reason ?? ""}`);
}

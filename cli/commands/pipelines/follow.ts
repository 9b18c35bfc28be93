/** Watching a run to its end; shared by `watch`, `run --watch`, `rerun --watch` and `logs -f`. */
import { watchLogs } from "@forgeline/client/watch-logs.ts";
import {
  WatchRefusedError,
  type WatchedStatus,
  type WatchHandlers,
  type WatchResult,
} from "@forgeline/client/watch-session.ts";
import { ApiError, valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import type { CliContext } from "../../context.ts";
import { jobLabel } from "../../output/job-label.ts";
import { renderRunEnd, renderRunHeading } from "../../output/run-summary.ts";
import { createAwaitedApprovals } from "./awaited-approvals.ts";
import { busyText, createWatchView } from "../../output/watch-view.ts";

export interface FollowOptions {
  pipeline: string;
  logs: boolean;
}

/**
 * Shows the run live and resolves with the exit status that its result gives. With `--json` each status change is a
 * line of JSON instead, and the run as it ended is the last one.
 */
export async function followRun(context: CliContext, options: FollowOptions): Promise<number> {
  const { owner, repo } = await context.repository();
  const read = () =>
    valueOf(
      context.api.GET("/repos/{owner}/{repo}/pipelines/{id}", {
        params: { path: { owner, repo, id: options.pipeline } },
      }),
      runNotFoundText({ owner, repo }, options.pipeline),
    );
  if (context.flags.json) {
    const line = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
    const { status } = await watchRun(context, { pipeline: options.pipeline }, { onStatus: line });
    line(await read());
    return exitStatusOf(status);
  }
  const run = await read();
  process.stdout.write(`${renderRunHeading(`${owner}/${repo}`, run)}\n`);
  const jobs = run.stages.flatMap((stage) => stage.jobs).map(jobLabel);
  const view = createWatchView({ logs: options.logs, jobs, out: process.stdout });
  const awaited = createAwaitedApprovals({ repository: `${owner}/${repo}`, read, note: view.note });
  const handlers = {
    ...view,
    onStatus(status: WatchedStatus) {
      view.onStatus?.(status);
      awaited.onStatus(status);
    },
  };
  try {
    const { status } = await watchRun(context, { pipeline: options.pipeline }, handlers);
    await awaited.settled();
    view.close();
    process.stdout.write(`${renderRunEnd(`${owner}/${repo}`, await read())}\n`);
    return exitStatusOf(status);
  } finally {
    view.close();
  }
}

export interface WatchFilter {
  job?: string;
  step?: string;
  attempt?: number;
}

export async function watchRun(
  context: CliContext,
  { pipeline, filter = {} }: { pipeline: string; filter?: WatchFilter },
  handlers: WatchHandlers,
): Promise<WatchResult> {
  const { connection } = context;
  const repository = await context.repository();
  return watchLogs(
    {
      baseUrl: `${connection.url}/api/v1`,
      ...repository,
      pipeline,
      ...filter,
      ...(connection.token === undefined ? {} : { token: connection.token }),
      ...(connection.ca === undefined ? {} : { ca: connection.ca }),
    },
    { onBusy: (delayMs, why) => process.stderr.write(`${busyText(delayMs, why)}\n`), ...handlers },
  ).catch((error: unknown) => {
    if (!(error instanceof WatchRefusedError) || error.status !== 404) throw error;
    throw new ApiError(404, { message: runNotFoundText(repository, pipeline) });
  });
}

/** 0 for what passed, 3 for what somebody cancelled, 1 for the rest. */
export function exitStatusOf(status: string): number {
  if (status === "success" || status === "skipped") return 0;
  return status === "cancelled" ? 3 : 1;
}

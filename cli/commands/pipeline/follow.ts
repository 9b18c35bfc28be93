/** Watching a run to its end; shared by `watch`, `run --watch`, `rerun --watch` and `logs -f`. */
import { watchLogs, type WatchHandlers, type WatchResult } from "@forgeline/client/watch-logs.ts";
import type { CliContext } from "../../context.ts";
import { createWatchView } from "../../output/watch-view.ts";

export interface FollowOptions {
  pipeline: string;
  logs: boolean;
}

/** Shows the run live and resolves with the exit status that its result gives. */
export async function followRun(context: CliContext, options: FollowOptions): Promise<number> {
  const view = createWatchView({ logs: options.logs, out: process.stdout });
  try {
    const result = await watchRun(context, options.pipeline, view);
    view.finish(result);
    return exitStatusOf(result.status);
  } finally {
    view.close();
  }
}

export interface WatchFilter {
  job?: string;
  step?: number;
  attempt?: number;
}

export async function watchRun(
  context: CliContext,
  pipeline: string,
  handlers: WatchHandlers,
  filter: WatchFilter = {},
): Promise<WatchResult> {
  const { connection } = context;
  return watchLogs(
    {
      baseUrl: `${connection.url}/api/v1`,
      ...(await context.repository()),
      pipeline,
      ...filter,
      ...(connection.token === undefined ? {} : { token: connection.token }),
      ...(connection.ca === undefined ? {} : { ca: connection.ca }),
    },
    handlers,
  );
}

/** 0 for what passed, 3 for what somebody cancelled, 1 for the rest. */
export function exitStatusOf(status: string): number {
  if (status === "success" || status === "skipped") return 0;
  return status === "cancelled" ? 3 : 1;
}

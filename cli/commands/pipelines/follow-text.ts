/** `forgeline pipeline logs -f`: the lines of all jobs of a run as they come, each behind its job and step, until the run ends. */
import type { WatchedStream } from "@forgeline/client/watch-session.ts";
import type { CliContext } from "../../context.ts";
import { errorColors } from "../../output/colors.ts";
import { createLineSplitter, type LineSplitter } from "../../output/line-splitter.ts";
import { stepLabel } from "../../output/step-label.ts";
import { jobPaint } from "../../output/style.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { exitStatusOf, watchRun, type WatchFilter } from "./follow.ts";

/**
 * Resolves with the exit status that the run's result gives. Lines of a job that `filter` names exactly stand by themselves. What is
 * not a line of the log goes to standard error.
 */
export async function followText(context: CliContext, id: string, filter: WatchFilter): Promise<number> {
  const splitters = new Map<string, LineSplitter>();
  const prefixOf = createPrefixes(filter);
  const note = (text: string) => process.stderr.write(`${errorColors.dim(`… ${terminalSafe(text)}`)}\n`);
  const result = await watchRun(
    context,
    { pipeline: id, filter },
    {
      onStream(stream) {
        const prefix = prefixOf(stream);
        const show = (line: string) =>
          process.stdout.write(`${prefix}${process.stdout.isTTY ? terminalSafe(line) : line}\n`);
        splitters.set(stream.id, createLineSplitter(show));
      },
      onBytes: (stream, bytes) => splitters.get(stream.id)?.push(bytes),
      onStreamEnd(stream, { complete, bytes }) {
        splitters.get(stream.id)?.end();
        splitters.delete(stream.id);
        if (!complete)
          note(`the log of ${stream.jobLabel} › ${stream.name} is not complete (${bytes} bytes arrived)`);
      },
      onReconnect: (delayMs, why) => note(`connection lost (${why}); trying again in ${delayMs} ms`),
    },
  );
  return exitStatusOf(result.status);
}

/** One colour for each job. */
function createPrefixes({ job }: WatchFilter): (stream: WatchedStream) => string {
  const jobs = new Map<string, number>();
  return ({ jobId, jobLabel, name }) => {
    if (job !== undefined && [jobId, jobLabel].includes(job)) return "";
    const index = jobs.get(jobId) ?? jobs.size;
    jobs.set(jobId, index);
    return `${jobPaint(index)(`[${terminalSafe(jobLabel)} › ${terminalSafe(stepLabel(name))}]`)} `;
  };
}

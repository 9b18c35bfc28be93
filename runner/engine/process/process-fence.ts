/**
 * The time after which a job's steps end by themselves. While the agent lives, its own timer ends them; a small program watches the same time
 * beside it and does so where the agent is dead. It knows the time of day alone, which counts while the machine sleeps.
 */
import { spawn } from "node:child_process";
import { access, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Deadline } from "../../deadline.ts";
import { writeWhole } from "../../write-whole.ts";
import type { JobPlaces } from "./job-places.ts";
import { killMarked, markText } from "./marked-processes.ts";
import { killStepGroups } from "./process-step.ts";

const fencedMessage =
  "The job holds a slot of a concurrency group and was ended because its runner was gone or could not reach the server.";

/**
 * Arguments: the job's directory, what marks its processes. Looks every second; ends when the directory is gone or there is no limit any more.
 * A whole second is added, since seconds of both sides begin at different moments.
 */
const watchdog = `
cd -- "$1" || exit 0
while sleep 1; do
  read -r until <fence || exit 0
  [ "$until" = none ] && exit 0
  [ "$(date +%s)" -le "$until" ] && continue
  : >fenced
  for file in steps/*.pid; do
    # The id of what has ended may be another process's by now.
    [ -e "\${file%.*.pid}.exit" ] && continue
    read -r pid <"$file" && kill -s KILL -- "-$pid"
  done
  for environment in $(grep -l -F -e "$2" /proc/[0-9]*/environ); do
    process=\${environment#/proc/}
    kill -s KILL "\${process%/environ}"
  done
  exit 0
done 2>/dev/null
`;

export interface ProcessFence {
  /** Replaces what was set before; null: no limit. */
  set(ms: number | null): Promise<void>;
  /** The job is over. */
  clear(): void;
  /** Why steps of the job are gone. */
  reason(): Promise<string>;
}

export function createProcessFence(
  places: JobPlaces,
  job: { mark: string; path: string; onProblem: (error: unknown) => void },
): ProcessFence {
  const timer = new Deadline();
  const file = join(places.jobDir, "fence");
  const fenced = join(places.jobDir, "fenced");
  let isWatched = false;

  async function end(): Promise<void> {
    await writeFile(fenced, "");
    await killStepGroups(places, await readdir(places.steps));
    await killMarked(job.mark);
  }

  function watch(): void {
    if (isWatched) return;
    isWatched = true;
    const child = spawn("sh", ["-c", watchdog, "fence", places.jobDir, markText(job.mark)], {
      cwd: "/",
      env: { PATH: job.path },
      stdio: "ignore",
      detached: true,
    });
    child.once("error", job.onProblem);
    // It ends where there is no limit, and is needed again with the next.
    child.once("exit", () => (isWatched = false));
    child.unref();
  }

  return {
    async set(ms) {
      timer.clear();
      const until = ms === null ? "none" : String(Math.ceil((Date.now() + ms) / 1000));
      await writeWhole(file, `${until}\n`);
      if (ms === null) return;
      timer.set(ms, () => void end().catch(job.onProblem));
      watch();
    },
    clear: () => timer.clear(),
    reason: () =>
      access(fenced).then(
        () => fencedMessage,
        () => "something on the runner's machine ended them.",
      ),
  };
}

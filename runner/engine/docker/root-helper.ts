/**
 * What an agent without root cannot do to files that other users own, a short-lived container does: root inside, no
 * network, and nothing of the host but the job's directory. Only before a job's first step or after its last.
 */
import { jobDirectory, type EngineContext } from "./context.ts";
import { createOptions } from "./create-options.ts";
import { labelsOf } from "./labels.ts";
import { removeForSure } from "./remove-for-sure.ts";

export interface RootTask {
  jobKey: string;
  /** Any image with `sh` and the programs of the script. */
  imageId: string;
  /** The job's directory is `/job` in it. Never holds text of a pipeline. */
  script: string;
}

/** Answers with the exit code of the script and its last words. */
export async function runAsRoot(
  context: EngineContext,
  task: RootTask,
): Promise<{ code: number; text: string }> {
  const { docker, daemon, runnerId } = context;
  const { jobKey } = task;
  const options = createOptions({
    name: `${jobKey}-cleaner`,
    imageId: task.imageId,
    user: "0:0",
    labels: labelsOf({ runnerId, leaseKey: jobKey, jobKey }, "cleaner"),
    network: null,
    alias: null,
    extraHosts: [],
    mounts: [{ source: jobDirectory(context, jobKey), target: "/job", readOnly: false }],
    limits: { memoryBytes: null, cpu: null, pids: 64, shmBytes: null },
    entrypoint: ["sh", "-c", task.script],
    command: [],
    env: {},
    workingDir: "/",
    logBytes: 65_536,
  });
  const container = await daemon.ask(() => docker.createContainer(options));
  try {
    await daemon.ask(() => container.start());
    const ended = (await daemon.ask(() => container.wait())) as { StatusCode: number };
    const log = await daemon.ask(() => container.logs({ stdout: true, stderr: true, tail: 3 }));
    return {
      code: ended.StatusCode,
      text: log
        .toString("utf8")
        .replaceAll(/[^\x20-\x7e\n]/g, "")
        .trim(),
    };
  } finally {
    await removeForSure(context, () => container.remove({ force: true, v: true }));
  }
}

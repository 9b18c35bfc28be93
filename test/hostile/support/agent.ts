/**
 * A runner's engine as a program, so that the tests can run it as any user: jobs come as messages, one after the other, and their
 * reports go back. It ends with its connection.
 */
import Dockerode from "dockerode";
import type { AgentAnswer, AgentJob } from "./job.ts";
import { runJob } from "./run-job.ts";

const { modem } = new Dockerode();
let last: Promise<void> = Promise.resolve();

process.on("message", (job: AgentJob) => {
  last = last.then(async () => {
    const answer: AgentAnswer = await runJob(job, modem).then(
      (report) => ({ runnerId: job.runnerId, report }),
      (error: unknown) => ({ runnerId: job.runnerId, failure: String(error) }),
    );
    process.send?.(answer);
  });
});

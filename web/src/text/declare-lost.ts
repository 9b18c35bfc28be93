/** Words around a job whose runner is silent, and that somebody declares lost. */

export const text = {
  unreachable:
    "The runner has been silent for some time. If it stays silent, this attempt ends as lost, and the job runs again elsewhere if the file allows that.",
  waitsForRunner:
    "The runner has been silent for some time. The file says that this job must not run twice, so it waits for its runner until its time limit. If the runner will not come back, declare the job lost.",
  declareLost: "Declare lost",
  title: (job: string) => `Declare ${job} lost?`,
  hint: "Do this if the runner will not come back. The attempt ends at once with your name in its message, and is retried if the file says so. If the runner does come back, its results are refused, but what the job did until then stays done.",
  done: "The job was declared lost.",
};

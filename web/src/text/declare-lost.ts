/** Words around a job that somebody declares lost. */

export const text = {
  declareLost: "Declare lost",
  title: (job: string) => `Declare ${job} lost?`,
  hint: "Do this if the runner will not come back. The attempt ends at once with your name in its message, and is retried if the file says so. If the runner does come back, its results are refused, but what the job did until then stays done.",
  done: "The job was declared lost.",
};

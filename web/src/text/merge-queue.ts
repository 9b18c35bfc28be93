/** Words of merge queues. */
export const text = {
  title: "Merge queue",
  lead: "Merge requests are tested as the branch will be with them, and land in order.",
  docs: "How merge queues work",
  of: (branch: string) => `Merge queue of ${branch}`,
  branch: "Branch",
  number: "Merge request",
  state: "State",
  addedBy: "Added by",
  since: "Since",
  strategy: "How",
  actions: "Actions",
  states: { queued: "Waits", testing: "Is tested", landing: "Lands" },
  somebody: "a deleted account",
  none: "Nothing waits",
  noneHint: "Add a merge request on its own page.",
  noQueue: (branch: string) => `${branch} has no merge queue`,
  noQueueHint: "A rule for the branch can give it one: then merge requests land by it.",
  paused: "Paused: nothing is tested and nothing lands.",
  pausedBy: (name: string) => `Paused by ${name}: nothing is tested and nothing lands.`,
  pause: "Pause",
  resume: "Go on",
  pauseDone: "The queue is paused.",
  resumeDone: "The queue goes on.",
  testedBy: (count: number) =>
    count === 1 ? "1 merge request is tested by" : `${count} merge requests are tested together by`,
  testedOnTopBy: (count: number) =>
    count === 1
      ? "On top of that, 1 merge request is tested by"
      : `On top of that, ${count} merge requests are tested together by`,
  noRuns: "no run",
  run: (number: number) => `#${number}`,
  first: "Put first",
  firstDone: "It is the next one.",
  remove: "Take out",
  removeDone: "It is out of the queue.",
  place: (position: number) =>
    position === 1
      ? "It is the next one in the merge queue."
      : `It is number ${position} in the merge queue.`,
  testing: "It is being tested in the merge queue.",
  landing: "It has passed in the merge queue, and lands now.",
  show: "Show the queue",
};

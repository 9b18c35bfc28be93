/** Words around stages and jobs that wait for people. */

export const text = {
  title: (place: string) => `Approval of ${place}`,
  stage: (name: string) => `stage ${name}`,
  job: (name: string) => `job ${name}`,
  states: {
    open: "waiting",
    approved: "approved",
    rejected: "rejected",
    expired: "expired",
    closed: "closed",
  },
  given: (given: number, needed: number) => `${given} of ${needed} approved`,
  anyone: "anyone with Write",
  by: (who: string) => `by ${who}`,
  notSelf: "not by who started the run or wrote the commit",
  until: "until",
  approve: "Approve",
  reject: "Reject",
  nameOf: (verb: string, place: string) => `${verb} ${place}`,
  comment: "Comment",
  commentHint: "Optional; everyone who sees the run can read it.",
  hasApproved: "approved",
  hasRejected: "rejected",
  countsNot: "may not approve any more, so it does not count",
  saidApproved: "You approved it.",
  saidRejected: "You rejected it.",
} as const;

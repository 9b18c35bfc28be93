/** Mistakes with merging by itself and by the queue, conflicts, boards, the search, and when mails are sent. */
import type { Mutant } from "./mutant.ts";

const unit = "test/unit/server/domains/collaboration";
const domain = "server/domains/collaboration";

const ends = {
  file: `${domain}/merge-requests/auto-merge/reason-to-end.ts`,
  tests: [`${unit}/merge-requests/auto-merge/reason-to-end.test.ts`],
};
const batches = {
  file: `${domain}/merge-queue/batch-plan.ts`,
  tests: [`${unit}/merge-queue/batch-plan.test.ts`],
};
const marks = {
  file: `${domain}/conflicts/marked-text.ts`,
  tests: [`${unit}/conflicts/marked-text.test.ts`],
};
const columns = {
  file: `${domain}/boards/columns.ts`,
  tests: [`${unit}/boards/columns.test.ts`],
};
const queries = {
  file: `${domain}/search/read-query.ts`,
  tests: [`${unit}/search/read-query.test.ts`],
};
const times = {
  file: `${domain}/notification-mails/due-time.ts`,
  tests: [`${unit}/notification-mails/due-time.test.ts`],
};

export const mergingMutants: readonly Mutant[] = [
  {
    ...ends,
    name: "auto-merge-goes-on-with-another-target",
    promise: "What waits for one branch is not merged into another one.",
    find: "standing.target_branch !== standing.target_now",
    replace: 'standing.target_branch === ""',
  },
  {
    ...ends,
    name: "auto-merge-merges-another-head",
    promise: "Where one head was meant, no other is merged.",
    find: "standing.sha !== null && standing.sha !== standing.head_sha",
    replace: 'standing.sha === standing.head_sha && standing.sha === ""',
  },
  {
    ...ends,
    name: "auto-merge-takes-pushes-of-strangers",
    promise: "A push by somebody without Write ends the wait.",
    find: "!standing.is_own && !standing.writes",
    replace: "!standing.is_own && standing.writes",
  },
  {
    ...ends,
    name: "auto-merge-outlives-the-close",
    promise: "A merge request that was closed does not wait.",
    find: 'if (action === "closed") return "closed";',
    replace: 'if (action === "gone") return "closed";',
  },
  {
    ...batches,
    name: "queue-never-splits",
    promise: "Half of what failed together is tested next.",
    find: "Math.max(1, Math.floor(alike / 2))",
    replace: "Math.max(1, alike - 1)",
  },
  {
    ...batches,
    name: "queue-larger-than-allowed",
    promise: "A batch has at most as many as the rule says.",
    find: "return Math.min(maxBatch, ",
    replace: "return Math.max(maxBatch * 0, ",
  },
  {
    ...batches,
    name: "queue-lands-on-another-base",
    promise: "A batch that is built on what did not land is thrown away.",
    find: "builtOn !== base || !isWhole",
    replace: "!isWhole",
  },
  {
    ...batches,
    name: "queue-waits-forever",
    promise: "Runs that take longer than the rule allows count as failed.",
    find: "tested.waitedMinutes < tested.maxWaitMinutes",
    replace: "tested.waitedMinutes >= 0",
  },
  {
    ...marks,
    name: "conflicts-markers-stay",
    promise: "A resolution with a marker in it is found.",
    find: 'found ? text.slice(0, found.index).split("\\n").length : undefined',
    replace: 'found && text === "" ? 1 : undefined',
  },
  {
    ...marks,
    name: "conflicts-line-ends-mixed",
    promise: "A file with the line ends of Windows keeps them at its markers.",
    find: 'text.includes("\\r\\n")',
    replace: 'text.includes("\\r\\r")',
  },
  {
    ...marks,
    name: "conflicts-headings-are-markers",
    promise: "A heading underlined with equals signs is no marker.",
    find: "(?:<{7}|\\|{7}|>{7})",
    replace: "(?:<{7}|={7}|>{7})",
  },
  {
    ...columns,
    name: "boards-keep-the-old-column",
    promise: "Between columns an issue gets the label of one and loses that of the other.",
    find: "issue.labels.filter((label) => !isColumn(label))",
    replace: "issue.labels.filter(() => true)",
  },
  {
    ...columns,
    name: "boards-stay-closed",
    promise: "From Closed into a column it is open again.",
    find: 'issue.state === "open" ? {} : { state: "open" as const }',
    replace: 'issue.state !== "" ? {} : { state: "open" as const }',
  },
  {
    ...columns,
    name: "boards-reorder-takes-labels",
    promise: "Moved within its column, an issue with the labels of two keeps both.",
    find: "...(stands ? {} : { labels:",
    replace: '...(stands && to === "open" ? {} : { labels:',
  },
  {
    ...queries,
    name: "search-minus-is-lost",
    promise: "`-` turns a qualifier around.",
    find: 'return { on: "label", name: value, not };',
    replace: 'return { on: "label", name: value, not: false };',
  },
  {
    ...queries,
    name: "search-me-is-anybody",
    promise: "`me` is whoever asks.",
    find: "{ name: asker, isViewer: true }",
    replace: "{ name: asker, isViewer: false }",
  },
  {
    ...queries,
    name: "search-strangers-are-me",
    promise: "Signed out, `me` is nobody.",
    find: 'if (asker === null) throw wrong(piece, "takes',
    replace: 'if (asker === "") throw wrong(piece, "takes',
  },
  {
    ...queries,
    name: "search-any-repository-name",
    promise: "A repository is named with its owner.",
    find: "/^[^/]+\\/[^/]+$/.test(value)",
    replace: "/^[^/]+/.test(value)",
  },
  {
    ...queries,
    name: "search-order-is-lost",
    promise: "`sort:` says which comes first.",
    find: 'else if (piece.name === "sort") read.order = orderOf(piece);',
    replace: 'else if (piece.name === "order") read.order = orderOf(piece);',
  },
  {
    ...times,
    name: "mails-at-night",
    promise: "No mail is sent in quiet hours.",
    find: "isQuiet(times, planned) ? ",
    replace: "isQuiet(times, 0) ? ",
  },
  {
    ...times,
    name: "mails-quiet-nights-end-at-midnight",
    promise: "Quiet hours last into the next day.",
    find: "(days.includes(dayOf(local - dayMs)) && time < to)",
    replace: "(days.includes(dayOf(local)) && time < from && time > to)",
  },
  {
    ...times,
    name: "mails-week-begins-on-sunday",
    promise: "Quiet hours are of the days that were chosen.",
    find: ".getUTCDay() + 6) % 7",
    replace: ".getUTCDay() + 0) % 7",
  },
  {
    ...times,
    name: "mails-digest-in-another-zone",
    promise: "A digest comes at the time that the person's clocks show.",
    find: "return timeAfter({ cron: `${minute} ${hour} * * *`, timezone }, afterMs) ?? afterMs;",
    replace: 'return timeAfter({ cron: `${minute} ${hour} * * *`, timezone: "UTC" }, afterMs) ?? afterMs;',
  },
  {
    ...times,
    name: "mails-hourly-digest-at-once",
    promise: "An hourly digest waits for the full hour.",
    find: 'if (times.digest === "immediately") return nowMs;',
    replace: 'if (times.digest !== "daily") return nowMs;',
  },
  {
    ...times,
    name: "mails-after-quiet-hours-one-by-one",
    promise: "What quiet hours have held comes as one mail.",
    find: 'times.digest !== "immediately" || end !== nowMs',
    replace: 'times.digest !== "immediately"',
  },
];

/** Mistakes with reviews, rules for merging, and who is told. */
import type { Mutant } from "./mutant.ts";

const unit = "test/unit/server/domains/collaboration";
const domain = "server/domains/collaboration";

const judge = {
  file: `${domain}/merge-requests/requirements/judge.ts`,
  tests: [`${unit}/merge-requests/requirements/judge.test.ts`],
};
const lines = { file: `${domain}/reviews/map-line.ts`, tests: [`${unit}/reviews/map-line.test.ts`] };
const told = {
  file: `${domain}/notifications/who-is-told.ts`,
  tests: [`${unit}/notifications/who-is-told.test.ts`],
};

export const collaborationMutants: readonly Mutant[] = [
  {
    ...judge,
    name: "merges-authors-approve-their-own",
    promise: "An approval of one's own change never counts.",
    find: "mayWrite && userId !== authorId",
    replace: "mayWrite",
  },
  {
    ...judge,
    name: "merges-readers-approve",
    promise: "Approvals count of whoever has Write now.",
    find: "({ userId, mayWrite }) => mayWrite && userId !== authorId",
    replace: "({ userId }) => userId !== authorId",
  },
  {
    ...judge,
    name: "merges-stale-approvals-count",
    promise: "Where a rule says so, an approval counts for the head that was seen alone.",
    find: 'state === "approved" && (headSha === head || !isStrict)',
    replace: 'state === "approved"',
  },
  {
    ...judge,
    name: "merges-mildest-rule-counts",
    promise: "Of all rules that match, the strictest counts.",
    find: "Math.max(0, ...rules.map((rule) => rule.required_approvals))",
    replace: "Math.min(...rules.map((rule) => rule.required_approvals))",
  },
  {
    ...judge,
    name: "merges-last-pusher-approves",
    promise: "The last pusher is not the only approver, where a rule says so.",
    find: "ofHead.some(({ userId }) => userId !== lastPusherId)",
    replace: "ofHead.length > 0",
  },
  {
    ...judge,
    name: "merges-anybody-approves-for-owners",
    promise: "Only owners approve for a line of CODEOWNERS.",
    find: "approvedBy.filter((userId) => need.deciders.has(userId))",
    replace: "approvedBy.filter((userId) => userId !== null)",
  },
  {
    ...judge,
    name: "merges-requests-for-changes-pass",
    promise: "A request for changes blocks.",
    find: 'state === "changes_requested" ? [userId] : []',
    replace: 'state === "dismissed" ? [userId] : []',
  },
  {
    ...lines,
    name: "threads-additions-move-the-line-above",
    promise: "What is added below a line does not move its threads.",
    find: "const first = oldLines === 0 ? oldStart + 1 : oldStart;",
    replace: "const first = oldStart;",
  },
  {
    ...lines,
    name: "threads-stay-on-changed-lines",
    promise: "A thread on a line that was changed is outdated.",
    find: "if (line < first + oldLines) return null;",
    replace: "if (line < first + oldLines) return line + shift;",
  },
  {
    ...told,
    name: "told-who-lost-access",
    promise: "Nobody is told who may not read the repository any more.",
    find: '!person.may_read || person.level === "muted"',
    replace: 'person.level === "muted"',
  },
  {
    ...told,
    name: "told-although-muted",
    promise: "Who muted the repository is told nothing.",
    find: '!person.may_read || person.level === "muted"',
    replace: "!person.may_read",
  },
  {
    ...told,
    name: "told-again-by-an-edit",
    promise: "An edit is told to those whom it names first, and to nobody else.",
    find: "if (isThreadMuted || news.only_named) return null;",
    replace: "if (isThreadMuted) return null;",
  },
  {
    name: "queue-lands-what-nobody-knows",
    promise: "A batch of which runs are gone does not land.",
    file: "server/domains/collaboration/merge-queue/batch-plan.ts",
    find: "tested.runs.length < tested.runsMade",
    replace: "tested.runs.length < 0",
    tests: ["test/unit/server/domains/collaboration/merge-queue/batch-plan.test.ts"],
  },
  {
    name: "imports-name-who-was-put-there",
    promise: "Who was merely put into an organization is asked before imported texts are theirs.",
    file: "server/domains/automation/imports/imports.store.ts",
    find: "om.user_id = u.id and om.agreed and",
    replace: "om.user_id = u.id and",
    tests: ["test/integration/api/imports/people-of-organization.test.ts"],
  },
  {
    name: "attachments-go-while-a-text-is-saved",
    promise: "A file stays that a text mentions which is being saved.",
    file: "server/domains/collaboration/attachments/note-mentioned.ts",
    find: "if (ids.length > 0) await",
    replace: "if (ids.length > 999) await",
    tests: ["test/integration/api/attachments/saved-at-clean-up.test.ts"],
  },
];

/** Mistakes in what is written down, and in how it is proved. */
import type { Mutant } from "./mutant.ts";

const log = "test/integration/api/audit/audit-log.test.ts";
const verify = "test/integration/api/audit/verify.test.ts";

export const audit: readonly Mutant[] = [
  {
    name: "audit-not-asked",
    promise: "An organization hears nothing of people whom it put in without asking them.",
    file: "server/domains/operation/audit/audit.store.ts",
    find: "and m.user_id = $14 and m.agreed",
    replace: "and m.user_id = $14",
    tests: [log],
  },
  {
    name: "audit-apps-are-personal",
    promise: "Audit: what people allow apps is shown to their organizations as kind, time and actor.",
    file: "server/domains/operation/audit/record.ts",
    find: "/^(auth|user|oauth)\\./",
    replace: "/^(auth|user)\\./",
    tests: [log],
  },
  {
    name: "audit-day-is-whole",
    promise: "Audit: a day as an end is all of that day.",
    file: "server/domains/operation/audit/audit.store.ts",
    find: "`e.at < ${p}::date + 1`",
    replace: "`e.at < ${p}::date`",
    tests: [log],
  },
  {
    name: "audit-signed-point-stays",
    promise: "R18: a signed point is not replaced by one of a rewritten chain.",
    file: "server/domains/operation/audit/checkpoints.ts",
    find: "    if (problem) return false;\n",
    replace: "",
    tests: [verify],
  },
  {
    name: "audit-entry-past-the-chain",
    promise: "R18: an entry that was put in past the chain is found.",
    file: "server/domains/operation/audit/verify.ts",
    find: "  if (stray !== null)\n",
    replace: "  if (stray !== null && lost !== null)\n",
    tests: [verify],
  },
  {
    name: "audit-end-dropped",
    promise: "R18: a chain whose end was dropped does not agree with its head.",
    file: "server/domains/operation/audit/verify.ts",
    find: "if (!ended || (head.number === until.number && head.hash === until.hash)) return null;",
    replace: "if (!ended || head.number >= until.number) return null;",
    tests: [verify],
  },
  {
    name: "audit-proof-goes-on-from-its-place",
    promise: "R18: what was changed meanwhile of a part that was proved is found.",
    file: "server/domains/operation/audit/verify.ts",
    find: "  if (!isSame) return checkpointMismatch(from.number);\n",
    replace: "",
    tests: [verify],
  },
  {
    name: "audit-in-the-transaction",
    promise: "R8: a change and its entry are made together, or neither is.",
    file: "server/domains/hosting/collaborators/service.ts",
    find: `        await recordAudit(tx, actor, {
          action: "access.collaborator_remove",
          target: targetOf(repository),
          details: { user_id: user.id, username: user.username, permission },
        });
        await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
          { kind: "member", action: "removed", subject: { permission }, userId: user.id },
        ]);
        await tx.notify("token", "");
      });
`,
    replace: `        await recordRepositoryEvents(tx, { repositoryId: repository.id, senderId: actor.userId }, [
          { kind: "member", action: "removed", subject: { permission }, userId: user.id },
        ]);
        await tx.notify("token", "");
      });
      await db.transaction((tx) =>
        recordAudit(tx, actor, {
          action: "access.collaborator_remove",
          target: targetOf(repository),
          details: { user_id: user.id, username: user.username },
        }),
      );
`,
    tests: ["test/integration/api/audit/every-change/every-change.test.ts"],
  },
  {
    name: "audit-entry-may-be-given-to-another-chain",
    promise: "Verifying finds an entry that was moved to another log.",
    file: "server/domains/operation/audit/chain.store.ts",
    find: "coalesce(coalesce((x.entry).organization_id, 'instance') = $1::text and l.hash",
    replace: "coalesce(l.hash",
    tests: ["test/integration/api/audit/verify.test.ts"],
    only: "given to the instance",
  },
  {
    name: "audit-entries-taken-away-before-their-link-are-not-missed",
    promise: "Verifying finds that an entry was taken away before it was linked.",
    file: "server/domains/operation/audit/verify.ts",
    find: "  if (lost === null) return null;",
    replace: "  return null;",
    tests: ["test/integration/api/audit/verify.test.ts"],
    only: "before its link",
  },
];

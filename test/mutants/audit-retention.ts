/** Mistakes with how long entries of the audit log are kept. */
import type { Mutant } from "./mutant.ts";

const tests = ["test/integration/api/audit/retention.test.ts"];
const folder = "server/domains/operation/audit";

export const auditRetentionMutants: readonly Mutant[] = [
  {
    name: "audit-retention-any-anchor",
    promise: "Only this instance says that entries expired.",
    file: `${folder}/verify.ts`,
    find: "const forged = all.find((anchor) => !signer.proves(chain, anchor));",
    replace:
      "const forged = all.find((anchor) => anchor.first > anchor.last && !signer.proves(chain, anchor));",
    tests,
  },
  {
    name: "audit-retention-anchor-of-any-chain",
    promise: "An anchor counts in its own chain alone.",
    file: `${folder}/anchors.ts`,
    find: 'JSON.stringify(["anchor", chain, first, last, before, hash])',
    replace: 'JSON.stringify(["anchor", chain === "", first, last])',
    tests,
  },
  {
    name: "audit-retention-apart",
    promise: "Anchors that touch become one.",
    file: `${folder}/anchors.ts`,
    find: "if (open && open.last === span.first - 1)",
    replace: "if (open && open.last === span.first)",
    tests,
  },
  {
    name: "audit-retention-tampered-goes",
    promise: "What somebody changed is kept, so that it is found.",
    file: `${folder}/expiry.ts`,
    find: "found.filter(({ holds }) => holds)",
    replace: "found",
    tests,
  },
  {
    name: "audit-retention-checkpoint",
    promise: "A chain whose beginning has expired agrees with its checkpoint.",
    file: `${folder}/chain.store.ts`,
    find: "union all select encode(hash, 'hex') from audit_anchors where chain = $1 and last = $2 limit 1",
    replace:
      "union all select encode(hash, 'hex') from audit_anchors where chain = $1 and last = $2 + 1 limit 1",
    tests,
  },
  {
    name: "audit-retention-cursor",
    promise: "A proof goes on from an entry that has expired since.",
    file: `${folder}/chain.store.ts`,
    find: "or l.first <= l.number_before and l.number_before = $2::bigint end",
    replace: "end",
    tests,
  },
];

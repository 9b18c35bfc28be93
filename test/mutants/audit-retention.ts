/** Mistakes with how long entries of the audit log are kept. */
import type { Mutant } from "./mutant.ts";

const tests = ["test/integration/api/audit/retention.test.ts"];
const attacks = ["test/integration/api/audit/retention-attacks.test.ts"];
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
    name: "audit-retention-apart",
    promise: "Anchors that touch become one.",
    file: `${folder}/anchors.ts`,
    find: "if (open && touches(open, span))",
    replace: "if (open && open.last === span.first)",
    tests,
  },
  {
    name: "audit-retention-tampered-goes",
    promise: "What somebody changed is kept, so that it is found.",
    file: `${folder}/expiry.ts`,
    find: "holds && isLinked(entry) ? [entry] : []",
    replace: "(holds || entry.number) && isLinked(entry) ? [entry] : []",
    tests,
  },
  {
    name: "audit-retention-checkpoint",
    promise: "A chain whose beginning has expired agrees with its checkpoint.",
    file: `${folder}/checkpoints.ts`,
    find: "return anchor.last > number || anchor.hash === hash;",
    replace: "return anchor.last > number;",
    tests,
  },
  {
    name: "audit-retention-any-cover",
    promise: "An anchor that nobody signed does not stand for an end that was cut off.",
    file: `${folder}/checkpoints.ts`,
    find: "if (!anchor || !anchorSigner.proves(chain, anchor)) return false;",
    replace: "if (!anchor) return false;",
    tests: attacks,
  },
  {
    name: "audit-retention-launders",
    promise: "An anchor that is not ours is not joined with one of ours.",
    file: `${folder}/anchors.ts`,
    find: "anchor.isOurs && (touches(anchor, span)",
    replace: "(touches(anchor, span)",
    tests: attacks,
  },
  {
    name: "audit-retention-signs-all",
    promise: "An anchor that is not ours is not signed when the key is replaced.",
    file: `${folder}/anchor-signatures.ts`,
    find: "ofChain.filter((anchor) => signer.proves(chain, anchor))",
    replace: "ofChain.filter((anchor) => signer.sign(chain, anchor))",
    tests: attacks,
  },
  {
    name: "audit-retention-rewritten",
    promise: "What contradicts its checkpoint does not expire.",
    file: `${folder}/expiry.ts`,
    find: "if (problem) return keep(chain, problem.seq);",
    replace: "if (problem) keep(chain, problem.seq);",
    tests: attacks,
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

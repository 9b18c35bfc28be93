/** What a kernel may lack of the filter: it is written without that, and the operator is told. */
import type { EgressPolicy } from "./policy.ts";
import { cannotCount, cannotFollowSources } from "./table.ts";

export interface ReducedPolicy {
  policy: EgressPolicy;
  warning: string;
}

/** What is left of the policy where the kernel answered so to its frame; null where the filter is not to be had without it. */
export function withoutRefused(policy: EgressPolicy, refused: string): ReducedPolicy | null {
  if (policy.connections !== null && cannotCount(refused))
    return {
      policy: { ...policy, connections: null },
      warning: `Jobs may open any number of connections, as this kernel cannot count them (nft_connlimit): ${refused}`,
    };
  if (policy.checksSources && cannotFollowSources(refused))
    return {
      policy: { ...policy, checksSources: false },
      warning: `Jobs may send with addresses of others by IPv6, as this kernel cannot look for the way back to them (nft_fib_inet): ${refused}`,
    };
  return null;
}

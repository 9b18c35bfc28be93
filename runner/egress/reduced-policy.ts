/** What a kernel may lack of the filter: it is written without that, and the operator is told. */
import type { EgressPolicy } from "./policy.ts";
import { lacksConnectionCounting, cannotFollowSources } from "./table.ts";

export interface ReducedPolicy {
  policy: EgressPolicy;
  warning: string;
}

/** What is left of the policy where the kernel answered so to its frame; null where the filter is not to be had without it. */
export function withoutRefused(policy: EgressPolicy, refused: string): ReducedPolicy | null {
  if (policy.connections !== null && lacksConnectionCounting(refused))
    return {
      policy: { ...policy, connections: null },
      warning: `The number of connections per job is not limited, because this kernel cannot count them (nft_connlimit): ${refused}`,
    };
  if (policy.checksSources && cannotFollowSources(refused))
    return {
      policy: { ...policy, checksSources: false },
      warning: `Jobs can spoof IPv6 source addresses, because this kernel cannot check the return path (nft_fib_inet): ${refused}`,
    };
  return null;
}

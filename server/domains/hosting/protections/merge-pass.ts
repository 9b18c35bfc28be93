/** What a merge request brings along when its target branch moves: the judge of pushes asks it, right before the branch moves. */
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Rule } from "./protections.store.ts";

export interface MergePass {
  strategy: MergeStrategy;
  /**
   * Whether the rules that apply at this moment let it through: `problem` says why not. `bypassed` says what is missing and does
   * not matter, since somebody who may has decided so.
   */
  judge(asked: { rules: readonly Rule[]; level: RepositoryLevel }): Promise<MergeVerdict>;
}

export type MergeVerdict = { problem: string } | { bypassed: Bypass | null };

/** For the audit log. */
export interface Bypass {
  mergeRequest: number;
  reason: string;
  missing: string[];
}

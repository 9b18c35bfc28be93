/** Made by `node scripts/generate-rows.ts` from the statements of protections.store.ts; do not edit. */

export interface ProtectionsRows {
  listRules: {
    id: string;
    pattern: string;
    push_level: "admin" | "maintain" | "none" | "write";
    allow_force_push: boolean;
    allow_deletion: boolean;
    required_approvals: number;
    require_pipeline: boolean;
    dismiss_stale_approvals: boolean;
    require_last_push_approval: boolean;
    require_code_owners: boolean;
    required_checks: unknown;
    require_linear_history: boolean;
    require_signed_commits: boolean;
    merge_strategies: string[];
    merge_level: "admin" | "maintain" | "none" | "write";
    merge_queue: unknown;
    created_at: Date;
    updated_at: Date;
  };
  hasRules: {
    id: string;
  };
  patternsOf: {
    pattern: string;
  };
  rulesFor: {
    kind: "branch" | "tag";
    pattern: string;
    push_level: "admin" | "maintain" | "none" | "write";
    allow_force_push: boolean;
    allow_deletion: boolean;
    required_approvals: number;
    require_pipeline: boolean;
    dismiss_stale_approvals: boolean;
    require_last_push_approval: boolean;
    require_code_owners: boolean;
    required_checks: unknown;
    require_linear_history: boolean;
    require_signed_commits: boolean;
    merge_strategies: string[];
    merge_level: "admin" | "maintain" | "none" | "write";
    merge_queue: unknown;
    is_exception: boolean;
    is_merger: boolean;
    is_bypasser: boolean;
  };
  holdRepository: {
    archived: boolean;
  };
  findRule: {
    id: string;
    pattern: string;
    push_level: "admin" | "maintain" | "none" | "write";
    allow_force_push: boolean;
    allow_deletion: boolean;
    required_approvals: number;
    require_pipeline: boolean;
    dismiss_stale_approvals: boolean;
    require_last_push_approval: boolean;
    require_code_owners: boolean;
    required_checks: unknown;
    require_linear_history: boolean;
    require_signed_commits: boolean;
    merge_strategies: string[];
    merge_level: "admin" | "maintain" | "none" | "write";
    merge_queue: unknown;
    created_at: Date;
    updated_at: Date;
  };
  insertRule: {
    id: string;
    pattern: string;
    push_level: "admin" | "maintain" | "none" | "write";
    allow_force_push: boolean;
    allow_deletion: boolean;
    required_approvals: number;
    require_pipeline: boolean;
    dismiss_stale_approvals: boolean;
    require_last_push_approval: boolean;
    require_code_owners: boolean;
    required_checks: unknown;
    require_linear_history: boolean;
    require_signed_commits: boolean;
    merge_strategies: string[];
    merge_level: "admin" | "maintain" | "none" | "write";
    merge_queue: unknown;
    created_at: Date;
    updated_at: Date;
  };
  saveRule: {
    id: string;
    pattern: string;
    push_level: "admin" | "maintain" | "none" | "write";
    allow_force_push: boolean;
    allow_deletion: boolean;
    required_approvals: number;
    require_pipeline: boolean;
    dismiss_stale_approvals: boolean;
    require_last_push_approval: boolean;
    require_code_owners: boolean;
    required_checks: unknown;
    require_linear_history: boolean;
    require_signed_commits: boolean;
    merge_strategies: string[];
    merge_level: "admin" | "maintain" | "none" | "write";
    merge_queue: unknown;
    created_at: Date;
    updated_at: Date;
  };
  deleteRule: never;
}

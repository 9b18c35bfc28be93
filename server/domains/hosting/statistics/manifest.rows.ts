/** Made by `node scripts/generate-rows.ts` from the statements of manifest.store.ts; do not edit. */
import type { DependencyScope, Ecosystem } from "@forgeline/schemas/statistics/dependencies.ts";

export interface ManifestRows {
  readKnown: {
    path: string;
    oid: string;
  };
  deleteManifests: never;
  insertManifest: never;
  insertDependencies: never;
  readManifests: {
    computed_at: Date | null;
    commit: string | null;
    total_commits: number;
    is_waiting: boolean;
    problem: string | null;
    manifests: {
      path: string;
      ecosystem: Ecosystem;
      format: string;
      problem: string | null;
      dependencies: number;
    }[];
  };
  readNodes: {
    total: number;
    rows: {
      manifest: string;
      ecosystem: Ecosystem;
      position: number;
      name: string;
      requirement: string | null;
      version: string | null;
      direct: boolean;
      scope: DependencyScope;
      requires: number[];
    }[];
  };
}

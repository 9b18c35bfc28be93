/** Made by `node scripts/generate-rows.ts` from the statements of manifest.store.ts; do not edit. */

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
    manifests: unknown;
  };
  readNodes: {
    total: number;
    rows: unknown;
  };
}

/**
 * Files in which everything meets: nearly each test reaches nearly each source through one of them, which says nothing. Imports
 * are followed up to them and no further; the noun of what changed leads on.
 */
export const hubs: ReadonlySet<string> = new Set([
  "server/container.ts",
  "server/main.ts",
  "server/platform/http/app.ts",
  "server/edges/rest/api-router.ts",
  "server/edges/http-server.ts",
  "server/edges/rest/register-routes.ts",
  "server/domains/accounts/domain.ts",
  "server/domains/hosting/domain.ts",
  "server/domains/operation/domain.ts",
  "server/domains/organizations/domain.ts",
  "server/domains/pipelines/domain.ts",
  "server/domains/policy/domain.ts",
  "server/domains/upkeep/domain.ts",
  "server/platform/platform.ts",
  "cli/command-line.ts",
  "launcher/instance.ts",
  "runner/agent.ts",
  "runner/main.ts",
  "workflows/worker/create-worker.ts",
  "workflows/worker/main.ts",
  "web/src/app/routes.tsx",
  "test/mutants/all.ts",
  "test/support/api-server.ts",
  "test/support/bed.ts",
  "test/support/browser.ts",
  "test/support/command-line.ts",
  "test/support/database.ts",
  "test/support/go.ts",
  "test/support/instance.ts",
  "test/support/program.ts",
  "test/support/programs/needed.ts",
  "test/support/programs/needs.ts",
]);

/** All that reach `file` through imports, each with the number of steps; not through a hub, which `file` may be. */
export function reach(
  importers: ReadonlyMap<string, readonly string[]>,
  file: string,
): ReadonlyMap<string, number> {
  const steps = new Map([[file, 0]]);
  for (const [path, step] of steps) {
    if (path !== file && hubs.has(path)) continue;
    for (const importer of importers.get(path) ?? []) if (!steps.has(importer)) steps.set(importer, step + 1);
  }
  steps.delete(file);
  return steps;
}

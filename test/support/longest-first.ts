/**
 * The order of test files: long ones first, so that no worker is left with one when the others have nothing to do; and those that
 * have a process of their own before all others, since Vitest ends a shared process where the next file is none that shares it.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readKnownSeconds } from "./costs/known-seconds.ts";

/** Where no run has told better: seconds of those that take long, on two cores; below `test/`. All others are short. */
export const slowFiles: Readonly<Record<string, number>> = {
  "integration/faults/server.test.ts": 110,
  "integration/scenarios.test.ts": 100,
  "integration/exec-scenarios.test.ts": 30,
  "integration/launcher/start.test.ts": 90,
  "integration/launcher/backup.test.ts": 85,
  "integration/bench.test.ts": 75,
  "contract/schemathesis.test.ts": 40,
  "integration/faults/worker-points.test.ts": 70,
  "integration/faults/docker.test.ts": 70,
  "integration/faults/outages.test.ts": 80,
  "integration/faults/clock.test.ts": 60,
  "integration/faults/runner.test.ts": 60,
  "integration/faults/slow-consumer.test.ts": 55,
  "integration/launcher/stop-while-starting.test.ts": 53,
  "integration/git/exchange-limits.test.ts": 16,
  "integration/api/notifications/asked-and-awaited.test.ts": 16,
  "integration/faults/network.test.ts": 45,
  "integration/faults/pushes.test.ts": 45,
  "integration/cli/exec.test.ts": 40,
  "integration/runner/engine-image-cache.test.ts": 16,
  "integration/runner/other-daemons.test.ts": 25,
  "integration/runner/process-executor.test.ts": 20,
  "integration/runner/process-runs.test.ts": 25,
  "integration/runner/scale-runners.test.ts": 20,
  "integration/runner/signed-jobs.test.ts": 35,
  "integration/cli/repositories.test.ts": 20,
  "integration/api/merge-request-branches/merge-request-branches.test.ts": 20,
  "security/edits-by-maintainers.test.ts": 20,
  "integration/faults/keys.test.ts": 40,
  "integration/api/pipelines/downstream.test.ts": 31,
  "integration/api/pipelines/downstream-waits.test.ts": 18,
  "security/79-downstream-bombs.test.ts": 29,
  "integration/faults/webhooks.test.ts": 60,
  "web/diffs.test.ts": 31,
  "web/merge-requests.test.ts": 25,
  "web/reviews.test.ts": 25,
  "web/issues.test.ts": 20,
  "web/signed-commits.test.ts": 16,
  "integration/api/code-owners/code-owners.test.ts": 22,
  "integration/faults/mirrors.test.ts": 85,
  "integration/api/keys/key-rotations.test.ts": 20,
  "web/hostile.test.ts": 40,
  "hostile/72-81-files.test.ts": 25,
  "security/41-private-images.test.ts": 18,
  "hostile/39-random-files.test.ts": 14,
  "hostile/42-hidden-disk.test.ts": 11,
  "hostile/71-image.test.ts": 15,
  "hostile/75-leftovers.test.ts": 15,
  "hostile/76-closed-network.test.ts": 40,
  "hostile/76-egress.test.ts": 25,
  "hostile/76-elsewhere.test.ts": 10,
  "hostile/76-machine.test.ts": 16,
  "hostile/76-runner.test.ts": 18,
  "integration/faults/lost-runner.test.ts": 40,
  "integration/faults/starving.test.ts": 40,
  "security/access-matrix/access-matrix.test.ts": 38,
  "integration/faults/drain.test.ts": 37,
  "integration/cli/administration.test.ts": 39,
  "integration/faults/worker.test.ts": 36,
  "security/39-create-options.test.ts": 35,
  "integration/cli/login.test.ts": 18,
  "integration/git/lfs/client.test.ts": 32,
  "integration/git/crash.test.ts": 28,
  "integration/git/bad-input/floods.test.ts": 20,
  "security/37-secrets-at-rest.test.ts": 31,
  "integration/git/ssh/limits.test.ts": 24,
  "integration/workflows/refused-runs.test.ts": 20,
  "integration/faults/refused-tenant.test.ts": 16,
  "integration/git/neighbours.test.ts": 22,
  "integration/cli/pipelines.test.ts": 22,
  "integration/cli/convert.test.ts": 22,
  "integration/api/merge-requests/merge-requests.test.ts": 19,
  "integration/api/merge-queue/merge-queue.test.ts": 28,
  "integration/api/merge-queue/untested.test.ts": 18,
  "integration/api/merge-queue/several-batches.test.ts": 17,
  "integration/api/merge-requests/auto-merges.test.ts": 17,
  "integration/api/merge-requests/races.test.ts": 25,
  "integration/api/statistics/statistics.test.ts": 19,
  "integration/runner/faults.test.ts": 18,
  "security/44-runner-speaks-for-others.test.ts": 18,
  "security/access-matrix/named-in-request.test.ts": 17,
  "security/42-exhaustion.test.ts": 25,
  "integration/server/observability.test.ts": 16,
  "integration/api/background-work/work.test.ts": 16,
  "integration/server/process.test.ts": 15,
  // Skipped but at full size.
  "integration/faults/push-mirrors.test.ts": 1,
  "integration/faults/fork-syncs.test.ts": 1,
  "integration/faults/audit-exports.test.ts": 1,
  "integration/faults/audit-streams.test.ts": 1,
  "integration/faults/schedules.test.ts": 1,
};

const directory = new URL("..", import.meta.url).pathname;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = await readKnownSeconds();
    const seconds = ({ moduleId }: TestSpecification) => {
      const name = relative(directory, moduleId);
      return known[name] ?? slowFiles[name] ?? 0;
    };
    const isAlone = ({ project }: TestSpecification) => Number(project.config.isolate);
    return (await super.sort(files)).toSorted((a, b) => isAlone(b) - isAlone(a) || seconds(b) - seconds(a));
  }
}

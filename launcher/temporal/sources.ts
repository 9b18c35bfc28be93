/**
 * The sources that Temporal is built from: copies of its two modules without what our configuration never uses, and beside
 * them our own module, `build/`, whose small files stand in for what others still name. Half of the time of a build went
 * into clouds, Kubernetes and databases that are never reached here. The library of each is large, and asking for one is an
 * error that says so.
 */
import { cp, copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { temporalModules } from "../versions.ts";

export type TemporalModule = keyof typeof temporalModules;

/** Our module; its folders named as Temporal's modules hold what is laid over the copies. */
export const buildDirectory = fileURLToPath(new URL("build", import.meta.url));

const forTests = /(_test|_mock)\.go$/;

/** Files and folders; of what `build/` has under the same name, that is there instead. */
export const excludedPaths: Readonly<Record<TemporalModule, readonly string[]>> = {
  server: [
    "go.mod",
    "common/archiver/gcloud",
    "common/archiver/s3store",
    "common/persistence/cassandra",
    "common/persistence/nosql",
    "common/persistence/sql/sqlplugin/mysql",
    "common/persistence/sql/sqlplugin/postgresql/driver/pgx.go",
    "common/persistence/sql/sqlplugin/sqlite",
    "common/persistence/visibility/store/elasticsearch/client/aws.go",
    // Parts of tests, by other names.
    "common/membership/ringpop/test_cluster.go",
    "common/persistence/sql/test_sql_persistence.go",
    "common/resourcetest",
    "service/history/shard/context_testutil.go",
    "service/history/workflow/test_util.go",
    "tests",
  ],
  // It starts workers of its own in these; a kind that did not register itself is refused as unknown.
  "auto-scaled-workers": [
    "go.mod",
    ...["aws", "aws_agentcore", "aws_ecs", "aws_lambda", "gcp", "gcp_cloudrun", "k8s"].map(
      (name) => `wci/workflow/compute_provider/${name}.go`,
    ),
  ],
};

/** Into an empty or missing `target`; `unpacked` says where each module lies. */
export async function layOutSources(
  unpacked: Readonly<Record<TemporalModule, string>>,
  target: string,
): Promise<void> {
  for (const name of Object.keys(excludedPaths) as TemporalModule[])
    await copyModule({ from: unpacked[name], to: join(target, name) }, new Set(excludedPaths[name]));
  await cp(buildDirectory, target, { recursive: true });
}

/** Go keeps modules read-only, folders too; the copy's folders are recreated, so that it can be changed and removed. */
async function copyModule(
  { from, to }: { from: string; to: string },
  without: ReadonlySet<string>,
  inside = "",
): Promise<void> {
  await mkdir(join(to, inside), { recursive: true });
  for (const entry of await readdir(join(from, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name);
    if (without.has(path) || forTests.test(path)) continue;
    if (entry.isDirectory()) await copyModule({ from, to }, without, path);
    else await copyFile(join(from, path), join(to, path));
  }
}

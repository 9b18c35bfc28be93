/** Rows of manifests and their dependencies. */
import type { DependencyGraphQuery } from "@forgeline/schemas/statistics/routes.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ManifestRows } from "./manifest.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import type { ManifestChanges, ManifestFile } from "./manifests/collect.ts";
import { headColumns, headFrom, type StatisticsHead } from "./read.store.ts";

export function readKnown(db: Queryable, repositoryId: string): Promise<ManifestFile[]> {
  return db.query(statements.readKnown, [repositoryId]);
}

const rowsAtOnce = 2_000;

const nodes = `from repository_dependencies d
  join repository_manifests f on f.repository_id = d.repository_id and f.path = d.path
  where d.repository_id = $1 and ($2::text is null or d.path = $2) and ($3::text is null or f.ecosystem = $3)
    and ($4::text is null or d.name = $4) and ($5::boolean is null or d.direct = $5)`;

export const statements = defineStatements<ManifestRows>({
  readKnown: "select path, oid from repository_manifests where repository_id = $1",
  deleteManifests:
    "delete from repository_manifests where repository_id = $1 and ($2::text[] is null or path = any ($2))",
  insertManifest: `
    insert into repository_manifests (repository_id, path, ecosystem, format, oid, problem)
    values ($1, $2, $3, $4, $5, $6)`,
  insertDependencies: `
    insert into repository_dependencies
      (repository_id, path, position, name, requirement, version, direct, scope, requires)
    select $1, $2, d.position, d.name, d.requirement, d.version, d.direct, d.scope, array(
      select jsonb_array_elements_text(d.requires)::integer)
    from jsonb_to_recordset($3::jsonb) as d(position integer, name text, requirement text, version text,
      direct boolean, scope text, requires jsonb)`,
  readManifests: `
    select ${headColumns}, (
      select coalesce(jsonb_agg(jsonb_build_object('path', f.path, 'ecosystem', f.ecosystem, 'format', f.format,
        'problem', f.problem, 'dependencies', (select count(*) from repository_dependencies d
          where d.repository_id = f.repository_id and d.path = f.path)) order by f.path), '[]')
      from repository_manifests f where f.repository_id = $1) as manifests
    ${headFrom} where r.id = $1`,
  readNodes: `
    select (select count(*) ${nodes}) as total, (select coalesce(jsonb_agg(to_jsonb(n) order by n.manifest, n.position), '[]')
    from (select d.path as manifest, f.ecosystem, d.position, d.name, d.requirement, d.version, d.direct, d.scope,
      d.requires ${nodes} order by d.path, d.position limit $6 offset $7) n) as rows`,
});

/** `gone` null: all of them. */
export async function changeManifests(
  tx: Transaction,
  repositoryId: string,
  { gone, read }: { gone: string[] | null; read: ManifestChanges["read"] },
): Promise<void> {
  await tx.query(statements.deleteManifests, [repositoryId, gone]);
  for (const { path, oid, format, problem, dependencies } of read) {
    await tx.query(statements.insertManifest, [
      repositoryId,
      path,
      format.ecosystem,
      format.format,
      oid,
      problem,
    ]);
    const rows = dependencies.map((one, position) => ({ ...one, position }));
    for (let start = 0; start < rows.length; start += rowsAtOnce)
      await tx.query(statements.insertDependencies, [
        repositoryId,
        path,
        JSON.stringify(rows.slice(start, start + rowsAtOnce)),
      ]);
  }
}

export type ManifestRow = ManifestRows["readManifests"]["manifests"][number];

export type ManifestsRow = StatisticsHead & { manifests: ManifestRow[] };

/** undefined when the repository is gone. */
export function readManifests(db: Queryable, repositoryId: string): Promise<ManifestsRow | undefined> {
  return db.one(statements.readManifests, [repositoryId]);
}

export type NodeRow = ManifestRows["readNodes"]["rows"][number];

export async function readNodes(
  db: Queryable,
  repositoryId: string,
  query: DependencyGraphQuery,
): Promise<{ rows: NodeRow[]; total: number }> {
  const { manifest, ecosystem, name, direct } = query;
  const filters = [repositoryId, manifest, ecosystem, name, direct].map((each) => each ?? null);
  const row = await db.one(statements.readNodes, [...filters, query.per_page, offsetOf(query)]);
  return row ?? { rows: [], total: 0 };
}

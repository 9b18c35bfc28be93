/**
 * Reconciles database, repositories and objects when one is older than the others, as after a restore. Repositories and
 * objects are taken as they are; the database is changed to match, and each difference is reported. To be run while no
 * server of the instance is running. It can be killed and run again, and then reports what is left: after a complete run,
 * only lost logs.
 */
import type { Database } from "../../../platform/db/database.ts";
import { shortRefName, zeroId } from "../../../platform/git/refs/names.ts";
import { type Checkpoints, recordAudit } from "../../operation/domain.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import type {
  LfsObjectsCheck,
  RefRecords,
  PushService,
  RepositoryDirectories,
  KeptRepository,
} from "../../hosting/domain.ts";
import type { Automation } from "../../automation/domain.ts";
import type { LogObjectsCheck } from "../../pipelines/domain.ts";
import type { MaintenanceService } from "../maintenance/service.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { countKinds, type Finding } from "./finding.ts";

export interface RepairService {
  /** All differences, in words; empty if there are none. */
  run(): Promise<Finding[]>;
}

export interface RepairDeps {
  db: Database;
  directories: RepositoryDirectories;
  pushes: Pick<PushService, "settleAll">;
  refRecords: RefRecords;
  maintenance: Pick<MaintenanceService, "reportDamage">;
  lfsObjects: LfsObjectsCheck;
  logObjects: LogObjectsCheck;
  pauseForcingMirrors: Automation["pauseForcingMirrors"];
  checkpoints: Pick<Checkpoints, "chains" | "rewind" | "compare">;
}

const maxNamed = 20;

export function createRepair(deps: RepairDeps): RepairService {
  return {
    async run() {
      const findings: Finding[] = [];
      await pauseMirrors(deps, findings);
      await makeDirectories(deps, findings);
      const settled = await deps.pushes.settleAll();
      if (settled > 0)
        findings.push({
          kind: "push_settled",
          subject: "pushes",
          text: `${settled} unfinished push(es) were recorded or discarded, according to the refs`,
        });
      for await (const repository of deps.directories.all())
        await compareRefs(deps, repository, findings).catch((error: Error) => {
          // One that Git cannot read must not keep the others from being checked.
          findings.push({ kind: "repository_unreadable", subject: repository.fullName, text: error.message });
        });
      await compareLogs(deps, findings);
      await compareLfs(deps, findings);
      await compareAudit(deps, findings);
      if (findings.length > 0) await record(deps.db, findings);
      return findings;
    },
  };
}

async function pauseMirrors({ pauseForcingMirrors }: RepairDeps, findings: Finding[]): Promise<void> {
  for (const { name, url } of await pauseForcingMirrors())
    findings.push({
      kind: "push_mirror_paused",
      subject: name,
      text: `the push mirror to ${url} may overwrite what is newer there, so it was paused; look at both sides, then resume it`,
    });
}

async function makeDirectories(deps: RepairDeps, findings: Finding[]): Promise<void> {
  for await (const repository of deps.directories.all()) {
    const text = await deps.directories.complete(repository);
    // A deleted repository may be partly removed already, and will be removed completely.
    if (text === undefined || repository.deleted) continue;
    await deps.maintenance.reportDamage(repository.id, [text]);
    findings.push({ kind: "directory_missing", subject: repository.fullName, text });
  }
  for (const id of await deps.directories.setAside(0))
    findings.push({
      kind: "directory_unclaimed",
      subject: id,
      text: `the directory belongs to no repository in the database; it is kept in DATA_DIR/unclaimed/${id}.git for 30 days`,
    });
}

async function compareRefs(
  { refRecords, maintenance }: RepairDeps,
  { id, fullName, deleted }: KeptRepository,
  findings: Finding[],
): Promise<void> {
  const moved = await refRecords.reconcile(id);
  if (moved.length > 0)
    findings.push({
      kind: "refs_recorded",
      subject: fullName,
      text: `${moved.length} ref(s) differed from the last recorded push and were recorded as found: ${named(moved.map(inWords))}`,
    });
  const broken = deleted ? [] : await refRecords.broken(id);
  if (broken.length === 0) return;
  const text = `refs point to missing objects: ${named(broken)}; push them again from a clone`;
  await maintenance.reportDamage(id, [text]);
  findings.push({ kind: "refs_broken", subject: fullName, text });
}

function inWords({ ref, before, after }: RefUpdate): string {
  const name = shortRefName(ref);
  if (before === zeroId) return `${name} is at ${after.slice(0, 12)}, but was not recorded`;
  if (after === zeroId) return `${name} does not exist, but was recorded at ${before.slice(0, 12)}`;
  return `${name} is at ${after.slice(0, 12)}, but was recorded at ${before.slice(0, 12)}`;
}

function named(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return more > 0 ? `${names.slice(0, maxNamed).join("; ")}; and ${more} more` : names.join("; ");
}

async function compareLogs({ logObjects }: RepairDeps, findings: Finding[]): Promise<void> {
  for (const { pipeline, streamId, bytes } of await logObjects.findLost())
    findings.push({
      kind: "log_lost",
      subject: pipeline,
      text: `${bytes} bytes of the log ${streamId} are missing from object storage; the log marks the gap`,
    });
  const removed = await logObjects.removeUnnamed();
  if (removed > 0)
    findings.push({
      kind: "objects_unnamed",
      subject: "logs",
      text: `${removed} object(s) that the database does not refer to were removed; their content is in the database or is newer than it`,
    });
}

async function compareLfs({ lfsObjects }: RepairDeps, findings: Finding[]): Promise<void> {
  const { differences, removed } = await lfsObjects.compare();
  for (const { repository, lost, found } of differences) {
    if (lost.length > 0)
      findings.push({
        kind: "lfs_lost",
        subject: repository,
        text: `${lost.length} Git LFS object(s) are missing from object storage and were removed from the repository; upload them again from a clone with \`git lfs push --all\`: ${named(lost)}`,
      });
    if (found.length > 0)
      findings.push({
        kind: "lfs_recorded",
        subject: repository,
        text: `${found.length} Git LFS object(s) were found in object storage without a record and were added to the repository again: ${named(found)}`,
      });
  }
  if (removed > 0)
    findings.push({
      kind: "objects_unnamed",
      subject: "lfs",
      text: `${removed} Git LFS object(s) were removed because their repository does not exist or their content does not match`,
    });
}

async function compareAudit({ checkpoints }: RepairDeps, findings: Finding[]): Promise<void> {
  for await (const chain of checkpoints.chains()) {
    const rewound = await checkpoints.rewind(chain);
    if (rewound) {
      findings.push({
        kind: "audit_rewound",
        subject: chain,
        text: `the audit log ends at entry ${rewound.last}, but its signed checkpoint is at ${rewound.checkpoint.number}: the entries in between are newer than the restored state; the checkpoint is kept in audit/superseded/`,
      });
      continue;
    }
    const { problem } = await checkpoints.compare(chain);
    if (problem) findings.push({ kind: "audit_differs", subject: chain, text: problem.message });
  }
}

async function record(db: Database, findings: readonly Finding[]): Promise<void> {
  await db.transaction((tx) =>
    recordAudit(tx, systemActor, {
      action: "admin.repair",
      target: { type: "instance", id: "", name: "instance" },
      details: { ...countKinds(findings) },
    }),
  );
}

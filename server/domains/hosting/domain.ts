/** Repositories and all that is in them: branches, commits, files, pushes, Git LFS, statistics, and the rules for them. */
import type { Config } from "../../config/config.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { OrganizationAccess, Policy } from "../policy/domain.ts";
import { createCollaboratorService } from "./collaborators/service.ts";
import { createCommitSignatures, type CommitSignatures } from "./commits/create-signatures.ts";
import { createDeployKeyService } from "./deploy-keys/service.ts";
import { createContents, type ContentParts } from "./create-contents.ts";
import { createFollowers, type HostingFollowers } from "./followers.ts";
import { createForkNetwork } from "./forks/network.ts";
import { createUpstreams } from "./forks/upstreams.ts";
import { createForkService } from "./forks/forks.ts";
import { createGitAccess } from "./git-access/service.ts";
import { createLfs } from "./lfs/create-lfs.ts";
import { createLfsObjectsCheck } from "./lfs/objects-check.ts";
import { createProtections } from "./protections/create-protections.ts";
import { createContentRules } from "./pushes/content-rules.ts";
import { pushEvents } from "./pushes/push-events.ts";
import { createRefRecords } from "./pushes/ref-records.ts";
import { createPushRights, type PushRights } from "./git-access/push-right.ts";
import { createPushService, type PushServiceDeps } from "./pushes/service.ts";
import type { RepositoryRows } from "./repositories/access.ts";
import { createRepositoryDeletion } from "./repositories/deletion.ts";
import { createMirroring } from "./repositories/mirroring.ts";
import { createRepositoryDirectories } from "./repositories/directories.ts";
import { createRepositoryService } from "./repositories/service.ts";
import { createRepositorySettings } from "./repositories/settings.ts";
import { createRepositoryViews } from "./repositories/views.ts";
import type { VisibleNames } from "./repositories/visible-names.ts";
import { createRepositoryTransfers } from "./repository-transfers/service.ts";
import { createStatistics, statisticsMarks } from "./statistics/create-statistics.ts";
import { createStatisticsReader } from "./statistics/reader.ts";
import { createStorageMeter } from "./storage/meter.ts";
import { createStorageService } from "./storage/service.ts";
import { createGitignores } from "./templates/gitignores.ts";
import { createLicenses } from "./templates/licenses.ts";

export interface HostingDeps {
  config: Config;
  platform: Platform;
  policy: Policy;
  accounts: Accounts;
  repositoryAccess: RepositoryRows;
  visibleNames: VisibleNames;
  organizationAccess: OrganizationAccess;
  /** Ends all grants of teams on a repository that gets another owner. */
  endTeamGrants(tx: Transaction, repositoryId: string): Promise<void>;
}

export type Hosting = ReturnType<typeof createHosting>;

export function createHosting(deps: HostingDeps) {
  const { config, platform } = deps;
  const stored: Stored = { ...platform, runGit: platform.git.run, registry: platform.metrics };
  const followers = createFollowers();
  const storageMeter = createStorageMeter({ ...stored, logBytes: followers.logBytes });
  const { lfs, pushRights } = createLfsAndRights(deps, { followers, storageMeter });
  const parts = { stored, followers, lfs, storageMeter };
  const ofRepositories = createRepositories(deps, parts);
  const signatures = createCommitSignatures(platform, deps.accounts.commitSigners);
  const protections = createRules(deps, { ...parts, signatures, pushRights });
  const pushes = createPushes(deps, {
    ...parts,
    refGuard: protections.refGuard,
    adoptFirstBranch: ofRepositories.repositories.adoptFirstBranch,
  });
  const ofGit = { ...platform.exchanges, ...deps.policy, ...protections, pushes, lfs };
  return {
    ...ofRepositories,
    ...protections,
    ...createContentsFor(deps, { ...stored, ...ofRepositories, ...signatures, ...protections, pushes }),
    /** For commits that other domains make in somebody's name. */
    signCommit: signatures.signCommit,
    repositoryAccess: deps.repositoryAccess,
    /** For the repair. */
    refRecords: createRefRecords({ ...stored, git: platform.git, measure: storageMeter.mark }),
    lfsObjects: createLfsObjectsCheck({ ...stored, measure: storageMeter.mark }),
    collaborators: createCollaboratorService({ db: platform.db, users: deps.accounts.users }),
    deployKeys: createDeployKeyService({ db: platform.db, deployKeys: deps.accounts.deployKeys }),
    pushes,
    gitAccess: createGitAccess({ ...platform, ...ofGit }),
    lfs,
    storageMeter,
    storageUse: createStorageService({ db: platform.db, lfs, config }),
    ...createStatistics({ ...stored, config }),
    statisticsReader: createStatisticsReader(platform),
    /** Adds a domain that builds on repositories. */
    follow: followers.follow,
    followPushes: followers.followPushes,
    /** Other domains that a transfer concerns change their records here. */
    onTransfer: followers.onTransfer,
    onDeletion: followers.onDeletion,
    onGain: followers.onGain,
    lifecycle: joinLifecycles([pushes]),
  };
}

/** What the services here depend on. */
type Stored = Platform & { runGit: Platform["git"]["run"]; registry: Platform["metrics"] };

interface RepositoryParts {
  stored: Stored;
  followers: HostingFollowers;
  lfs: ReturnType<typeof createLfs>;
  storageMeter: ReturnType<typeof createStorageMeter>;
}

type PushParts = RepositoryParts & Pick<PushServiceDeps, "adoptFirstBranch" | "refGuard">;

/** Git LFS asks who may push, as Git does. */
function createLfsAndRights(
  { config, platform, policy, accounts }: HostingDeps,
  { followers, storageMeter }: Pick<RepositoryParts, "followers" | "storageMeter">,
) {
  const pushRights = createPushRights({ ...policy, ...followers.judged });
  const lfs = createLfs({ ...platform, ...policy, ...accounts, config, storageMeter, pushRights });
  return { lfs, pushRights };
}

type RuleParts = RepositoryParts & { signatures: CommitSignatures; pushRights: PushRights };

/** Who may push, and what rules say of it. */
function createRules(
  { policy: { authorizer } }: HostingDeps,
  { stored, followers, signatures, pushRights }: RuleParts,
) {
  const { judged } = followers;
  return { ...createProtections({ ...stored, ...signatures, authorizer, judged, pushRights }), pushRights };
}

/** Branches, commits and files. */
function createContentsFor(
  { policy: { authorizer }, accounts: { users } }: HostingDeps,
  parts: Omit<ContentParts, "authorizer" | "users">,
) {
  return createContents({ ...parts, authorizer, users });
}

function createPushes(
  { config, platform, accounts }: HostingDeps,
  { stored, followers, storageMeter, refGuard, adoptFirstBranch }: PushParts,
) {
  return createPushService({
    ...stored,
    refGuard,
    adoptFirstBranch,
    // The push is told before what it starts. Then those of other domains: rows are locked in one order.
    followers: () => [
      pushEvents,
      ...followers.pushes(),
      storageMeter.pushFollower(),
      statisticsMarks.pushFollower(),
    ],
    keyHolders: accounts.keyHolders,
    contentRules: createContentRules({ git: platform.git, maxFileBytes: config.maxFileBytes }),
    maxRepositoryBytes: config.maxRepositoryBytes,
  });
}

/** Repositories as a whole: creates, finds, changes, transfers and deletes them. */
function createRepositories(deps: HostingDeps, parts: RepositoryParts) {
  const { stored, followers, lfs, storageMeter } = parts;
  const templates = { licenses: createLicenses(), gitignores: createGitignores() };
  const markStatistics = statisticsMarks.mark;
  const views = createRepositoryViews(deps.visibleNames);
  const shared = {
    ...stored,
    templates,
    views,
    repositoryAccess: deps.repositoryAccess,
    users: deps.accounts.users,
    organizations: deps.organizationAccess,
    marks: [storageMeter.mark, markStatistics],
    whenGained: followers.gained,
  };
  const removeContent = async (repositoryId: string) => {
    await followers.removeContent(repositoryId);
    await lfs.removeContent(repositoryId);
  };
  const repositoryDeletion = createRepositoryDeletion({
    ...stored,
    views,
    markStatistics,
    removeContent,
    whenDeleted: followers.deleted,
  });
  const repositories = createRepositoryService(shared);
  const repositoryDirectories = createRepositoryDirectories(stored);
  return {
    templates,
    repositories,
    repositorySettings: createRepositorySettings({ ...stored, views, markStatistics }),
    repositoryDeletion,
    repositoryDirectories,
    mirroring: createMirroring(shared),
    repositoryTransfers: createRepositoryTransfers({
      ...shared,
      requireRoom: lfs.requireRoom,
      endTeamGrants: deps.endTeamGrants,
      whenTransferred: followers.transferred,
    }),
    upstreams: createUpstreams({ ...shared, repositories }),
    forkNetwork: createForkNetwork(stored),
    forks: createForkService({ ...shared, repositories, removeContent, copyContent: lfs.copyObjects }),
  };
}

// What other domains and the edges may use.
export { collaborations } from "./collaborators/collaborations.ts";
export { presentCollaborator } from "./collaborators/present.ts";
export { downloadType, rawContentType } from "./contents/text.ts";
export { presentDeployKey } from "./deploy-keys/present.ts";
export { checkedBytes, mismatch } from "./lfs/verified-stream.ts";
export { minUploadBytes, uploadIdleMs } from "./lfs/expiry.ts";
export { lfsTokenPrefix } from "./lfs/token.ts";
export { presentBranchProtection, presentTagProtection } from "./protections/present.ts";
export { createExamination } from "./pushes/examine-content.ts";
export { refProblem } from "./pushes/check-ref-updates.ts";
export { createRepositoryAccess } from "./repositories/access.ts";
export { createRepositoryCatalog } from "./repositories/catalog.ts";
export { presentEventRepository, presentRepository } from "./repositories/present.ts";
export { recordRepositoryEvents, recordRepositoryPing } from "./repositories/repository-events.ts";
export { repositoryAddress } from "./repositories/repository-address.ts";
export { createVisibleNames } from "./repositories/visible-names.ts";
export { presentTransfer } from "./repository-transfers/present.ts";
export {
  presentCommitStatistics,
  presentDependencyGraph,
  presentLanguageStatistics,
} from "./statistics/present.ts";
export { presentOwnerUse, presentRepositoryUse } from "./storage/present.ts";
export { presentLicense } from "./templates/present.ts";
export type { ArrivingCommit, BranchInvitation, BranchInvitations } from "./followers.ts";
export type { Bringers } from "./pushes/bringers.ts";
export type { BranchService } from "./branches/service.ts";
export type { BranchWriter } from "./branches/writer.ts";
export type { CollaboratorService } from "./collaborators/service.ts";
export type { BlameService } from "./commits/blame.ts";
export type { ChangedFiles, ChangedFilesPage, ShownRange } from "./commits/changed-files.ts";
export type { CommitComparison } from "./commits/comparison.ts";
export type { PushedCommits } from "./commits/pushed-commits.ts";
export type { CommitService } from "./commits/service.ts";
export type { Archive, Archives } from "./contents/archives.ts";
export type { RawFile, RawFiles } from "./contents/raw-files.ts";
export type { ContentsService } from "./contents/service.ts";
export type { ContentsWriter } from "./contents/writer.ts";
export type { DeployKeyService } from "./deploy-keys/service.ts";
export type { ForkService } from "./forks/forks.ts";
export type { ForkNetwork } from "./forks/network.ts";
export type { Upstreams } from "./forks/upstreams.ts";
export type { GitExchange, GitProgram } from "./git-access/exchange.ts";
export type { GitAccess } from "./git-access/service.ts";
export type { LfsAdmitted, LfsCaller } from "./lfs/admission.ts";
export type { Lfs } from "./lfs/create-lfs.ts";
export type { LfsLink, LinkMethod } from "./lfs/link.ts";
export type { LfsObjectsCheck } from "./lfs/objects-check.ts";
export type { LfsOperation } from "./lfs/operations.ts";
export type { LfsTransfers } from "./lfs/transfers.ts";
export { distinctChecks, isPassed, nameOfCheck } from "./protections/checks.ts";
export type { CheckOutcome, CheckState, CheckWanted } from "./protections/checks.ts";
export type { BranchRules } from "./protections/create-protections.ts";
export type { UnverifiedChanges } from "./protections/unverified-changes.ts";
export type { UnverifiedCommit } from "./protections/unverified-commits.ts";
export { nameUnverified } from "./protections/unverified-words.ts";
export type { MergePass, MergeVerdict } from "./protections/merge-pass.ts";
export type { Rule } from "./protections/protections.store.ts";
export type { ProtectionService } from "./protections/service.ts";
export type { ExamineContent } from "./pushes/examine-content.ts";
export type { PushFollower, RecordedPush } from "./pushes/push.ts";
export type { RefRecords } from "./pushes/ref-records.ts";
export type { PushRights } from "./git-access/push-right.ts";
export type { PushService } from "./pushes/service.ts";
export type { RepositoryRows } from "./repositories/access.ts";
export type { RepositorySnapshot } from "./repositories/present.ts";
export type { RepositoryDeletion } from "./repositories/deletion.ts";
export type { Mirroring } from "./repositories/mirroring.ts";
export type { RepositoryDirectories } from "./repositories/directories.ts";
export type { KeptRepository } from "./repositories/directory.store.ts";
export type { RepositoryService } from "./repositories/service.ts";
export type { RepositorySettings } from "./repositories/settings.ts";
export type { RepositoryTransfers } from "./repository-transfers/service.ts";
export type { StatisticsComputation } from "./statistics/computation.ts";
export type { StorageService } from "./storage/service.ts";
export type { Gitignores } from "./templates/gitignores.ts";
export type { Licenses } from "./templates/licenses.ts";
export type { StatisticsReader } from "./statistics/reader.ts";

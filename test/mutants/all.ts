/** Every mutant, room by room. */
import { accounts } from "./accounts.ts";
import { askedBounds } from "./asked-bounds.ts";
import { audit } from "./audit.ts";
import { clients } from "./clients.ts";
import { collaborationMutants } from "./collaboration.ts";
import { compiler } from "./compiler.ts";
import { credentials } from "./credentials.ts";
import { egress } from "./egress.ts";
import { fairShare } from "./fair-share.ts";
import { floods } from "./floods.ts";
import { heldPlaces } from "./held-slots.ts";
import { gates } from "./gates.ts";
import { gitMutants } from "./git.ts";
import { gitLocks } from "./git-locks.ts";
import { gitWalls } from "./git-walls.ts";
import { http } from "./http.ts";
import { jobs } from "./jobs.ts";
import { labelSets } from "./label-sets.ts";
import { launcher } from "./launcher.ts";
import { leases } from "./leases.ts";
import { limits } from "./limits.ts";
import { lfsMutants } from "./lfs.ts";
import { logMutants } from "./logs.ts";
import type { Mutant } from "./mutant.ts";
import { oauth } from "./oauth.ts";
import { offers } from "./offers.ts";
import { packets } from "./packets.ts";
import { pipelines } from "./pipelines.ts";
import { policy } from "./policy.ts";
import { runner } from "./runner.ts";
import { runnerBounds } from "./runner-bounds.ts";
import { runnerDisk } from "./runner-disk.ts";
import { runnerHub } from "./runner-hub.ts";
import { runSize } from "./run-size.ts";
import { runs } from "./runs.ts";
import { sshFloods } from "./ssh-floods.ts";
import { walls } from "./walls.ts";
import { keyMutants } from "./keys.ts";
import { mergingMutants } from "./merging.ts";
import { mirrorMutants } from "./mirrors.ts";
import { forkMergeRequestMutants } from "./fork-merge-requests.ts";
import { forkSyncMutants } from "./fork-syncs.ts";
import { auditExportMutants } from "./audit-exports.ts";
import { auditRetentionMutants } from "./audit-retention.ts";
import { auditStreamMutants } from "./audit-streams.ts";
import { pipelineScheduleMutants } from "./pipeline-schedules.ts";
import { pushMirrorMutants } from "./push-mirrors.ts";
import { scheduleMutants } from "./schedules.ts";
import { webhooks } from "./webhooks.ts";

export const mutants: readonly Mutant[] = [
  ...policy,
  ...accounts,
  ...credentials,
  ...oauth,
  ...http,
  ...gates,
  ...gitMutants,
  ...gitLocks,
  ...gitWalls,
  ...lfsMutants,
  ...logMutants,
  ...limits,
  ...floods,
  ...heldPlaces,
  ...runnerBounds,
  ...runnerHub,
  ...labelSets,
  ...fairShare,
  ...leases,
  ...offers,
  ...packets,
  ...sshFloods,
  ...pipelines,
  ...runSize,
  ...runs,
  ...compiler,
  ...runner,
  ...runnerDisk,
  ...egress,
  ...jobs,
  ...walls,
  ...keyMutants,
  ...mirrorMutants,
  ...pushMirrorMutants,
  ...collaborationMutants,
  ...mergingMutants,
  ...forkMergeRequestMutants,
  ...forkSyncMutants,
  ...pipelineScheduleMutants,
  ...auditExportMutants,
  ...auditRetentionMutants,
  ...auditStreamMutants,
  ...scheduleMutants,
  ...webhooks,
  ...askedBounds,
  ...audit,
  ...launcher,
  ...clients,
];

/** All scenarios, in the order in which they are measured. */
import type { Scenario } from "./scenario.ts";
import { execScenario } from "./scenarios/exec.ts";
import { firstLineScenario } from "./scenarios/first-line.ts";
import { gitExchangesScenario } from "./scenarios/git-exchanges.ts";
import { hungryNeighbourScenario } from "./scenarios/hungry-neighbour.ts";
import { listRunsScenario } from "./scenarios/list-runs.ts";
import { manyClonesScenario } from "./scenarios/many-clones.ts";
import { manyLinesScenario } from "./scenarios/many-lines.ts";
import { manyPipelinesScenario } from "./scenarios/many-pipelines.ts";
import { manyPushesScenario } from "./scenarios/many-pushes.ts";
import { manyRunnersScenario } from "./scenarios/many-runners.ts";
import { manyWatchersScenario } from "./scenarios/many-watchers.ts";
import { proveAuditScenario } from "./scenarios/prove-audit.ts";
import { pushScenario } from "./scenarios/push.ts";
import { readRepositoryScenario } from "./scenarios/read-repository.ts";
import { threeStagesScenario } from "./scenarios/three-stages.ts";
import { webPagesScenario } from "./scenarios/web-pages.ts";
import { matrixScenario } from "./scenarios/matrix.ts";
import { mirrorsScenario } from "./scenarios/mirrors.ts";
import { searchLogsScenario } from "./scenarios/search-logs.ts";
import { schedulesScenario } from "./scenarios/schedules.ts";
import { expireAuditScenario } from "./scenarios/expire-audit.ts";
import { exportAuditScenario } from "./scenarios/export-audit.ts";
import { streamAuditScenario } from "./scenarios/stream-audit.ts";
import { artifactsScenario } from "./scenarios/artifacts.ts";
import { cachesScenario } from "./scenarios/caches.ts";
import { testReportsScenario } from "./scenarios/test-reports.ts";
import { webhooksScenario } from "./scenarios/webhooks.ts";
import { collaborationReadsScenario } from "./scenarios/collaboration-reads.ts";
import { mergeRequestScenario } from "./scenarios/merge-request.ts";
import { changedFilesScenario } from "./scenarios/changed-files.ts";
import { mergeButtonScenario } from "./scenarios/merge-button.ts";
import { mergeabilityScenario } from "./scenarios/mergeability.ts";
import { teamMentionScenario } from "./scenarios/team-mention.ts";
import { inboxScenario } from "./scenarios/inbox.ts";
import { mergeRequestPagesScenario } from "./scenarios/merge-request-pages.ts";
import { searchWordsScenario } from "./scenarios/search-words.ts";

export const scenarios: readonly Scenario[] = [
  firstLineScenario,
  threeStagesScenario,
  pushScenario,
  manyLinesScenario,
  manyPipelinesScenario,
  manyWatchersScenario,
  readRepositoryScenario,
  listRunsScenario,
  proveAuditScenario,
  manyClonesScenario,
  gitExchangesScenario,
  manyPushesScenario,
  webPagesScenario,
  hungryNeighbourScenario,
  webhooksScenario,
  mirrorsScenario,
  schedulesScenario,
  exportAuditScenario,
  streamAuditScenario,
  expireAuditScenario,
  matrixScenario,
  execScenario,
  searchLogsScenario,
  cachesScenario,
  artifactsScenario,
  testReportsScenario,
  manyRunnersScenario,
  collaborationReadsScenario,
  mergeRequestScenario,
  changedFilesScenario,
  mergeButtonScenario,
  mergeabilityScenario,
  teamMentionScenario,
  inboxScenario,
  mergeRequestPagesScenario,
  searchWordsScenario,
];

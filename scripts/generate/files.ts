/** Which files are generated, and their text as it should be now. */
import { dashboardFiles } from "../dashboards/files.ts";
import { generateChoices, generateClient, generateLogFrame, generateStatuses } from "./client.ts";
import { generateConfigurationPage } from "./configuration.ts";
import { generateAuditPage, generateErrorPage, generateMetricsPage } from "./catalogue-pages.ts";
import { generateHousePage } from "./house.ts";
import { generatePipelineSchema } from "./pipeline-schema.ts";
import { generateOpenApi } from "./openapi.ts";
import {
  generateEnginePage,
  generateGitPage,
  generateLogsPage,
  generateCollaborationPage,
  generateMergeQueuePage,
  generateWebhooksPage,
  generateConcurrencyPage,
  generateShellsPage,
  generatePlacementsPage,
  generateRunnerProtocolPage,
  generateWorkflowPage,
} from "./state-tables.ts";

/** Path in the repository → content. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const openApi = await generateOpenApi();
  const pipelineSchema = generatePipelineSchema();
  return {
    [pipelineSchema.path]: pipelineSchema.text,
    "schemas/generated/openapi.json": openApi,
    "clients/ts/generated/api.ts": await generateClient(openApi),
    "clients/ts/generated/choices.ts": generateChoices(),
    "clients/ts/generated/log-frame.ts": await generateLogFrame(),
    "clients/ts/generated/statuses.ts": generateStatuses(),
    "docs/architecture/engine.md": await generateEnginePage(),
    "docs/architecture/git.md": await generateGitPage(),
    "docs/architecture/house.md": await generateHousePage(),
    "docs/architecture/logs.md": await generateLogsPage(),
    "docs/architecture/collaboration.md": await generateCollaborationPage(),
    "docs/architecture/merge-queue.md": await generateMergeQueuePage(),
    "docs/architecture/webhooks.md": await generateWebhooksPage(),
    "docs/architecture/shells.md": await generateShellsPage(),
    "docs/architecture/concurrency.md": await generateConcurrencyPage(),
    "docs/architecture/placements.md": await generatePlacementsPage(),
    "docs/architecture/runner-protocol.md": await generateRunnerProtocolPage(),
    "docs/architecture/workflow.md": await generateWorkflowPage(),
    "docs/audit.md": await generateAuditPage(),
    "docs/errors.md": await generateErrorPage(),
    "docs/operations/configuration.md": generateConfigurationPage(),
    "docs/operations/metrics.md": await generateMetricsPage(),
    ...dashboardFiles(),
  };
}

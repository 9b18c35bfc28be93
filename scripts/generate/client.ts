/** `clients/ts/generated/api.ts`: the types of the OpenAPI document, by openapi-typescript and its own TypeScript 5. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { approvalLevels } from "@forgeline/schemas/approvals/level.ts";
import { ListWorkQuery } from "@forgeline/schemas/background-work/routes.ts";
import { Plan } from "@forgeline/schemas/core/plans.ts";
import { PushLevel } from "@forgeline/schemas/core/ref-rules.ts";
import { repositoryLevels } from "@forgeline/schemas/core/repository-levels.ts";
import { mergeStrategies } from "@forgeline/schemas/core/merge-strategies.ts";
import { reviewEvents, reviewStates } from "@forgeline/schemas/reviews/resource.ts";
import { updateMethods } from "@forgeline/schemas/merge-request-branches/resource.ts";
import { importKinds, importSources } from "@forgeline/schemas/imports/resource.ts";
import { maxColumnLimit } from "@forgeline/schemas/boards/resource.ts";
import { maxQueryChars } from "@forgeline/schemas/search/resource.ts";
import { reactionNames } from "@forgeline/schemas/reactions/resource.ts";
import { mergeRequestStates } from "@forgeline/schemas/merge-requests/resource.ts";
import { notificationReasons } from "@forgeline/schemas/notifications/resource.ts";
import { mailDigests, weekdays } from "@forgeline/schemas/notifications/settings.ts";
import { subscribableKinds } from "@forgeline/schemas/subscriptions/resource.ts";
import { labelColors } from "@forgeline/schemas/labels/resource.ts";
import { MaintenanceState } from "@forgeline/schemas/maintenance/resource.ts";
import { MilestoneFilter } from "@forgeline/schemas/milestones/routes.ts";
import { jobPermissionLevels } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import { mergeRequestPipelineKinds } from "@forgeline/schemas/repositories/resource.ts";
import { eventsWithChanges, pipelineEventNames } from "@forgeline/schemas/pipeline-file/event.ts";
import { RunSource } from "@forgeline/schemas/pipelines/source.ts";
import { failedStatuses, finalStatuses, statuses } from "@forgeline/schemas/pipelines/status.ts";
import { UpkeepScheduleName } from "@forgeline/schemas/upkeep-schedules/resource.ts";
import { annotationLevels } from "@forgeline/schemas/reports/resource.ts";
import { testStatuses } from "@forgeline/schemas/tests/resource.ts";
import { testSorts } from "@forgeline/schemas/tests/routes.ts";
import { routingTargets, teamReasons } from "@forgeline/schemas/team-routing/resource.ts";
import { SubscribableEvent } from "@forgeline/schemas/events/event-kind.ts";
import { DeliveryStatus } from "@forgeline/schemas/webhooks/resource.ts";
import { DependencyScope } from "@forgeline/schemas/statistics/dependencies.ts";

const heading = "// Generated from schemas/generated/openapi.json by `npm run generate`; do not edit.\n";

interface Generator {
  default(document: unknown, options: { defaultNonNullable: boolean }): Promise<unknown>;
  astToString(ast: unknown): string;
}

export async function generateClient(openApi: string): Promise<string> {
  const require = createRequire(new URL("../../clients/ts/package.json", import.meta.url));
  const generator = require("openapi-typescript") as Generator;
  const ast = await generator.default(JSON.parse(openApi), {
    // A default is the server's: a client may leave the field out.
    defaultNonNullable: false,
  });
  return `${heading}${generator.astToString(ast)}`;
}

/** `clients/ts/generated/log-frame.ts`: the codec of log frames, which clients share with the server by copy. */
export async function generateLogFrame(): Promise<string> {
  const source = new URL("../../schemas/logs/frame.ts", import.meta.url);
  return `// Generated from schemas/logs/frame.ts by \`npm run generate\`; do not edit.\n${await readFile(source, "utf8")}`;
}

/** `clients/ts/generated/statuses.ts`: the statuses of runs as values; types alone cannot be listed or looked up. */
export function generateStatuses(): string {
  return `// Generated from schemas/pipelines/status.ts by \`npm run generate\`; do not edit.

/** Every status that a run, a stage, a job or a step can have, in the order of its life. */
export const statuses = ${listOf(statuses)};

/** Those that never change again. */
export const finalStatuses = ${listOf(finalStatuses)};

/** Those of what did not do what it should. */
export const failedStatuses = ${listOf(failedStatuses)};
`;
}

const workFilters = ListWorkQuery.shape;

/** What users choose from in the CLI and the web interface: the name of each list, its source in `schemas/`, its values. */
const choices: readonly [name: string, source: string, values: readonly string[]][] = [
  ["dependencyScopes", "statistics/dependencies.ts", DependencyScope.options],
  ["jobPermissionLevels", "pipeline-file/file-permissions.ts", jobPermissionLevels],
  ["mergeRequestPipelineKinds", "repositories/resource.ts", mergeRequestPipelineKinds],
  ["maintenanceStates", "maintenance/resource.ts", MaintenanceState.options],
  ["notificationReasons", "notifications/resource.ts", notificationReasons],
  ["mailDigests", "notifications/settings.ts", mailDigests],
  ["weekdays", "notifications/settings.ts", weekdays],
  ["subscribableKinds", "subscriptions/resource.ts", subscribableKinds],
  ["importKinds", "imports/resource.ts", importKinds],
  ["importSources", "imports/resource.ts", importSources],
  ["reviewEvents", "reviews/resource.ts", reviewEvents],
  ["reviewStates", "reviews/resource.ts", reviewStates],
  ["updateMethods", "merge-request-branches/resource.ts", updateMethods],
  ["mergeRequestStates", "merge-requests/resource.ts", mergeRequestStates],
  ["reactionNames", "reactions/resource.ts", reactionNames],
  ["mergeStrategies", "core/merge-strategies.ts", mergeStrategies],
  ["labelColors", "labels/resource.ts", labelColors],
  ["milestoneFilters", "milestones/routes.ts", MilestoneFilter.options],
  ["eventsWithChanges", "pipeline-file/event.ts", eventsWithChanges],
  ["pipelineEvents", "pipeline-file/event.ts", pipelineEventNames],
  ["plans", "core/plans.ts", Plan.options],
  ["approvalLevels", "approvals/level.ts", approvalLevels],
  ["pushLevels", "core/ref-rules.ts", PushLevel.options],
  ["repositoryLevels", "core/repository-levels.ts", repositoryLevels],
  ["annotationLevels", "reports/resource.ts", annotationLevels],
  ["testSorts", "tests/routes.ts", testSorts],
  ["testStatuses", "tests/resource.ts", testStatuses],
  ["runSources", "pipelines/source.ts", RunSource.options],
  ["deliveryStatuses", "webhooks/resource.ts", DeliveryStatus.options],
  ["teamReasons", "team-routing/resource.ts", teamReasons],
  ["routingTargets", "team-routing/resource.ts", routingTargets],
  ["webhookEvents", "events/event-kind.ts", SubscribableEvent.options],
  ["upkeepScheduleNames", "upkeep-schedules/resource.ts", UpkeepScheduleName.options],
  ["workKinds", "background-work/routes.ts", workFilters.kind.unwrap().options],
  ["workStates", "background-work/routes.ts", workFilters.state.unwrap().options],
];

/** Bounds that clients keep by themselves where the server would refuse. */
const bounds: readonly [name: string, source: string, value: number][] = [
  ["maxQueryChars", "search/resource.ts", maxQueryChars],
  ["maxColumnLimit", "boards/resource.ts", maxColumnLimit],
];

/** `clients/ts/generated/choices.ts`: values of fields as lists, and bounds. */
export function generateChoices(): string {
  const lists = choices.map(
    ([name, source, values]) => `/** From schemas/${source}. */\nexport const ${name} = ${listOf(values)};\n`,
  );
  const numbers = bounds.map(
    ([name, source, value]) => `/** From schemas/${source}. */\nexport const ${name} = ${value};\n`,
  );
  return `// Generated from schemas/ by \`npm run generate\`; do not edit.\n\n${[...lists, ...numbers].join("\n")}`;
}

function listOf(names: readonly string[]): string {
  return `[${names.map((name) => `\n  "${name}",`).join("")}\n] as const`;
}

/**
 * The server's and worker's configuration: the only place that reads `process.env`. Everything is parsed before
 * anything starts, and every problem is told at once. Each theme has its settings in a file beside this one;
 * `docs/operations/configuration.md` is made from them all.
 */
import { z } from "zod";
import { accountSettings, toAccounts } from "./accounts.ts";
import { attachmentSettings, toAttachmentLimits } from "./attachments.ts";
import { importSettings, toImportLimits } from "./imports.ts";
import { artifactSettings, toArtifactLimits } from "./artifacts.ts";
import { cacheSettings, toCacheLimits } from "./caches.ts";
import { reportSettings, toReportDays } from "./reports.ts";
import { retentionSettings, toRetention } from "./retention.ts";
import { databaseSettings, toDatabases } from "./database.ts";
import { gitSettings, toGitLimits } from "./git.ts";
import { inboundMailProblems, inboundMailSettings, toInboundMail } from "./inbound-mail.ts";
import { lfsSettings, toLfsLimits } from "./lfs.ts";
import { listenProblems, listenSettings, toListening } from "./listen.ts";
import { shellSettings, toShellSettings } from "./shells.ts";
import { openLogSettings, toOpenLogLimits } from "./open-log.ts";
import { outboundSettings, toOutbound } from "./outbound.ts";
import { pageSettings, toPages } from "./pages.ts";
import { defaultPeriods } from "./periods.ts";
import { queueSettings, toQueue } from "./queue.ts";
import { rateLimitSettings, toRateLimits } from "./rate-limits.ts";
import { requestSettings, toRequestSlots } from "./request.ts";
import { runnerProblems, runnerSettings, toRunners } from "./runners.ts";
import { storageSettings, toStorage } from "./storage.ts";
import { toTraces, traceSettings } from "./traces.ts";

/** Every variable, in the order of the operator's page. */
export const Environment = z.object({
  ...databaseSettings,
  ...listenSettings,
  ...storageSettings,
  ...runnerSettings,
  ...queueSettings,
  ...pageSettings,
  ...gitSettings,
  ...lfsSettings,
  ...artifactSettings,
  ...cacheSettings,
  ...attachmentSettings,
  ...importSettings,
  ...reportSettings,
  ...retentionSettings,
  ...rateLimitSettings,
  ...requestSettings,
  ...openLogSettings,
  ...shellSettings,
  ...accountSettings,
  ...inboundMailSettings,
  ...outboundSettings,
  ...traceSettings,
  FORGELINE_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Minimum level of log lines."),
  FORGELINE_SERVER_NAME: z
    .string()
    .max(100)
    .optional()
    .describe("Name of this process in logs; default: role and process id."),
});
type Environment = z.infer<typeof Environment>;

export type Config = ReturnType<typeof toConfig>;

/** Throws an Error whose message lists every problem, one a line. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(set);
  const problems = parsed.success
    ? [...listenProblems(parsed.data), ...runnerProblems(parsed.data), ...inboundMailProblems(parsed.data)]
    : parsed.error.issues.map(
        (issue) =>
          `${issue.path.join(".")}: ${set[String(issue.path[0])] === undefined ? "is required" : issue.message}`,
      );
  if (!parsed.success || problems.length > 0)
    throw new Error(
      `the configuration has ${problems.length} problem(s):\n${problems.map((p) => `  ${p}`).join("\n")}`,
    );
  return toConfig(parsed.data);
}

function toConfig(env: Environment) {
  return {
    ...toDatabases(env),
    ...toListening(env),
    ...toStorage(env),
    runners: toRunners(env),
    queue: toQueue(env),
    ...toPages(env),
    ...toGitLimits(env),
    lfs: toLfsLimits(env),
    artifacts: toArtifactLimits(env),
    caches: toCacheLimits(env),
    attachments: toAttachmentLimits(env),
    imports: toImportLimits(env),
    reportDays: toReportDays(env),
    retention: toRetention(env),
    limits: toRateLimits(env),
    requestSlots: toRequestSlots(env),
    requestIdleMs: env.FORGELINE_REQUEST_IDLE_MS,
    openLogs: toOpenLogLimits(env),
    shells: toShellSettings(env),
    ...toAccounts(env),
    inboundMail: toInboundMail(env),
    outbound: toOutbound(env),
    traces: toTraces(env),
    logLevel: env.FORGELINE_LOG_LEVEL,
    serverName: env.FORGELINE_SERVER_NAME,
    /** No settings: operators have no use for others. */
    periods: defaultPeriods,
  };
}

/**
 * The server's and worker's configuration: the only place that reads `process.env`. Everything is parsed before
 * anything starts, and every problem is told at once. `docs/operations/configuration.md` is made from the schema.
 */
import { isIP } from "node:net";
import { z } from "zod";
import { pipelineTaskQueue } from "@forgeline/schemas/pipelines/workflow.ts";
import { addressRangesSetting } from "../platform/network/address-ranges-setting.ts";
import { parseAddressRanges } from "../platform/network/address-ranges.ts";
import { gitSettings, toGitLimits } from "./git.ts";
import { outboundSettings, toOutbound } from "./outbound.ts";
import { lfsSettings, toLfsLimits } from "./lfs.ts";
import { usualPeriods } from "./periods.ts";
import { rateLimitSettings, toRateLimits } from "./rate-limits.ts";
import { Secret } from "../platform/secret.ts";
import { requestSettings, toRequestSlots } from "./request.ts";
import { openLogSettings, toOpenLogLimits } from "./open-log.ts";
import { sshSettings, toSshConfig } from "./ssh.ts";

const port = (text: string) => z.coerce.number().int().min(0).max(65_535).describe(text);
const milliseconds = (text: string) => z.coerce.number().int().min(1).max(86_400_000).describe(text);
const httpsUrl = (text: string) =>
  z
    .string()
    .regex(/^https:\/\/[^/?#@\s]+$/, "must be https://HOST or https://HOST:PORT, without a path")
    .describe(text);
const addressList = (text: string) =>
  z
    .string()
    .refine(
      (list) => splitList(list).every((entry) => isIP(entry) > 0),
      "must be IP addresses, comma separated",
    )
    .describe(text);

/** What need not be set. */
const optionalText = (text: string) => z.string().optional().describe(text);

/** Every variable, in the order of the operator's page. */
export const Environment = z.object({
  FORGELINE_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgres:// address")
    .describe("PostgreSQL, as the application role. Secret."),
  FORGELINE_OWNER_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgres:// address")
    .optional()
    .describe("PostgreSQL, as the role that owns the tables; only `migrate` needs it. Secret."),
  FORGELINE_DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(500)
    .default(20)
    .describe("Most database connections of one process."),
  TEMPORAL_ADDRESS: z.string().default("127.0.0.1:7233").describe("Temporal's gRPC address."),
  TEMPORAL_NAMESPACE: z.string().default("default").describe("Temporal namespace."),
  FORGELINE_TASK_QUEUE: z
    .string()
    .min(1)
    .default(pipelineTaskQueue)
    .describe("Temporal task queue; installations that share a namespace need one each."),
  FORGELINE_LISTEN: addressList("IP addresses to listen on, comma separated.").default("127.0.0.1"),
  FORGELINE_HTTPS_PORT: port("Port for HTTPS; 0 picks a free one.").default(8443),
  FORGELINE_HTTP_PORT: port(
    "Port that refuses plain HTTP (or takes it from trusted proxies); 0 picks a free one.",
  ).optional(),
  ...sshSettings,
  FORGELINE_PUBLIC_URL: httpsUrl(
    "Address under which users reach this server; default `https://localhost:PORT`.",
  ).optional(),
  FORGELINE_JOB_URL: httpsUrl(
    "Address under which jobs in containers reach this server; default: the public port on `host.docker.internal`.",
  ).optional(),
  FORGELINE_TLS_CERT_FILE: optionalText("PEM certificate chain of the HTTPS port."),
  FORGELINE_TLS_KEY_FILE: optionalText("PEM private key of the certificate."),
  FORGELINE_TLS_CA_FILE: optionalText(
    "PEM of the authority that signed the certificate, where it is not a public one; handed to runners and jobs.",
  ),
  FORGELINE_STOP_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe(
      "How long a server that is told to stop still takes connections while `/readyz` says 503; longer than a load balancer takes to notice, so that it sends none to a closed port.",
    ),
  FORGELINE_TRUSTED_PROXIES: addressRangesSetting(
    "Addresses or CIDR ranges (/8 or narrower) of proxies that end TLS, comma separated; only their X-Forwarded-* headers count.",
  ),
  FORGELINE_METRICS_PORT: port("Port of Prometheus /metrics; 0 picks a free one; unset: none.").optional(),
  FORGELINE_METRICS_LISTEN: addressList("Address of the metrics port.").default("127.0.0.1"),
  FORGELINE_DATA_DIR: z
    .string()
    .min(1)
    .describe("Directory of the server's data; repositories lie below it."),
  FORGELINE_CACHE_DIR: optionalText(
    "Directory for what can be made again, which several processes may share; default `DATA_DIR/cache`.",
  ),
  FORGELINE_KEY_FILE: optionalText(
    "File with this instance's secret key, made on first need; the same for all servers; default `DATA_DIR/instance.key`.",
  ),
  FORGELINE_OBJECT_STORE: z
    .string()
    .regex(/^(file:\/\/\/|s3:\/\/)/, "must be file:///PATH or s3://BUCKET[/PREFIX]")
    .optional()
    .describe(
      "Where finished logs and Git LFS objects go: `file:///PATH` or `s3://BUCKET[/PREFIX]`; default `DATA_DIR/objects`.",
    ),
  FORGELINE_S3_ENDPOINT: optionalText("Address of an S3-compatible server, where it is not AWS."),
  FORGELINE_S3_REGION: z.string().default("us-east-1").describe("S3 region."),
  FORGELINE_S3_ACCESS_KEY_ID: optionalText("S3 access key; without it the AWS default chain is used."),
  FORGELINE_S3_SECRET_ACCESS_KEY: optionalText("S3 secret key. Secret."),
  FORGELINE_HEARTBEAT_MS: milliseconds("How often runners send a heartbeat.").default(10_000),
  FORGELINE_UNREACHABLE_MS: milliseconds("Silence after which a job is shown as unreachable.").default(
    30_000,
  ),
  FORGELINE_RECLAIM_MS: milliseconds(
    "Silence, in server up-time, after which a job is taken from its runner.",
  ).default(90_000),
  FORGELINE_OFFER_MS: milliseconds("How long a runner may think about an offered job.").default(10_000),
  FORGELINE_DOWNLOADS_DIR: optionalText("Directory served under /downloads/; unset: none."),
  FORGELINE_WEB_DIR: optionalText(
    "Directory of the built web interface (`web/dist`); unset: no pages but the documentation.",
  ),
  FORGELINE_DOCS_DIR: optionalText(
    "Directory of the Markdown pages served under /docs; default: those of this checkout.",
  ),
  FORGELINE_ADMIN_PASSWORD: optionalText("Password for `create-admin`, instead of standard input. Secret."),
  ...gitSettings,
  ...lfsSettings,
  ...rateLimitSettings,
  ...requestSettings,
  ...openLogSettings,
  FORGELINE_STEP_LOG_BYTES: z.coerce
    .number()
    .int()
    .min(4096)
    .default(268_435_456)
    .describe(
      "Most bytes of one step's log; past it the beginning and the last quarter are kept and the gap is marked.",
    ),
  FORGELINE_SIGN_UP: z
    .enum(["open", "closed"])
    .optional()
    .describe(
      "Whether anybody may make an account. Set here it cannot be changed over REST; unset and not changed there: only on an instance reached as `localhost`, from the machine itself.",
    ),
  FORGELINE_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must be smtp://[USER:PASSWORD@]HOST:PORT or smtps://…")
    .optional()
    .describe(
      "Mail server; with user and password TLS is required. Unset: mails wait in the outbox, which administrators read. Secret.",
    ),
  FORGELINE_MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>,;]+@[^\s@<>,;]+$/, "must be one address")
    .optional()
    .describe("Sender of mails; default `forgeline@HOST`."),
  FORGELINE_GEOIP_FILE: optionalText(
    "Database of places in MaxMind's format (GeoLite2 City or the like): audit entries then say where an address is.",
  ),
  ...outboundSettings,
  FORGELINE_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Least level of log lines."),
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
    ? combinationProblems(parsed.data)
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

function combinationProblems(env: Environment): string[] {
  const problems: string[] = [];
  if ((env.FORGELINE_TLS_CERT_FILE === undefined) !== (env.FORGELINE_TLS_KEY_FILE === undefined))
    problems.push("FORGELINE_TLS_CERT_FILE, FORGELINE_TLS_KEY_FILE: set both or none");
  if (env.FORGELINE_TRUSTED_PROXIES !== "" && env.FORGELINE_HTTP_PORT === undefined)
    problems.push("FORGELINE_HTTP_PORT: is required with FORGELINE_TRUSTED_PROXIES");
  if (env.FORGELINE_UNREACHABLE_MS >= env.FORGELINE_RECLAIM_MS)
    problems.push("FORGELINE_UNREACHABLE_MS: must be less than FORGELINE_RECLAIM_MS");
  return problems;
}

function toConfig(env: Environment) {
  return {
    database: {
      url: new Secret(env.FORGELINE_DATABASE_URL),
      ownerUrl: secretOf(env.FORGELINE_OWNER_DATABASE_URL),
      poolSize: env.FORGELINE_DATABASE_POOL,
    },
    temporal: {
      address: env.TEMPORAL_ADDRESS,
      namespace: env.TEMPORAL_NAMESPACE,
      taskQueue: env.FORGELINE_TASK_QUEUE,
    },
    listen: splitList(env.FORGELINE_LISTEN),
    httpsPort: env.FORGELINE_HTTPS_PORT,
    httpPort: env.FORGELINE_HTTP_PORT,
    ...toSshConfig(env),
    publicUrl: env.FORGELINE_PUBLIC_URL,
    jobUrl: env.FORGELINE_JOB_URL,
    tls: {
      certFile: env.FORGELINE_TLS_CERT_FILE,
      keyFile: env.FORGELINE_TLS_KEY_FILE,
      caFile: env.FORGELINE_TLS_CA_FILE,
    },
    trustedProxies: parseAddressRanges(env.FORGELINE_TRUSTED_PROXIES).ranges,
    metrics: {
      port: env.FORGELINE_METRICS_PORT,
      listen: splitList(env.FORGELINE_METRICS_LISTEN)[0] ?? "127.0.0.1",
    },
    dataDir: env.FORGELINE_DATA_DIR,
    cacheDir: env.FORGELINE_CACHE_DIR ?? `${env.FORGELINE_DATA_DIR}/cache`,
    keyFile: env.FORGELINE_KEY_FILE ?? `${env.FORGELINE_DATA_DIR}/instance.key`,
    objectStore: {
      address: env.FORGELINE_OBJECT_STORE ?? `file://${env.FORGELINE_DATA_DIR}/objects`,
      s3: {
        endpoint: env.FORGELINE_S3_ENDPOINT,
        region: env.FORGELINE_S3_REGION,
        accessKeyId: env.FORGELINE_S3_ACCESS_KEY_ID,
        secretAccessKey: secretOf(env.FORGELINE_S3_SECRET_ACCESS_KEY),
      },
    },
    runners: {
      heartbeatMs: env.FORGELINE_HEARTBEAT_MS,
      unreachableMs: env.FORGELINE_UNREACHABLE_MS,
      reclaimMs: env.FORGELINE_RECLAIM_MS,
      offerMs: env.FORGELINE_OFFER_MS,
      stepLogBytes: env.FORGELINE_STEP_LOG_BYTES,
    },
    downloadsDir: env.FORGELINE_DOWNLOADS_DIR,
    webDir: env.FORGELINE_WEB_DIR,
    docsDir: env.FORGELINE_DOCS_DIR,
    adminPassword: secretOf(env.FORGELINE_ADMIN_PASSWORD),
    limits: toRateLimits(env),
    openLogs: toOpenLogLimits(env),
    requestSlots: toRequestSlots(env),
    requestIdleMs: env.FORGELINE_REQUEST_IDLE_MS,
    ...toGitLimits(env),
    lfs: toLfsLimits(env),
    signUp: env.FORGELINE_SIGN_UP,
    mail: { smtpUrl: secretOf(env.FORGELINE_SMTP_URL), from: env.FORGELINE_MAIL_FROM },
    geoipFile: env.FORGELINE_GEOIP_FILE,
    outbound: toOutbound(env),
    stopDelayMs: env.FORGELINE_STOP_DELAY_MS,
    logLevel: env.FORGELINE_LOG_LEVEL,
    serverName: env.FORGELINE_SERVER_NAME,
    /** No settings: operators have no use for others. */
    periods: usualPeriods,
  };
}

function secretOf(value: string | undefined): Secret | undefined {
  return value === undefined ? undefined : new Secret(value);
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

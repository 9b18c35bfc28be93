/** The environment that the runner reads: names, forms and defaults of its settings. */
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { allowSetting, EgressMode } from "./egress/settings.ts";
import { executorSettings } from "./executor-settings.ts";
import { limitSettings } from "./limit-settings.ts";

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

/** As the server has it. */
const capacityRule = "This must be a whole number from 1 to 1000.";

export const RunnerEnvironment = z.object({
  FORGELINE_RUNNER_DIR: z
    .string()
    .default(() => join(homedir(), ".forgeline-runner"))
    .describe("Directory of the runner: its configuration, state, jobs and log spool."),
  FORGELINE_RUNNER_URL: z
    .string()
    .optional()
    .describe(
      "`register`: URL of the server, https://HOST. `start`: the URL to use for the connection and for Git, if the server is reached under another name than its own.",
    ),
  FORGELINE_RUNNER_TOKEN: z
    .string()
    .optional()
    .describe("`register`: the one-time registration token, svc_reg_…"),
  FORGELINE_RUNNER_NAME: z
    .string()
    .default(() => hostname())
    .describe("`register`: the name shown in lists; the host name by default."),
  FORGELINE_RUNNER_LABELS: list
    .optional()
    .describe("Labels that jobs can require, comma-separated, such as os=linux."),
  FORGELINE_RUNNER_CAPACITY: z.coerce
    .number(capacityRule)
    .int(capacityRule)
    .min(1, capacityRule)
    .max(1_000, capacityRule)
    .optional()
    .describe("Maximum number of jobs at a time."),
  FORGELINE_RUNNER_ONE_JOB: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true")
    .describe(
      "`register`: `true` registers a runner that takes one job, ends after it with 0, and is removed from the server.",
    ),
  FORGELINE_RUNNER_CA_FILE: z
    .string()
    .optional()
    .describe("PEM file of the authority that signed the server's certificate; it is passed to jobs too."),
  FORGELINE_RUNNER_TRUSTED_KEYS: z
    .string()
    .optional()
    .describe(
      "Keys that sign jobs: a file with one per line, or the lines themselves, comma-separated. With it, the runner executes nothing that they have not signed.",
    ),
  FORGELINE_RUNNER_EXTRA_HOSTS: list
    .default(["host.docker.internal:host-gateway"])
    .describe("host:address entries for the jobs' containers, comma-separated."),
  FORGELINE_RUNNER_EGRESS: EgressMode.default("filter").describe(
    "What jobs may reach. `filter`: the Internet, the server and their own services; `required`: the same, but the runner refuses to start if it cannot enforce that; `open`: everything that the machine can reach.",
  ),
  FORGELINE_RUNNER_EGRESS_ALLOW: list
    .pipe(allowSetting)
    .default([])
    .describe(
      "Networks and addresses that jobs may reach in addition, comma-separated, with or without a port: 10.1.2.0/24, 10.9.8.7:5432, [fd00::1]:443. To allow the machine itself, name its address; a network that contains it is not enough.",
    ),
  FORGELINE_RUNNER_PRIVILEGED: z
    .enum(["refuse", "allow"])
    .default("refuse")
    .describe(
      "Whether the runner takes privileged jobs: their containers are root on this machine. `allow` only on machines that serve repositories which you trust.",
    ),
  ...executorSettings,
  FORGELINE_RUNNER_ENGINE: z
    .enum(["docker", "fake"])
    .default("docker")
    .describe("Engine of the executor `docker`; `fake` runs nothing and is meant for benchmarks."),
  FORGELINE_RUNNER_DOCKER_HOST: z
    .string()
    .optional()
    .describe(
      "Address of the Docker daemon, such as unix:///var/run/docker.sock; by default DOCKER_HOST, then the socket.",
    ),
  FORGELINE_RUNNER_LOCAL_IMAGES: list
    .default([])
    .describe(
      "Images on this machine that every job may use without a check by a registry, comma-separated; images that were built or imported here need not be listed, unless the daemon gives them digests as well.",
    ),
  FORGELINE_RUNNER_POOL: z.coerce
    .number()
    .int()
    .min(0)
    .max(64)
    .default(3)
    .describe("Number of containers of recently used images that are kept ready for jobs; 0 for none."),
  FORGELINE_RUNNER_IMAGE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "Maximum size, in bytes, of the images that were pulled for jobs; with more, those that jobs used longest ago are removed. By default, none is ever removed.",
    ),
  FORGELINE_RUNNER_MIN_FREE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(1024 ** 3)
    .describe("Minimum free disk space, in bytes; with less, the runner rejects offers."),
  FORGELINE_RUNNER_DISK_RESERVE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(256 * 1024 ** 2)
    .describe(
      "Free disk space to keep, in bytes; with less, the job that uses the most is ended with disk_quota.",
    ),
  FORGELINE_RUNNER_KEEP_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(4 * 1024 ** 3)
    .describe(
      "Disk space for what the runner keeps of caches and artifacts, in bytes, so that later jobs need not fetch it; 0 to keep nothing. It may take as much again for caches that it still sends; with 0, jobs wait until their caches are sent. The runner also keeps nothing with less than twice FORGELINE_RUNNER_MIN_FREE_BYTES free.",
    ),
  FORGELINE_RUNNER_OFFLINE_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(1000)
    .default(30 * 60_000)
    .describe("How long jobs continue without a connection to the server, in milliseconds."),
  FORGELINE_RUNNER_SHELLS: z
    .enum(["on", "off"])
    .default("on")
    .describe("Whether people with Maintain can open shells in jobs on this runner."),
  ...limitSettings,
  FORGELINE_RUNNER_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Minimum level of the messages that the runner logs."),
  DOCKER_HOST: z.string().optional().describe("As for the `docker` command."),
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin").describe("Where git is found."),
  HTTPS_PROXY: z.string().optional().describe("Proxy for Git."),
  HTTP_PROXY: z.string().optional().describe("Proxy for Git."),
  NO_PROXY: z.string().optional().describe("Hosts that Git reaches without the proxy."),
});
export type RunnerEnvironment = z.infer<typeof RunnerEnvironment>;

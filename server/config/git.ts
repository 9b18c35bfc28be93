/** Settings of the configuration about repositories: how large, how often they are looked after, and how many exchanges. */
import { z } from "zod";

const count = (text: string) => z.coerce.number().int().min(1).max(10_000).describe(text);
/** At most what counts as the age of a lock that nobody holds (`storage/remove-stale-files.ts`). */
const time = (text: string) => z.coerce.number().int().min(100).max(21_600_000).describe(text);

export const gitSettings = {
  FORGELINE_MAX_PUSH_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(2_147_483_648)
    .describe("Maximum size of one push, in bytes."),
  FORGELINE_MAX_FILE_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(104_857_600)
    .describe("Maximum size of one file in a push, in bytes; larger files belong in Git LFS."),
  FORGELINE_MAX_REPOSITORY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(10_737_418_240)
    .describe(
      "Maximum total size of a repository's Git objects, in bytes; a larger repository accepts no new content.",
    ),
  FORGELINE_MAINTENANCE_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_080)
    .default(15)
    .describe(
      "How often the worker looks for repositories to repack and check, in minutes; 0: never, not even on request.",
    ),
  FORGELINE_GIT_EXCHANGES: count(
    "Maximum number of Git exchanges (clone, fetch, push, archive) that one process serves at a time, over HTTPS and SSH; further ones wait.",
  ).default(64),
  FORGELINE_GIT_EXCHANGES_OF_REPOSITORY: count("Maximum number of these for one repository.").default(32),
  FORGELINE_GIT_EXCHANGES_OF_USER: count(
    "Maximum number of these for one user, one deploy key, the jobs of one repository, or one address of anonymous clients.",
  ).default(24),
  FORGELINE_GIT_EXCHANGES_OF_ACCOUNT: count(
    "Maximum number of these for one account: its own and those of the deploy keys and jobs of its repositories. Default: three quarters of `FORGELINE_GIT_EXCHANGES`, or the limit of one repository or user if that is higher.",
  ).optional(),
  FORGELINE_GIT_EXCHANGES_OF_STRANGERS: count(
    "Maximum number of these for all anonymous clients together. Default: three quarters of `FORGELINE_GIT_EXCHANGES`.",
  ).optional(),
  FORGELINE_GIT_LEAST_BYTES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_073_741_824)
    .default(16_384)
    .describe(
      "Minimum speed of a client. If others wait for its slot, an exchange whose client stays below it for 15 seconds in which the server waits for the client is ended; the only exchange of its user or address, after a minute.",
    ),
  FORGELINE_GIT_QUESTIONS: count(
    "Maximum number of Git processes that one server process runs at a time to answer REST requests (history, blame, comparison, commits); further ones wait.",
  ).default(8),
  FORGELINE_GIT_QUESTIONS_OF_REPOSITORY: count("Maximum number of these for one repository.").default(6),
  FORGELINE_GIT_QUESTIONS_OF_USER: count(
    "Maximum number of these for one user, one deploy key, the jobs of one repository, or one address of anonymous clients.",
  ).default(4),
  FORGELINE_GIT_BACKGROUND: count(
    "Most Git processes at a time that work for no request (maintenance, statistics, forks), in one process.",
  ).default(8),
  FORGELINE_MIRROR_SYNCS: count("Most syncs of mirrors at a time, in one worker.").default(8),
  FORGELINE_GIT_WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(50_000)
    .describe(
      "How long an exchange or a Git process waits for a slot before it is refused, in milliseconds.",
    ),
  FORGELINE_GIT_EXCHANGE_MS: time("Maximum duration of one exchange, in milliseconds.").default(21_600_000),
  FORGELINE_GIT_IDLE_MS: time(
    "How long an exchange may continue while its client neither sends nor reads, in milliseconds. Buffers in between can hide up to 2 MB of a slow client's reading.",
  ).default(1_200_000),
};

type GitEnvironment = z.infer<z.ZodObject<typeof gitSettings>>;

const slowGraceMs = 15_000;

/** Some are left for everybody else. */
function threeQuarters(env: GitEnvironment): number {
  return Math.max(1, Math.floor((env.FORGELINE_GIT_EXCHANGES * 3) / 4));
}

export function toGitLimits(env: GitEnvironment) {
  const waitMs = env.FORGELINE_GIT_WAIT_MS;
  const ofRepository = env.FORGELINE_GIT_EXCHANGES_OF_REPOSITORY;
  const ofUser = env.FORGELINE_GIT_EXCHANGES_OF_USER;
  return {
    maxPushBytes: env.FORGELINE_MAX_PUSH_BYTES,
    maxFileBytes: env.FORGELINE_MAX_FILE_BYTES,
    maxRepositoryBytes: env.FORGELINE_MAX_REPOSITORY_BYTES,
    maintenanceMinutes: env.FORGELINE_MAINTENANCE_MINUTES,
    gitExchanges: {
      inAll: env.FORGELINE_GIT_EXCHANGES,
      ofRepository,
      ofUser,
      ofAccount: env.FORGELINE_GIT_EXCHANGES_OF_ACCOUNT ?? Math.max(threeQuarters(env), ofRepository, ofUser),
      ofStrangers: env.FORGELINE_GIT_EXCHANGES_OF_STRANGERS ?? threeQuarters(env),
      waitMs,
      pace: { minBytesPerSecond: env.FORGELINE_GIT_LEAST_BYTES_PER_SECOND, graceMs: slowGraceMs },
      wholeMs: env.FORGELINE_GIT_EXCHANGE_MS,
      idleMs: env.FORGELINE_GIT_IDLE_MS,
    },
    gitQuestions: {
      inAll: env.FORGELINE_GIT_QUESTIONS,
      ofRepository: env.FORGELINE_GIT_QUESTIONS_OF_REPOSITORY,
      ofUser: env.FORGELINE_GIT_QUESTIONS_OF_USER,
      waitMs,
    },
    gitBackground: env.FORGELINE_GIT_BACKGROUND,
    mirrorSyncs: env.FORGELINE_MIRROR_SYNCS,
  };
}

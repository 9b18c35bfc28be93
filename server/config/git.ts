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
    .describe("Most bytes of one push."),
  FORGELINE_MAX_FILE_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(104_857_600)
    .describe("Most bytes of one file in a push; larger ones belong into Git LFS."),
  FORGELINE_MAX_REPOSITORY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(10_737_418_240)
    .describe("Most bytes of a repository's Git objects; a larger one takes no new content."),
  FORGELINE_MAINTENANCE_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_080)
    .default(15)
    .describe(
      "How often the worker looks for repositories to repack and check; 0: never, not even when asked.",
    ),
  FORGELINE_GIT_EXCHANGES: count(
    "Most Git exchanges (clone, fetch, push, archive) that one process serves at a time, over HTTPS and SSH; others wait.",
  ).default(64),
  FORGELINE_GIT_EXCHANGES_OF_REPOSITORY: count("Most of these for one repository.").default(32),
  FORGELINE_GIT_EXCHANGES_OF_USER: count(
    "Most of these for one user, deploy key, repository's jobs, or address of anonymous clients.",
  ).default(24),
  FORGELINE_GIT_EXCHANGES_OF_ACCOUNT: count(
    "Most of these for one account: its own, and those of deploy keys and jobs of its repositories. Default: three quarters of `FORGELINE_GIT_EXCHANGES`, or what one repository or user may have where that is more.",
  ).optional(),
  FORGELINE_GIT_EXCHANGES_OF_STRANGERS: count(
    "Most of these for all anonymous clients together. Default: three quarters of `FORGELINE_GIT_EXCHANGES`.",
  ).optional(),
  FORGELINE_GIT_LEAST_BYTES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_073_741_824)
    .default(16_384)
    .describe(
      "An exchange whose client sends or takes less, for more than 15 seconds in which it is the client's turn, is ended when others wait for its place; the only one of its user or address after a minute.",
    ),
  FORGELINE_GIT_QUESTIONS: count(
    "Most Git processes at a time that answer requests over REST (history, blame, comparison, commits), in one process; others wait.",
  ).default(8),
  FORGELINE_GIT_QUESTIONS_OF_REPOSITORY: count("Most of these for one repository.").default(6),
  FORGELINE_GIT_QUESTIONS_OF_USER: count(
    "Most of these for one user, deploy key, repository's jobs, or address of anonymous clients.",
  ).default(4),
  FORGELINE_GIT_BACKGROUND: count(
    "Most Git processes at a time that work for no request (maintenance, statistics, forks), in one process.",
  ).default(8),
  FORGELINE_GIT_WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(50_000)
    .describe("How long an exchange or a process waits for a slot before it is refused."),
  FORGELINE_GIT_EXCHANGE_MS: time("How long one exchange may take.").default(21_600_000),
  FORGELINE_GIT_IDLE_MS: time(
    "How long an exchange may go on without its client sending or reading. Buffers on the way hide up to 2 MB of a slow client's reading.",
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
  };
}

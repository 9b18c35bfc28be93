/** What the dashboard of a repository shows of its default branch. */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";
import { timestamp } from "../core/time.ts";

export const StatisticsState = z
  .enum(["pending", "updating", "ready", "failed"])
  .describe(
    "`pending`: not computed yet, ask again in some seconds; `updating`: as of `commit`, and newer commits are being looked at; `ready`: up to date; `failed`: as of `commit` where there is one, and the last try failed; it is repeated within hours and after each push.",
  );
export type StatisticsState = z.infer<typeof StatisticsState>;

/** What all of them begin with. */
export const statisticsHead = {
  state: StatisticsState,
  commit: objectId
    .nullable()
    .describe(
      "The commit of the default branch up to which it is computed; null: none yet, or no commits there.",
    ),
  computed_at: timestamp.nullable(),
};

const count = z.number().int();
const week = z.iso.date().describe("Its Monday, UTC.");

export const WeekOfCommits = z
  .object({
    week,
    commits: count.describe("Merges included."),
    additions: count.describe("Lines; those of merges are counted with the commits that they join."),
    deletions: count,
  })
  .meta({ id: "WeekOfCommits" });
export type WeekOfCommits = z.infer<typeof WeekOfCommits>;

export const CommitStatistics = z
  .object({
    ...statisticsHead,
    total_commits: count.describe("Of the whole history."),
    weeks: z
      .array(WeekOfCommits)
      .describe("Oldest first, weeks without commits included. By the author's date."),
  })
  .meta({
    id: "CommitStatistics",
    examples: [
      {
        state: "ready",
        commit: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        computed_at: "2026-11-21T09:00:00.000Z",
        total_commits: 812,
        weeks: [
          { week: "2026-11-09", commits: 14, additions: 420, deletions: 96 },
          { week: "2026-11-16", commits: 3, additions: 12, deletions: 40 },
        ],
      },
    ],
  });
export type CommitStatistics = z.infer<typeof CommitStatistics>;

export const Contributor = z
  .object({
    name: z.string().describe("The author's name in the newest commit."),
    username: z
      .string()
      .nullable()
      .describe("The user of this instance who has verified the e-mail address; all addresses count as one."),
    email: z.string().nullable().describe("As it stands in the commits; null where `username` is known."),
    commits: count,
    additions: count.describe("Lines; merges have none."),
    deletions: count,
    first_week: week,
    last_week: week,
    weeks: z.array(WeekOfCommits).describe("Weeks with commits, oldest first."),
  })
  .meta({
    id: "Contributor",
    examples: [
      {
        name: "Ada Lovelace",
        username: "ada",
        email: null,
        commits: 17,
        additions: 432,
        deletions: 136,
        first_week: "2026-11-09",
        last_week: "2026-11-16",
        weeks: [{ week: "2026-11-16", commits: 3, additions: 12, deletions: 40 }],
      },
    ],
  });
export type Contributor = z.infer<typeof Contributor>;

export const LanguageShare = z
  .object({
    language: z.string().describe("As GitHub's Linguist calls it."),
    color: z.string().nullable().describe("`#rrggbb`"),
    bytes: count,
    files: count,
    percent: z.number().describe("Of all counted bytes, to a tenth."),
  })
  .meta({ id: "LanguageShare" });
export type LanguageShare = z.infer<typeof LanguageShare>;

export const LanguageStatistics = z
  .object({
    ...statisticsHead,
    total_bytes: count,
    languages: z.array(LanguageShare).describe("Largest first."),
  })
  .meta({
    id: "LanguageStatistics",
    examples: [
      {
        state: "ready",
        commit: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        computed_at: "2026-11-21T09:00:00.000Z",
        total_bytes: 1000,
        languages: [
          { language: "TypeScript", color: "#3178c6", bytes: 900, files: 3, percent: 90 },
          { language: "Shell", color: "#89e051", bytes: 100, files: 1, percent: 10 },
        ],
      },
    ],
  });
export type LanguageStatistics = z.infer<typeof LanguageStatistics>;

/** Sums commits by author and week while it reads a history as a stream. */
import type { CountedCommit } from "../../../platform/git/history/counted-commits.ts";
import { storableText } from "../../../platform/storable-text.ts";

export interface Sums {
  commits: number;
  additions: number;
  deletions: number;
}

export interface ContributorSums extends Sums {
  /** From the latest commit; of several, the one with the greatest id. */
  name: string;
  namedAt: number;
  namedBy: string;
  /** By the Monday that names the week, as `2026-11-16`. */
  weeks: Map<string, Sums>;
}

export interface ActivitySums {
  commits: number;
  /** By e-mail address in lower case. */
  contributors: Map<string, ContributorSums>;
}

const maxEmail = 320;
const maxName = 200;
/** Limit of authors times weeks: a longer history was not written by people, and would not fit into memory. */
const maxRows = 2_000_000;

const daySeconds = 86_400;
const latestSeconds = Date.UTC(9999, 11, 1) / 1000;
/** 1970-01-01 was a Thursday. */
const daysToThursday = 3;

/** The Monday of the week of this time, UTC. Times of wrong clocks count as 1970 or 9999. */
export function weekOf(seconds: number): string {
  const clamped = Math.min(Math.max(seconds, daySeconds * 7), latestSeconds);
  const days = Math.floor(clamped / daySeconds);
  const monday = days - ((days + daysToThursday) % 7);
  return new Date(monday * daySeconds * 1000).toISOString().slice(0, 10);
}

export function createActivitySums(): { sums: ActivitySums; add(commit: CountedCommit): void } {
  const sums: ActivitySums = { commits: 0, contributors: new Map() };
  let rows = 0;
  return {
    sums,
    add(commit) {
      const email = storableText(commit.email.toLowerCase().slice(0, maxEmail));
      const person = sums.contributors.get(email) ?? { ...named(commit), ...nothing(), weeks: new Map() };
      sums.contributors.set(email, person);
      if (isLater(commit, person)) Object.assign(person, named(commit));
      const week = weekOf(commit.authoredAt);
      const known = person.weeks.get(week);
      if (!known && ++rows > maxRows) throw new Error(`more than ${maxRows} weeks of contributors`);
      const ofWeek = known ?? nothing();
      person.weeks.set(week, ofWeek);
      for (const each of [person, ofWeek]) addTo(each, commit);
      sums.commits += 1;
    },
  };
}

export const nothing = (): Sums => ({ commits: 0, additions: 0, deletions: 0 });

export function addTo(sums: Sums, { additions, deletions }: Pick<CountedCommit, "additions" | "deletions">) {
  sums.commits += 1;
  sums.additions += additions;
  sums.deletions += deletions;
}

function named({ name, committedAt, sha }: CountedCommit) {
  return { name: storableText(name.slice(0, maxName)), namedAt: committedAt, namedBy: sha };
}

function isLater(commit: CountedCommit, person: ContributorSums): boolean {
  if (commit.committedAt !== person.namedAt) return commit.committedAt > person.namedAt;
  return commit.sha > person.namedBy;
}

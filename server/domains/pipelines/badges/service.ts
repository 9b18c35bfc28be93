/** Badges of a repository: what they say, and how they look. */
import type { BadgeQuery, CoverageBadgeQuery } from "@forgeline/schemas/badges/routes.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { aggregate } from "../runs/aggregate.ts";
import type { CoverageService } from "../reports/coverage-service.ts";
import { findNewestRuns, type BadgeRun } from "./badges.store.ts";
import { renderBadge, type Badge } from "./render.ts";

export interface BadgeService {
  /** The status of a branch as SVG; a branch without runs has a badge too. */
  pipeline(repository: RepositoryRef, query: BadgeQuery, revalidate: Revalidate): Promise<string>;
  /** The coverage of a branch, likewise. */
  coverage(repository: RepositoryRef, query: CoverageBadgeQuery, revalidate: Revalidate): Promise<string>;
}

export function createBadges(db: Database, coverage: Pick<CoverageService, "list">): BadgeService {
  return {
    async pipeline(repository, { branch = repository.defaultBranch, pipeline }, revalidate) {
      const runs = await findNewestRuns(db, repository.id, { branch, pipeline: pipeline ?? null });
      const svg = renderBadge(badgeOf(runs, pipeline));
      revalidate(svg);
      return svg;
    },
    async coverage(repository, { branch }, revalidate) {
      const { items } = await coverage.list(repository, { branch, page: 1, per_page: 1 });
      const svg = renderBadge(coverageBadgeOf(items[0]?.percent));
      revalidate(svg);
      return svg;
    },
  };
}

function colourOf(percent: number): Badge["colour"] {
  if (percent >= 80) return "green";
  return percent >= 50 ? "yellow" : "red";
}

export function coverageBadgeOf(percent: number | undefined): Badge {
  const label = "coverage";
  if (percent === undefined) return { label, text: "unknown", colour: "grey" };
  return { label, text: `${percent}%`, colour: colourOf(percent) };
}

/** Names a pipeline only if it has run, so that nobody can put words of theirs under our address. */
export function badgeOf(runs: readonly BadgeRun[], pipeline?: string): Badge {
  const [only] = runs;
  const label = pipeline !== undefined && only ? nameOf(only.file) : "pipeline";
  if (!only) return { label, text: "no runs", colour: "grey" };
  const { status, warnings } = aggregate(runs.map((run) => ({ ...run, allowed: false })));
  if (status === "success" && warnings > 0) return { label, text: "passing with warnings", colour: "yellow" };
  return { label, ...shown[status] };
}

/** `deploy` of `.forgeline/deploy.yml`. */
function nameOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.ya?ml$/, "");
  return name === ".forgeline" ? "pipeline" : name;
}

const shown: Readonly<Record<Status, Pick<Badge, "text" | "colour">>> = {
  created: { text: "waiting", colour: "blue" },
  waiting: { text: "waiting", colour: "blue" },
  awaiting_approval: { text: "waiting for approval", colour: "blue" },
  queued: { text: "queued", colour: "blue" },
  running: { text: "running", colour: "blue" },
  cancelling: { text: "cancelling", colour: "grey" },
  success: { text: "passing", colour: "green" },
  failed: { text: "failing", colour: "red" },
  error: { text: "error", colour: "red" },
  cancelled: { text: "cancelled", colour: "grey" },
  skipped: { text: "skipped", colour: "grey" },
};

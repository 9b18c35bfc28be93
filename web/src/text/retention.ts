/** Text of the pages about how long runs and what belongs to them are kept. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Field = keyof Schemas["RetentionDays"];

export const text = {
  title: "Retention",
  leads: {
    organization:
      "How long the repositories of this organization keep their runs. Each repository can set fewer days, but not more.",
    repository: "How long this repository keeps its runs and what belongs to them.",
  },
  docs: "What is removed when, and what is always kept",
  fields: {
    runs_days: "Runs",
    logs_days: "Logs",
    artifacts_days: "Artifacts",
    caches_days: "Caches",
    reports_days: "Reports",
  } satisfies Record<Field, string>,
  hints: {
    runs_days: "Days after their end. With a run go its logs, reports and place in the history.",
    logs_days: "Days after the end of the run.",
    artifacts_days: "The most days, whatever the pipeline file says.",
    caches_days: "Days after they were last used.",
    reports_days: "Days for summaries, annotations, and results of tests and coverage.",
  } satisfies Record<Field, string>,
  holds: (field: Field, days: number | null) => {
    if (days !== null) return `In effect: ${days === 1 ? "1 day" : `${days} days`}.`;
    return field === "artifacts_days"
      ? "In effect: as the pipeline file says (30 days if it says nothing)."
      : "Kept until deleted.";
  },
  save: "Save",
  saved: "Saved. What is too old is removed within hours.",
};

/** What started a run, and who: "Push by ada", "Schedule nightly". */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/pipelines.ts";

type Run = Pick<Schemas["PipelineSummary"], "source" | "triggered_by" | "schedule">;

/** `linked`: the user's name leads to their page. */
export function StartedBy({ run, linked = false }: { run: Run; linked?: boolean }) {
  const { source, triggered_by: by, schedule } = run;
  const what = [text.sources[source], schedule?.name].filter(Boolean).join(" ");
  if (by.type !== "user") return <span>{what}</span>;
  const name = linked ? <Link to={`/${by.username}`}>{by.username}</Link> : by.username;
  return (
    <span>
      {what} {text.by} {name}
    </span>
  );
}

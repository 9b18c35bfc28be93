/** What started a run, and who: "Push by ada", "Merge request !12 by bob", "Schedule nightly". */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/pipelines.ts";

type Run = Pick<
  Schemas["PipelineSummary"],
  "source" | "triggered_by" | "schedule" | "merge_request" | "web_url"
>;

/** `linked`: the user's name leads to their page, and a merge request to its own. */
export function StartedBy({ run, linked = false }: { run: Run; linked?: boolean }) {
  const { triggered_by: by } = run;
  const what =
    linked && run.merge_request ? (
      <Link to={mergeRequestOf(run, run.merge_request.number)}>{nameOf(run)}</Link>
    ) : (
      nameOf(run)
    );
  if (by.type !== "user") return <span>{what}</span>;
  const name = linked ? <Link to={`/${by.username}`}>{by.username}</Link> : by.username;
  return (
    <span>
      {what} {text.by} {name}
    </span>
  );
}

function nameOf({ source, schedule, merge_request: mergeRequest }: Run): string {
  const which = mergeRequest ? `!${mergeRequest.number}` : schedule?.name;
  return [text.sources[source], which].filter(Boolean).join(" ");
}

/** Beside the run, in its repository. */
function mergeRequestOf({ web_url: url }: Run, number: number): string {
  return new URL(url).pathname.replace(/\/pipelines\/\d+$/, `/merge-requests/${number}`);
}

/** What became of a time of a schedule, in a word. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/schedules.ts";
import { Badge } from "../../ui/badge.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { useRepository } from "../repositories/use-repository.ts";

const tones = { started: "good", skipped: "plain", failed: "bad" } as const;

export function RunResult({ run: { status, pipeline } }: { run: Schemas["ScheduleRun"] }) {
  const { full_name: fullName } = useRepository();
  if (!pipeline) return <Badge tone={tones[status]}>{text.results[status]}</Badge>;
  return (
    <>
      <StatusMark status={pipeline.status} />{" "}
      <Link to={`/${fullName}/pipelines/${pipeline.number}`}>{text.run(pipeline.number)}</Link>
    </>
  );
}

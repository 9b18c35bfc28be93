/** The jobs that a runner has now, with the pages of their runs. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runners.ts";
import { Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";

export function RunningJobs({ jobs }: { jobs: readonly Schemas["RunnerJob"][] }) {
  if (jobs.length === 0) return null;
  return (
    <Section title={text.jobsNow}>
      <ul>
        {jobs.map((one) => (
          <li key={`${one.repository} ${one.pipeline} ${one.job}`}>
            <Link to={new URL(one.run_web_url).pathname}>
              {text.jobOf(one.job, one.repository, one.pipeline)}
            </Link>{" "}
            {one.started_at === null ? text.beingPrepared : <Time at={one.started_at} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

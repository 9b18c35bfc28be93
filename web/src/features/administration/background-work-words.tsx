/** Parts that the list of background work and the page of one have in common. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/background-work.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowActions } from "../../ui/row-actions.tsx";

type Work = Schemas["Work"];
type Step = Schemas["WorkStep"];

const tones = {
  running: "info",
  completed: "good",
  failed: "bad",
  timed_out: "bad",
  terminated: "bad",
  cancelled: "plain",
} as const;
const stepTones = {
  running: "info",
  waiting_for_worker: "warn",
  waiting_for_retry: "bad",
  paused: "warn",
  cancelling: "plain",
} as const;

export function WorkState({ work: { state, superseded } }: { work: Work }) {
  return (
    <RowActions>
      <Badge tone={superseded ? "plain" : tones[state]}>{text.states[state]}</Badge>
      {superseded ? <Badge tone="plain">{text.superseded}</Badge> : null}
    </RowActions>
  );
}

export function StepState({ step: { state } }: { step: Step }) {
  return <Badge tone={stepTones[state]}>{text.stepStates[state]}</Badge>;
}

export function stepWords({ name, repository }: Step): string {
  const words = text.steps[name] ?? name;
  return repository === null ? words : text.stepOf(words, repository);
}

/** The run, the webhook or the repository, within the interface. */
export function Subject({ work: { subject } }: { work: Work }) {
  if (!subject) return <span>–</span>;
  const { repository, organization, pipeline_number: number } = subject;
  return (
    <Link to={new URL(subject.web_url).pathname}>
      {number === null ? (repository ?? organization) : `${repository} #${number}`}
    </Link>
  );
}

/** Page of the work that has this address in the API. */
export function workPageOf(workUrl: string): string {
  return `/-/admin/work/${workUrl.slice(workUrl.lastIndexOf("/") + 1)}`;
}

/** Address of the page of this very execution. */
export function workAddress({ id, execution }: Work): string {
  return `/-/admin/work/${encodeURIComponent(id)}?execution=${execution}`;
}

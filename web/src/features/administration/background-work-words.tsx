/** Parts that the list of background work and the page of one have in common. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/background-work.ts";
import { text as schedules } from "../../text/upkeep-schedules.ts";
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
  const words = wordsOf(text.steps, name) ?? name;
  return repository === null ? words : text.stepOf(words, repository);
}

/** Undefined for what another version of Forgeline has left in Temporal. */
function wordsOf(words: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

/** The run, the webhook or the repository, within the interface. */
export function Subject({ work }: { work: Work }) {
  const { subject } = work;
  if (!subject) return <span>{withoutSubject(work)}</span>;
  const { repository, organization, pipeline_number: number } = subject;
  return (
    <Link to={new URL(subject.web_url).pathname}>
      {number === null ? (repository ?? organization) : `${repository} #${number}`}
    </Link>
  );
}

/** Work without a subject is told apart by its id alone. */
function withoutSubject({ id, kind }: Work): string {
  const last = id.slice(id.lastIndexOf(":") + 1);
  if (kind === "event_follower") return wordsOf(text.followers, last) ?? "–";
  if (kind === "upkeep_task") return taskWords(last) ?? "–";
  const isOfInstance = kind === "key_rotation" || kind === "audit_export" || kind === "audit_stream";
  return isOfInstance ? text.theInstance : "–";
}

/** The id of a run is that of its schedule, and its time. */
function taskWords(task: string): string | undefined {
  return Object.entries(schedules.does).find(([name]) => task.startsWith(`${name}-`))?.[1];
}

/** Page of the work that has this address in the API. */
export function workPageOf(workUrl: string): string {
  return `/-/admin/work/${workUrl.slice(workUrl.lastIndexOf("/") + 1)}`;
}

/** Address of the page of this very execution. */
export function workAddress({ id, execution }: Work): string {
  return `/-/admin/work/${encodeURIComponent(id)}?execution=${execution}`;
}

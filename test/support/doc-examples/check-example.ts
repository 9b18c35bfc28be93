/** Compiles an example, plans it for each event that it names, and plays it until all that it has was carried out. */
import { compile, type Compiled } from "@forgeline/compiler/compile.ts";
import { previewPlan } from "@forgeline/compiler/plan-preview.ts";
import { pipelineEventNames, type PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { parse, stringify } from "yaml";
import { eventsOf } from "./events.ts";
import { wholeFile, type Part } from "./parts.ts";
import { play, stepName } from "./play-file.ts";
import type { Example } from "./read-examples.ts";

export interface WholeExample {
  text: string;
  value: Record<string, unknown>;
  /** What stands around it, which is no example itself. */
  frame: Record<string, unknown> | null;
}

export function wholeOf({ part, text }: Example): WholeExample {
  const value = parse(text, { merge: true }) as Record<string, unknown>;
  if (part === "file") return { text, value, frame: null };
  const whole = wholeFile(part as Part, value);
  return { text: stringify(whole), value: whole, frame: wholeFile(part as Part, {}) };
}

type Templates = Readonly<Record<string, { text: string }>>;

/** Templates that no page shows stand for one step, with whatever inputs they are given. */
function compileExample(text: string, templates: Templates, event?: PipelineEvent): Compiled {
  const input = { file: ".forgeline/example.yml", text, ...(event ? { event } : {}) };
  const first = compile({ ...input, templates });
  const given = new Set([...text.matchAll(/with:\s*\{?\s*(\w+):/g)].map(([, name]) => name));
  const inputs = Object.fromEntries([...given].map((name) => [name, { type: "string" }]));
  const isJob = /^ {4}uses:/m.test(text);
  const steps = isJob ? { job: { image: "alpine", steps: ["true"] } } : { steps: ["true"] };
  const standIns = first.missing.map((key) => [key, { text: stringify({ inputs, ...steps }) }]);
  return first.missing.length > 0
    ? compile({ ...input, templates: { ...templates, ...Object.fromEntries(standIns) } })
    : first;
}

/** What is wrong with it, for people; nothing if nothing is. */
export async function problemsOf(example: Example, templates: Templates): Promise<string[]> {
  const { text } = wholeOf(example);
  const compiled = compileExample(text, templates);
  const said = compiled.diagnostics.map(({ code, line, message }) => `${code} in line ${line}: ${message}`);
  const announced = Object.keys(optionsOf(example, "says"));
  const codes = compiled.diagnostics.map(({ code }) => code);
  if (announced.join() !== codes.join())
    return [
      `${example.at}: announced: ${announced.join() || "nothing"}; said: ${said.join("; ") || "nothing"}\n${text}`,
    ];
  if (!compiled.plan || announced.length > 0) return [];
  const events = eventsOf(compiled, optionsOf(example, "with"));
  const silent = namedEvents(compiled).filter((name) => !events.some((event) => event.name === name));
  return [
    ...silent.map((name) => `${example.at}: it names the event ${name}, and does not run for it`),
    ...(await playAll(example, events, (event) => compileExample(text, templates, event))),
  ];
}

function namedEvents({ on }: Compiled): string[] {
  if (!on) return [];
  const { mirrorSync: mirror_sync, forkSync: fork_sync, ...others } = on;
  const named: Record<string, unknown> = { ...others, mirror_sync, fork_sync };
  return pipelineEventNames.filter((name) => {
    const value = named[name];
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  });
}

const optionsOf = ({ options }: Example, wanted: string) =>
  Object.fromEntries(
    options
      .filter(({ name }) => name === wanted)
      .map(({ value }) => {
        const at = value.indexOf("=");
        return at < 0 ? [value, ""] : [value.slice(0, at), value.slice(at + 1)];
      }),
  ) as Record<string, string>;

async function playAll(
  example: Example,
  events: readonly PipelineEvent[],
  compileFor: (event: PipelineEvent) => Compiled,
): Promise<string[]> {
  const problems: string[] = [];
  const reached = new Set<string>();
  const wanted = new Set<string>();
  const outputs = optionsOf(example, "with");
  const isDone = () => [...wanted].every((name) => reached.has(name));
  async function playOnce(event: PipelineEvent, failing?: string): Promise<void> {
    const { plan, on, diagnostics } = compileFor(event);
    if (!plan || !on) return void problems.push(...diagnostics.map(({ message }) => message));
    previewPlan(plan, on, { event });
    for (const job of plan.jobs) for (const name of namesOf(job)) wanted.add(name);
    if (failing !== undefined && isDone()) return;
    const { run, reached: now } = await play({ plan, event, outputs, ...(failing ? { failing } : {}) });
    for (const name of now) reached.add(name);
    const wrong = run.jobs.filter(({ status }) => status === "error" || (!failing && status === "failed"));
    for (const { key, message } of wrong) problems.push(`${event.name}: ${key}: ${message}`);
  }
  // A file that names no events runs for most, and the first of them says as much as the others.
  for (const event of events)
    if (/^on:/m.test(example.text) || !isDone() || wanted.size === 0) await playOnce(event);
  const jobs = [...wanted].filter((name) => !name.includes("/"));
  for (const event of events) for (const job of jobs) if (!isDone()) await playOnce(event, job);
  const never = Object.keys(optionsOf(example, "never"));
  const missed = [...wanted].filter(
    (name) => !reached.has(name) && !never.includes(name.split("/")[0] ?? ""),
  );
  const told = never
    .filter((name) => reached.has(name))
    .map((name) => `${name} runs, and the text says never`);
  return [...problems, ...missed.map((name) => `${name} never runs`), ...told].map(
    (one) => `${example.at}: ${one}`,
  );
}

/** The job and its steps. */
function namesOf(job: PlanJob): string[] {
  return [job.key, ...job.steps.map((step) => stepName(job.key, step))];
}

/** A job of GitLab. */
import { attempt } from "../cannot.ts";
import { systemOf } from "../images.ts";
import { child, isTrue, scalars, textOfNode, texts } from "../nodes.ts";
import { useOtherMachine } from "../other-machine.ts";
import { placeholder } from "../placeholder.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { renameShellVariables, unsetVariables } from "../shell-variables.ts";
import type { Section } from "../trace.ts";
import { plainTitle } from "../names.ts";
import { duration } from "../values.ts";
import { convertImage, convertServices } from "./containers.ts";
import { convertArtifacts, convertCaches } from "./data.ts";
import { cloneOf, convertVariables, writtenVariables } from "./env.ts";
import { addEnvironment } from "./environment.ts";
import type { GitlabFile, GitlabJob } from "./file.ts";
import { convertParallel } from "./matrix.ts";
import { convertNeeds } from "./needs.ts";
import { inheritsVariables } from "./resolve.ts";
import { conditionsOf } from "./rules.ts";
import { besideTrigger, convertTrigger } from "./trigger.ts";
import { translateVariableText, type VariableScope } from "./variables.ts";

export function convertJob(source: GitlabJob, file: GitlabFile): PlainMap {
  const { section, node, name } = source;
  const job: PlainMap = { stage: file.stageIds.of(source.stage) };
  const own = writtenVariables(child(node, "variables"));
  const parallel = convertParallel(section.take("parallel"), section);
  const scope: VariableScope = {
    known: new Map([...(inheritsVariables(node) ? file.variables : []), ...own]),
    matrix: new Set(parallel.names),
    unknown: new Set(),
  };
  const id = file.ids.of(name);
  const conditions = conditionsOf({ section, scope });
  const message = textOfNode(section.take("manual_confirmation"));
  job.name = id === name ? null : plainTitle(name);
  job.when = conditions.when;
  job.image = convertImage(section.take("image"), { section, scope });
  job.services = convertServices(section.take("services"), { section, scope });
  job.matrix = parallel.matrix;
  job.env = { ...convertVariables(section.take("variables"), scope, section), ...parallel.env };
  job.clone = cloneOf(scope.known);
  job.needs = convertNeeds(source, file);
  const trigger = convertTrigger(section.take("trigger"), { section, scope });
  job.steps = stepsOf(source, file, (variable) => isKnown(variable, scope));
  job.artifacts = convertArtifacts(section.take("artifacts"), { section, scope, job });
  convertCaches(section.take("cache"), { section, scope, job });
  addLimits(job, section, scope);
  addMachine(job, section);
  addEnvironment(job, section, scope);
  noteUnknown(scope, section);
  finish(source, file);
  const kept = present(trigger ? besideTrigger(job, trigger, { section, scope }) : job);
  if (conditions.isManual) kept.approval = message === null ? {} : { message: message.slice(0, 1000) };
  if (Array.isArray(job.needs) && job.needs.length === 0) kept.needs = [];
  return kept;
}

/** One shell runs all of it, as at GitLab, so that what `before_script` sets still holds. */
function stepsOf({ section, name }: GitlabJob, file: GitlabFile, known: (name: string) => boolean): Plain {
  const script = scriptOf(section, ["before_script", "script"]);
  const after = scriptOf(section, ["after_script"]);
  for (const variable of unsetVariables(`${script}\n${after}`, known)) file.unset.add(variable);
  for (const key of ["run", "release", "pages"]) {
    const node = section.take(key);
    if (node !== undefined) noteWork(key, section);
  }
  if (!section.node.entries.has("script")) return [placeholder(`Job ${name}`)];
  const steps: Plain[] = [script === "" ? "true" : script];
  // Its outcome changes nothing there.
  if (after !== "")
    steps.push({ name: "after_script", when: { status: "always" }, allow_failure: true, run: after });
  return steps;
}

function isKnown(name: string, { known, matrix }: VariableScope): boolean {
  return known.has(name) || matrix.has(name) || /^NODE_(?:INDEX|TOTAL)$/.test(name);
}

function noteWork(key: string, section: Section): void {
  const messages: Readonly<Record<string, readonly [string, string]>> = {
    run: ["steps of this kind are not run", "write them as script"],
    release: ["there are no releases", "keep the files with artifacts, and push a tag in a step"],
    pages: ["pages are not published", "keep the files with artifacts"],
  };
  const [message, suggestion] = messages[key] ?? [""];
  section.note(key, { message: message ?? "", suggestion: suggestion ?? null });
}

function scriptOf(section: Section, keys: readonly string[]): string {
  const lines = keys.flatMap((key) => texts(section.take(key)));
  const { script, left } = renameShellVariables(
    lines.map((line) => line.replace(/\n+$/, "")).join("\n"),
    "gitlab",
  );
  for (const name of left)
    section.note(keys.at(-1) ?? "", {
      message: `${name} is a variable of GitLab`,
      suggestion: "see docs/pipelines/file.md for the variables of steps",
    });
  return script === "" ? "" : lines.length > 1 ? `${script}\n` : script;
}

const reasons: Readonly<Record<string, string>> = {
  runner_system_failure: "infra",
  stuck_or_timeout_failure: "timeout",
  job_execution_timeout: "timeout",
  script_failure: "script",
  api_failure: "infra",
  scheduler_failure: "infra",
  image_pull_failure: "image_pull",
};

function addLimits(job: PlainMap, section: Section, scope: VariableScope): void {
  const timeout = textOfNode(section.take("timeout"));
  job.timeout = timeout === null ? null : duration(timeout);
  if (timeout !== null && job.timeout === null)
    section.note("timeout", { message: `${timeout} is no length of time here` });
  const retry = section.take("retry");
  const max = Number(textOfNode(retry) ?? textOfNode(child(retry, "max")));
  if (retry !== undefined && Number.isInteger(max) && max >= 0 && max <= 10)
    job.retry = retryOf(max, [
      ...texts(child(retry, "when")),
      ...texts(child(retry, "exit_codes")).map((code) => `exit:${code}`),
    ]);
  const allowed = section.take("allow_failure");
  const codes = scalars(child(allowed, "exit_codes"))
    .map(({ text }) => Number(text))
    .filter((code) => Number.isInteger(code) && code >= 1 && code <= 255);
  job.allow_failure = isTrue(allowed) ? true : codes.length > 0 ? { exit: codes } : null;
  const group = textOfNode(section.take("resource_group"));
  if (group !== null) {
    const name = attempt(() => translateVariableText(group, { ...scope, matrix: new Set() }));
    if ("value" in name) job.concurrency = { group: name.value };
    else section.note("resource_group", { message: name.problem.message });
  }
}

function retryOf(max: number, whens: readonly string[]): Plain {
  const on = [...new Set(whens.flatMap((when) => (when.startsWith("exit:") ? when : (reasons[when] ?? []))))];
  return on.length > 0 && !whens.includes("always") ? { max, on } : max;
}

function addMachine(job: PlainMap, section: Section): void {
  const tags = texts(section.take("tags"));
  const system = tags.map(systemOf).find((each) => each === "macos" || each === "windows");
  if (system !== undefined) {
    useOtherMachine(job, system, { section, key: "tags", machine: tags.join(", ") });
  } else if (tags.length > 0)
    section.note("tags", {
      message: `a runner with ${tags.join(", ")} is not asked for, since it may not exist`,
      suggestion: "name labels of your runners under runner",
    });
}

function noteUnknown({ unknown }: VariableScope, section: Section): void {
  if (unknown.size === 0) return;
  section.note("image", {
    message: `${[...unknown].join(", ")}: not set in this file`,
    suggestion: "set them as variables of the repository or organization, or write the values",
  });
}

function finish({ name, section }: GitlabJob, file: GitlabFile): void {
  const missing = file.resolver.missing(name);
  if (missing.length > 0)
    section.trace.note(section.node.span, section.at, {
      construct: "jobs.*.extends",
      message: `not in this file: ${missing.join(", ")}`,
      suggestion: "copy what it holds into the job",
    });
  section.take("stage");
  section.take("inherit");
  section.finish({
    interruptible: [
      "a newer run does not cancel an older one by itself",
      "write concurrency: { group: …, cancel_running: true } at the top",
    ],
    coverage: ["the coverage is not read from the log", "write a report that is kept with artifacts"],
    id_tokens: [
      "identity tokens name the service that they are for",
      "write id_token: { VARIABLE: AUDIENCE }",
    ],
    secrets: [
      "secrets come from the settings of the repository",
      "set them there and name them under secrets",
    ],
    hooks: ["there are no hooks around the clone", "write the commands at the start of the script"],
    identity: [
      "identity tokens name the service that they are for",
      "write id_token: { VARIABLE: AUDIENCE }",
    ],
    dast_configuration: ["it configures a product of GitLab"],
    publish: ["pages are not published", "keep the files with artifacts"],
    start_in: [""],
  });
}

/** All names that a top-level key can have and that are no jobs. */
export const globalKeys: ReadonlySet<string> = new Set(
  "default include stages variables workflow spec image services before_script after_script cache types".split(
    " ",
  ),
);

export function isJob(name: string, entry: { value: { kind: string } }): boolean {
  return !globalKeys.has(name) && !name.startsWith(".") && entry.value.kind === "map";
}

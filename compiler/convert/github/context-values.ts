/** Values of GitHub's contexts in our language. */
import { CannotConvert } from "../cannot.ts";
import { condition, literalOf, textLiteral, type Typed } from "../typed.ts";
import type { Known } from "./known.ts";

const string = (text: string): Typed => ({ text, kind: "string" });

const github: Readonly<Record<string, Typed>> = {
  sha: string("sha"),
  actor: string("actor"),
  triggering_actor: string("actor"),
  repository: string("repo.full_name"),
  repository_owner: string("repo.owner"),
  run_id: string("pipeline.id"),
  run_number: { text: "pipeline.number", kind: "number" },
  workflow: string("pipeline.name"),
  ref_name: string("coalesce(tag, branch)"),
  ref: string("coalesce(tag, branch)"),
  event_name: string("event"),
  workspace: textLiteral("/workspace"),
  server_url: string("''"),
};

const runner: Readonly<Record<string, string>> = {
  os: "Linux",
  arch: "X64",
  temp: "/tmp",
  name: "forgeline",
};

/** `path` is `github`, `event_name` for `github.event_name`. Throws `CannotConvert`. */
export function contextValue(path: readonly string[], known: Known): Typed {
  const [context, first = "", second = "", third = ""] = path;
  const name = path.join(".");
  switch (context) {
    case "github":
      return first === "event" ? eventValue(path.slice(2), known) : own(github, first, name);
    case "inputs":
      return inputValue(first, known);
    case "vars":
      return string(`coalesce(vars.${first}, '')`);
    case "matrix":
      return matrixValue(path, known);
    case "needs":
      return needValue({ job: first, part: second, output: third }, known);
    case "steps":
      return stepValue({ id: first, part: second, output: third }, known);
    case "runner":
      return textLiteral(own(runner, first, name));
    case "job":
      throw new CannotConvert(
        `${name} has no counterpart`,
        first === "status" ? "steps find success, failed or cancelled in CI_JOB_STATUS" : null,
      );
    case "secrets":
      throw new CannotConvert("secrets are never available in expressions", "pass it to a step with secrets");
    default:
      throw new CannotConvert(`${name} has no counterpart`);
  }
}

function own<T>(table: Readonly<Record<string, T>>, key: string, name: string): T {
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  if (value !== undefined && key !== "server_url") return value;
  if (key === "token")
    throw new CannotConvert(
      `${name} has no counterpart`,
      "steps find a token for this repository in CI_JOB_TOKEN",
    );
  if (key === "head_ref" || key === "base_ref")
    throw new CannotConvert("merge requests do not start runs yet");
  throw new CannotConvert(`${name} has no counterpart`);
}

function eventValue(path: readonly string[], known: Known): Typed {
  const name = path.join(".");
  if (path[0] === "inputs" && path[1] !== undefined) return inputValue(path[1], known);
  if (name === "repository.default_branch") return string("repo.default_branch");
  if (name === "repository.full_name") return string("repo.full_name");
  if (name === "repository.name") return string("repo.name");
  if (path[0] === "pull_request" || name === "number")
    throw new CannotConvert("merge requests do not start runs yet");
  if (name === "head_commit.message")
    throw new CannotConvert(
      "expressions do not know the message of the commit",
      "steps find it in CI_COMMIT_MESSAGE",
    );
  throw new CannotConvert(`github.event.${name} has no counterpart`);
}

function inputValue(name: string, known: Known): Typed {
  const kind = known.inputs.get(name);
  if (kind === undefined)
    throw new CannotConvert(`the input ${name} is not declared by a trigger that is carried over`);
  return kind === "string" ? string(`coalesce(inputs.${name}, '')`) : { text: `inputs.${name}`, kind };
}

function matrixValue(path: readonly string[], known: Known): Typed {
  const [, name = ""] = path;
  if (path.length !== 2) throw new CannotConvert(`${path.join(".")}: values of a matrix are text`);
  if (known.matrix === null) return string(`matrix.${name}`);
  const ours = known.matrix.get(name);
  if (ours === undefined) throw new CannotConvert(`the matrix has no ${name}`);
  return string(`matrix.${ours}`);
}

function needValue(
  { job, part, output }: { job: string; part: string; output: string },
  known: Known,
): Typed {
  const need = known.needs.get(job);
  if (need === undefined) throw new CannotConvert(`the job ${job} is not among its needs`);
  if (part === "result") return string(`needs.${need.id}.result`);
  // With a matrix it is a list; GitHub keeps the value of one of the combinations.
  const which = need.hasMatrix ? "[0]" : "";
  if (part === "outputs" && need.outputs?.has(output))
    return string(`needs.${need.id}.outputs.${output}${which}`);
  throw new CannotConvert(`the job ${job} has no output ${output} that is carried over`);
}

function stepValue({ id, part, output }: { id: string; part: string; output: string }, known: Known): Typed {
  const step = known.steps.get(id);
  if (step === undefined && part === "outputs" && output === "cache-hit") return literalOf("");
  if (step === undefined) throw new CannotConvert(`the step ${id} is not carried over`);
  if (part === "outputs") return string(`coalesce(steps.${step}.outputs.${output}, '')`);
  return string(`steps.${step}.result`);
}

const events: Readonly<Record<string, Typed>> = {
  push: condition("event == 'push' || event == 'tag'", 1),
  workflow_dispatch: condition("event == 'manual' || event == 'api'", 1),
  schedule: condition("event == 'schedule'"),
  pull_request: condition("event == 'merge_request'"),
  pull_request_target: condition("event == 'merge_request'"),
  repository_dispatch: condition("event == 'api'"),
  release: condition("event == 'tag'"),
};

/** Whether the event is the one that GitHub calls so. */
export function isEvent(name: string): Typed {
  const found = Object.hasOwn(events, name) ? events[name] : undefined;
  if (found === undefined) throw new CannotConvert(`the event ${name} has no counterpart`);
  return found;
}

/** Whether `github.ref` is this, or begins with it. */
export function isRef(ref: string, begins: boolean): Typed {
  for (const [prefix, name] of [
    ["refs/heads/", "branch"],
    ["refs/tags/", "tag"],
  ] as const) {
    if (ref.startsWith(prefix)) {
      const rest = ref.slice(prefix.length);
      if (rest === "") return condition(`${name} != ''`);
      const text = textLiteral(rest).text;
      return begins
        ? { text: `startsWith(${name}, ${text})`, kind: "boolean" }
        : condition(`${name} == ${text}`);
    }
  }
  throw new CannotConvert(`the ref ${ref} has no counterpart`);
}

/** Artifacts that actions of GitHub upload and download. */
import { attempt } from "../cannot.ts";
import { artifactName } from "../names.ts";
import { textOfNode } from "../nodes.ts";
import { present, textOf, type Plain, type PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";
import { workspacePath } from "../values.ts";
import type { Action, JobWork } from "./job-work.ts";
import { lines, translateTemplate } from "./texts.ts";

export function upload({ given, step, when, work }: Action): null {
  const name = attempt(() =>
    artifactName(translateTemplate(textOfNode(given.take("name")) ?? "artifact", work.known)),
  );
  const paths = pathsOf(given, step, work);
  const days = textOfNode(given.take("retention-days"));
  const missing = textOfNode(given.take("if-no-files-found"));
  given.finish({
    overwrite: [""],
    "compression-level": [""],
    "include-hidden-files": [""],
    "merge-multiple": [""],
  });
  if ("problem" in name)
    step.note("uses", {
      message: `the artifact's name: ${name.problem.message}`,
      suggestion: "write artifacts with another name",
    });
  else if (paths.length > 0 && !work.artifacts.some((each) => each.name === name.value))
    work.artifacts.push(
      present({
        name: name.value,
        paths,
        expire: days && /^[1-9][0-9]{0,2}$/.test(days) ? `${days}d` : null,
        when: statusOf(when),
        required: missing === "error" ? true : null,
      }),
    );
  return null;
}

/** Those in the workspace; none where no file is left. */
function pathsOf(given: Section, step: Section, work: JobWork): string[] {
  const paths = lines(textOfNode(given.take("path"))).map((path) => {
    const translated = attempt(() => translateTemplate(path, work.known));
    return "value" in translated && !translated.value.includes("${{")
      ? workspacePath(translated.value)
      : null;
  });
  const kept = paths.filter((path) => path !== null);
  const isEmpty = kept.every((path) => path.startsWith("!"));
  if (kept.length < paths.length || isEmpty)
    step.note("uses", {
      message: `artifacts are files below the workspace, and ${isEmpty ? "these" : "some of these"} are not`,
      suggestion: "copy the files there in a step",
    });
  return isEmpty ? [] : kept;
}

/** Artifacts are uploaded after the last step, so of a condition only its status matters. */
function statusOf(when: Plain): string | null {
  const clauses = [when].flat();
  const statuses = clauses.map((clause) =>
    clause !== null && typeof clause === "object" ? (clause as PlainMap).status : null,
  );
  if (statuses.includes("always") || (statuses.includes("failure") && statuses.includes("success")))
    return "always";
  return statuses.includes("failure") ? "failure" : null;
}

export function download({ given, step, work }: Action): null {
  const name = textOfNode(given.take("name"));
  const path = textOfNode(given.take("path"));
  given.finish({
    pattern: ["artifacts are named one by one, or all of a job"],
    "merge-multiple": [""],
    "github-token": ["artifacts come from jobs of the same run"],
    "run-id": ["artifacts come from jobs of the same run"],
    repository: ["artifacts come from jobs of the same run"],
  });
  const sources =
    name === null ? [...work.file.uploads.values()].flat() : (work.file.uploads.get(name) ?? []);
  const needs = (work.job.needs ?? []) as Plain[];
  const found = needs.filter((need) => sources.some((job) => work.file.ids.of(job) === idOfNeed(need)));
  if (found.length === 0)
    step.note("uses", {
      message: "no job that this one needs uploads this artifact",
      suggestion: "name the job and the artifact under needs",
    });
  work.job.needs = needs.map((need) => (found.includes(need) ? withArtifact(need, name) : need));
  if (path !== null && !["", ".", "./"].includes(path))
    step.note("uses", {
      message: `artifacts are put where they came from, not into ${path}`,
      suggestion: "move the files in a step",
    });
  return null;
}

function idOfNeed(need: Plain): string {
  return typeof need === "string" ? need : textOf((need as PlainMap).job);
}

/** A name that holds an expression may have many names, so all are taken. */
function withArtifact(need: Plain, name: string | null): PlainMap {
  const before = typeof need === "string" ? {} : (need as PlainMap);
  const all = name === null || name.includes("${{") || before.artifacts === true;
  return {
    ...before,
    job: idOfNeed(need),
    artifacts: all ? true : [...textsOf(before.artifacts), artifactName(name)],
  };
}

function textsOf(value: Plain | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

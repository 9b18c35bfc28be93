/** Jobs of a workflow. */
import { keysBesideTrigger } from "@forgeline/schemas/pipeline-file/file-trigger.ts";
import type { MapEntry, TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { machineImage, plainImage, systemOf } from "../images.ts";
import { createIds, matrixName, title } from "../names.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import { useOtherMachine } from "../other-machine.ts";
import { placeholder } from "../placeholder.ts";
import { present, type Plain, type PlainMap } from "../plain.ts";
import { openSection } from "../trace.ts";
import { minutes } from "../values.ts";
import { calledWorkflow, convertCall } from "./call.ts";
import { convertConcurrency } from "./concurrency.ts";
import { convertEnv, writtenEnv } from "./env.ts";
import { addEnvironment } from "./environment.ts";
import type { FileWork, JobWork } from "./job-work.ts";
import { convertPermissions } from "./permissions.ts";
import { convertStrategy, keepLinux, plainVersions, strategyKeys } from "./matrix.ts";
import { convertContainer, convertServices, labelsOf } from "./services.ts";
import { conditionOf, convertSteps } from "./steps.ts";
import { translateTemplate } from "./texts.ts";

export function convertJob({ key, value }: MapEntry, file: FileWork): PlainMap {
  const work = openJob(key, value, file);
  const { section, job } = work;
  job.needs = needsOf(work);
  const called = calledWorkflow(value);
  Object.assign(job, strategyKeys(convertStrategy(section.take("strategy"), work)));
  job.when = conditionOf(section, work.known);
  if (called !== null) return finishCall(work, called);
  const container = convertContainer(section.take("container"), work);
  const own = convertEnv(section.take("env"), work.known, section);
  job.env = { ...container.env, ...own.env };
  job.secrets = [...container.secrets, ...own.secrets];
  job.services = convertServices(section.take("services"), work);
  convertSteps(section.take("steps"), work);
  chooseMachine(work, container.image);
  plainVersions(job, work.versions);
  addRest(work);
  job.clone = work.clone === null ? false : Object.keys(work.clone).length > 0 ? work.clone : null;
  job.artifacts = work.artifacts.slice(0, 50);
  job.steps = work.steps.length > 0 ? work.steps : [emptyStep(work)];
  job.outputs = outputsOf(work);
  if (work.system !== null)
    useOtherMachine(job, work.system, { section, key: "runs-on", machine: work.machine });
  finish(work);
  return present(job);
}

/** A workflow of this repository becomes a pipeline of its own, which the job starts. */
function finishCall(work: JobWork, called: string): PlainMap {
  addRest(work);
  const trigger = convertCall(called, work);
  if (work.section.take("permissions") !== undefined)
    work.section.note("permissions", {
      message:
        "a job that starts a pipeline gives its token nothing, and the jobs of that pipeline have their own",
      suggestion: "write permissions for the jobs that need more in the other file",
    });
  work.section.finish({});
  const kept = Object.entries({ ...work.job, trigger }).filter(([key]) => keysBesideTrigger.includes(key));
  return present(Object.fromEntries(kept));
}

function openJob(name: string, node: TreeNode, file: FileWork): JobWork {
  const at = ["jobs", file.ids.of(name)];
  const section = openSection(node, "jobs.*", { trace: file.trace, at });
  const run = openSection(child(section.take("defaults"), "run"), "jobs.*.defaults.run", {
    trace: file.trace,
    at,
  });
  const env = new Map([...file.env, ...writtenEnv(child(node, "env"))]);
  const defaults = {
    shell: textOfNode(run.take("shell")) ?? file.defaults.shell,
    workdir: textOfNode(run.take("working-directory")) ?? file.defaults.workdir,
  };
  run.finish({});
  const needed = texts(section.take("needs")).filter((need) => file.ids.has(need));
  const needs = new Map(
    needed.map((need) => [
      need,
      {
        id: file.ids.of(need),
        outputs: file.outputs.get(need) ?? null,
        hasMatrix: file.withMatrix.has(need),
      },
    ]),
  );
  return {
    file,
    name,
    section,
    job: {},
    steps: [],
    known: { matrix: new Map(), needs, steps: new Map(), inputs: file.inputs, env },
    image: null,
    system: null,
    machine: "",
    hasContainer: false,
    clone: null,
    artifacts: [],
    versions: new Set(),
    defaults,
    stepIds: createIds(),
  };
}

function needsOf({ section, known }: JobWork): Plain {
  for (const need of texts(section.node.entries.get("needs")?.value))
    if (!known.needs.has(need)) section.note("needs", { message: `there is no job ${need}` });
  return [...known.needs.values()].map(({ id }) => id);
}

/** The image of the job, and the labels of its runner where it is not Linux. */
function chooseMachine(work: JobWork, container: Plain): void {
  const { section, job } = work;
  const labels = labelsOf(section.take("runs-on"));
  const label = labels.find((each) => systemOf(each) !== null) ?? labels[0] ?? "ubuntu-latest";
  const inMatrix = /\$\{\{\s*matrix\.([A-Za-z0-9_-]+)\s*\}\}/.exec(label);
  if (inMatrix)
    keepLinux(
      job,
      { name: matrixName(inMatrix[1] ?? ""), machine: (value) => label.replace(inMatrix[0], value) },
      section,
    );
  const system = inMatrix ? null : systemOf(label);
  if (system === "macos" || system === "windows") {
    work.system = system;
    work.machine = label;
  } else if (
    labels.includes("self-hosted") ||
    (!inMatrix && !label.includes("${{") && machineImage(label) === undefined)
  )
    section.note("runs-on", {
      message: `what ${labels.join(", ")} has installed is not known here`,
      suggestion: "choose an image with the tools, and name labels of your runners under runner",
    });
  else if (!inMatrix && label.includes("${{"))
    section.note("runs-on", {
      message: "the machine is chosen by an expression",
      suggestion: "choose an image, and labels of your runners under runner",
    });
  job.image = container ?? work.image ?? machineImage(label) ?? plainImage;
}

function addRest(work: JobWork): void {
  const { section, job, known } = work;
  const name = textOfNode(section.take("name"));
  // A job's name is shown before its needs have ended.
  const shown =
    name === null ? null : attempt(() => title(translateTemplate(name, { ...known, needs: new Map() })));
  if (shown && "problem" in shown) section.note("name", { message: shown.problem.message });
  job.name = shown && "value" in shown && shown.value !== "" ? shown.value : null;
  const limit = section.take("timeout-minutes");
  job.timeout = limit === undefined ? null : minutes(textOfNode(limit) ?? "");
  if (limit !== undefined && job.timeout === null)
    section.note("timeout-minutes", {
      message: "a timeout is a number here",
      suggestion: "write it under timeout",
    });
  const allowed = section.take("continue-on-error");
  job.allow_failure = isTrue(allowed) ? true : null;
  if (textOfNode(allowed)?.includes("${{"))
    section.note("continue-on-error", {
      message: "whether a job may fail cannot depend on an expression",
      suggestion: "write allow_failure: true for a job of its own",
    });
  job.concurrency = convertConcurrency(section.take("concurrency"), {
    section,
    known: { ...known, needs: new Map(), steps: new Map() },
  });
  addEnvironment(work);
}

function emptyStep({ section, name }: JobWork): PlainMap | string {
  const uses = section.take("uses");
  if (uses !== undefined) {
    if (section.take("with") !== undefined)
      section.note("with", {
        message: "what the workflow was given is not carried over",
        suggestion: "write it as trigger.inputs, by the names of the inputs that the other pipeline declares",
      });
    if (section.take("secrets") !== undefined)
      section.note("secrets", {
        message: "secrets are not handed over: the other pipeline has those of its own repository",
        suggestion: "set them there, or for the organization of both",
      });
    section.note("uses", {
      message: `the workflow ${textOfNode(uses) ?? ""} is not called, so this job fails`,
      suggestion:
        "convert it in its own repository, and write trigger: { repository: OWNER/NAME, pipeline: NAME } in place of image and steps",
    });
    return placeholder(`Job ${name}`);
  }
  const hasOnlyCheckout = items(section.node.entries.get("steps")?.value).every((step) =>
    textOfNode(child(step, "uses"))?.startsWith("actions/checkout"),
  );
  return hasOnlyCheckout ? "true" : placeholder(`Job ${name}`);
}

function outputsOf(work: JobWork): PlainMap {
  const outputs: PlainMap = {};
  const kept = work.file.outputs.get(work.name) ?? new Set();
  for (const { key, value } of entries(work.section.take("outputs"))) {
    const translated = attempt(() => translateTemplate(textOfNode(value) ?? "", work.known));
    if ("value" in translated && kept.has(key)) outputs[key] = translated.value;
    else
      work.section.note("outputs", {
        message: `${key}: ${"problem" in translated ? translated.problem.message : "it is not carried over"}`,
      });
  }
  return outputs;
}

function finish({ section, job }: JobWork): void {
  const permissions = convertPermissions(section);
  if (permissions) job.permissions = permissions;
  section.finish({
    with: [""],
    secrets: [""],
    snapshot: ["images are not made of jobs"],
  });
}

/** A workflow of Woodpecker as a pipeline file: one job, since its steps share a workspace. */
import type { MapNode, TreeNode } from "../../tree.ts";
import { isVariable, slug } from "../names.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import { placeholder } from "../placeholder.ts";
import { present, shortOn, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Section, type Trace } from "../trace.ts";
import { stemOf } from "../systems.ts";
import type { Job } from "./containers.ts";
import { convertServices } from "./services.ts";
import { convertStep, firstParallel, inOrder, namedNodes } from "./steps.ts";
import { convertWhen } from "./when.ts";

/** At most so many in a job. */
const maxSteps = 100;

export function convertWoodpecker(root: MapNode, trace: Trace): PlainMap {
  const id = slug(stemOf(trace.source.file));
  const section = openSection(root, "", { trace, at: ["jobs", id] });
  const { when, events } = convertWhen(section);
  if (events?.has("schedule"))
    section.note("when", {
      message: "the times of crons are in the settings of Woodpecker",
      suggestion: 'write them under on: { schedule: [{ cron: "0 3 * * *" }] }',
    });
  const matrix = matrixOf(section.take("matrix"), section);
  const job: Job = { id, trace, matrix: new Set(matrix.names) };
  const clone = cloneOf(section);
  const steps = stepsOf(section, job);
  const [image, all] = sharedImage(steps);
  const converted = present({
    image,
    when,
    matrix: matrix.value,
    // Woodpecker sets them for every step, under their own names.
    env: Object.fromEntries(matrix.names.filter(isVariable).map((name) => [name, `\${{ matrix.${name} }}`])),
    services: convertServices(section.take("services"), job),
    clone,
    steps: all.length > 0 ? all : [placeholder("This file")],
  });
  finish(section);
  const on = onOf(events);
  return { ...(on === null ? {} : { on }), jobs: { [id]: converted } };
}

function stepsOf(section: Section, job: Job): PlainMap[] {
  const nodes = namedNodes(section.take("steps") ?? section.take("pipeline"));
  const steps = inOrder(nodes)
    .slice(0, maxSteps)
    .map((node, index) => convertStep(node, job, index));
  const parallel = firstParallel(nodes);
  if (parallel)
    job.trace.note(parallel.span, section.at, {
      construct: "steps.*.depends_on",
      message: "steps ran at the same time as far as depends_on allows, and run one after another here",
      suggestion: "write those that may run at the same time under parallel",
    });
  if (nodes.length > maxSteps)
    section.note("steps", {
      message: `a job has at most ${maxSteps} steps, so ${nodes.length - maxSteps} are left out`,
      suggestion: "write several jobs",
    });
  return steps;
}

/** The first step's image is the job's, so that most steps need none. */
function sharedImage(steps: readonly PlainMap[]): [Plain, PlainMap[]] {
  const image = steps.find((step) => step.image !== undefined)?.image ?? "buildpack-deps:noble";
  const same = JSON.stringify(image);
  return [
    image,
    steps.map((step) => {
      if (JSON.stringify(step.image) !== same) return step;
      const { image: _image, ...rest } = step;
      return rest;
    }),
  ];
}

/** null: as ours without `on`. */
function onOf(events: ReadonlySet<string> | null): Plain {
  const known = ["push", "merge_request", "tag", "manual", "api"];
  if (events === null) return null;
  const on: PlainMap = {};
  for (const event of known) if (events.has(event)) on[event] = null;
  // Times of schedules are in the settings of the repository.
  return Object.keys(on).length > 0 ? shortOn(on) : ["manual", "api"];
}

function matrixOf(node: TreeNode | undefined, section: Section): { value: PlainMap | null; names: string[] } {
  if (node === undefined) return { value: null, names: [] };
  const include = child(node, "include");
  const names = [
    ...new Set(
      include === undefined
        ? entries(node).map(({ key }) => key)
        : items(include).flatMap((item) => entries(item).map(({ key }) => key)),
    ),
  ];
  if (names.length === 0 || names.some((name) => !/^[A-Za-z_]\w{0,62}$/.test(name))) {
    section.note("matrix", { message: "it has no names that a matrix can have" });
    return { value: null, names: [] };
  }
  for (const name of names)
    if (!isVariable(name))
      section.note("matrix", { message: `${name}: names that begin with CI_ belong to the server` });
  if (include === undefined)
    return { value: Object.fromEntries(entries(node).map(({ key, value }) => [key, texts(value)])), names };
  return {
    value: {
      include: items(include).map((item) =>
        Object.fromEntries(entries(item).map(({ key, value }) => [key, textOfNode(value) ?? ""])),
      ),
    },
    names,
  };
}

function cloneOf(section: Section): Plain {
  if (isTrue(section.take("skip_clone"))) {
    section.take("clone");
    return false;
  }
  const [first] = namedNodes(section.take("clone"));
  if (first === undefined) return null;
  const place = { trace: section.trace, at: section.at };
  const step = openSection(first.node, "clone.*", place);
  for (const key of ["name", "image"]) step.take(key);
  const settings = openSection(step.take("settings"), "clone.*.settings", place);
  const depth = textOfNode(settings.take("depth")) ?? "";
  const isPartial = textOfNode(settings.take("partial")) !== "false";
  const clone = present({
    depth: /^[0-9]{1,6}$/.test(depth) ? Number(depth) : isPartial ? null : 0,
    tags: isTrue(settings.take("tags")) ? true : null,
    lfs: isTrue(settings.take("lfs")) ? true : null,
    submodules: isTrue(settings.take("recursive")) ? "recursive" : null,
  });
  const suggestion = "clone has depth, tags, lfs and submodules";
  const advice = [...settings.node.entries.keys(), ...step.node.entries.keys()].map(
    (key) => [key, [`${key} of the clone is not carried over`, suggestion]] as const,
  );
  settings.finish(Object.fromEntries(advice));
  step.finish(Object.fromEntries(advice));
  return Object.keys(clone).length > 0 ? clone : null;
}

function finish(section: Section): void {
  section.take("variables");
  section.finish({
    depends_on: [
      "each file is a pipeline of its own, and pipelines do not wait for each other",
      "join the files in one, as jobs with needs",
    ],
    runs_on: [
      "each file is a pipeline of its own, and pipelines do not wait for each other",
      "join the files in one, as jobs with needs",
    ],
    labels: [
      "a runner with these labels is not asked for, since it may not exist",
      "name labels of your runners under runner",
    ],
    platform: [
      "a runner of this platform is not asked for",
      "name its labels under runner: [os=linux, arch=arm64]",
    ],
    workspace: ["the workspace is /workspace"],
    branches: ["the older key branches is not read", "write on: { push: { branches: […] } }"],
    concurrency: ["the limit of runs at once is not carried over", "write concurrency"],
  });
}

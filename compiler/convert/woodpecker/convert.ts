/** A workflow of Woodpecker as a pipeline file: one job, since its steps share a workspace. */
import type { MapNode, TreeNode } from "../../tree.ts";
import { isVariable, slug } from "../names.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import { placeholder } from "../placeholder.ts";
import { present, shortOn, type Plain, type PlainMap } from "../plain.ts";
import { openSection, type Section, type Trace } from "../trace.ts";
import { stemOf } from "../systems.ts";
import { convertServices, convertStep, inOrder, namedNodes, type Job } from "./steps.ts";
import { convertWhen } from "./when.ts";

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
  const nodes = inOrder(namedNodes(section.take("steps") ?? section.take("pipeline")));
  const steps: PlainMap[] = [];
  for (const node of nodes.slice(0, 100)) {
    const step = convertStep(node, job, steps.length);
    if (step) steps.push(step);
  }
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
  if (isTrue(section.take("skip_clone"))) return false;
  const node = section.take("clone");
  const settings = child(namedNodes(node)[0]?.node, "settings");
  const depth = textOfNode(child(settings, "depth")) ?? "";
  const clone = present({
    depth: /^[0-9]{1,6}$/.test(depth)
      ? Number(depth)
      : textOfNode(child(settings, "partial")) === "false"
        ? 0
        : null,
    tags: isTrue(child(settings, "tags")) ? true : null,
    lfs: isTrue(child(settings, "lfs")) ? true : null,
    submodules: isTrue(child(settings, "recursive")) ? "recursive" : null,
  });
  if (node !== undefined && Object.keys(clone).length === 0)
    section.note("clone", {
      message: "the clone is not configured",
      suggestion: "clone has depth, tags, lfs and submodules",
    });
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
    concurrency: ["", ""],
  });
}

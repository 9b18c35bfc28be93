/** Parts of a pipeline file that docs show alone, and the smallest whole file in which each means what it means there. */

type Keys = Record<string, unknown>;

const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)];

/** Jobs that others name, with the outputs that are read, so that the names lead somewhere. */
function others(job: Keys): Keys {
  const text = JSON.stringify(job);
  const needs = (Array.isArray(job["needs"]) ? job["needs"] : []) as (string | Keys)[];
  return Object.fromEntries(
    needs.map((need) => other(typeof need === "string" ? { job: need } : need, text)),
  );
}

function other(need: Keys, text: string): [string, Keys] {
  const name = String(need["job"]);
  const read = names(text, new RegExp(`needs\\.${name}\\.outputs\\.(\\w+)`, "g")).map(
    ([, output = ""]) => output,
  );
  const artifacts = (need["artifacts"] as string[] | undefined)?.map((one) => ({ name: one, paths: [one] }));
  const values = Object.entries((need["matrix"] as Keys | undefined) ?? {}).map(([key, value]) => [
    key,
    [value],
  ]);
  const matrix = values.length > 0 ? { matrix: Object.fromEntries(values) as Keys } : {};
  return [name, { image: "alpine", ...stepsWith(read), ...(artifacts ? { artifacts } : {}), ...matrix }];
}

function stepsWith(outputs: readonly string[]): Keys {
  if (outputs.length === 0) return { steps: ["true"] };
  const values = outputs.map((name) => [name, `\${{ steps.give.outputs.${name} }}`]);
  return { steps: [{ id: "give", run: "true" }], outputs: Object.fromEntries(values) };
}

function job(given: Keys): Keys {
  const ids = new Set(names(JSON.stringify(given), /steps\.(\w+)\.outputs/g).map(([, id]) => id));
  const hasSteps = "steps" in given || "uses" in given || "trigger" in given;
  const steps = hasSteps ? {} : { steps: ["true", ...[...ids].map((id) => ({ id, run: "true" }))] };
  const needsImage = !("uses" in given || "trigger" in given);
  const matrix = "max_parallel" in given || "fail_fast" in given ? { matrix: { node: ["20", "22"] } } : {};
  const stage = given["workspace"] === "stage" ? { stage: "build" } : {};
  const example = { ...(needsImage ? { image: "alpine" } : {}), ...steps, ...matrix, ...stage, ...given };
  const stages =
    "stage" in example
      ? { stages: [stage.stage ? { name: "build", placement: "together" } : example["stage"]] }
      : {};
  return { ...stages, jobs: { ...others(given), example, ...reader(given) } };
}

/** Outputs are there to be read. */
function reader({ outputs, trigger }: Keys): Keys {
  const read = outputs
    ? Object.keys(outputs)
    : ((trigger as Keys | undefined)?.["outputs"] as string[] | undefined);
  if (!read) return {};
  const env = read.map((name) => [name, `\${{ needs.example.outputs.${name} }}`]);
  return { reader: { needs: ["example"], image: "alpine", env: Object.fromEntries(env), steps: ["true"] } };
}

function top(given: Keys): Keys {
  if ("jobs" in given) return given;
  const { stages } = given;
  if (!Array.isArray(stages)) return { image: "alpine", steps: ["true"], ...given };
  const stageNames = stages.map((stage: string | { name: string }) =>
    typeof stage === "string" ? stage : stage.name,
  );
  const jobs = stageNames.map((stage) => [`in-${stage}`, { stage, image: "alpine", steps: ["true"] }]);
  return { ...given, jobs: Object.fromEntries(jobs) };
}

function stage(given: Keys): Keys {
  const needed = (given["needs"] as string[] | undefined) ?? [];
  return top({ stages: [...new Set([...needed, "test"]), { name: "deploy", ...given }] });
}

const parts = {
  top,
  job,
  stage,
  schedule: (given: Keys) => top({ on: { schedule: [{ cron: "0 3 * * *", ...given }] } }),
  input: (given: Keys) =>
    top({
      on: { manual: { inputs: { example: { type: "options" in given ? "choice" : "string", ...given } } } },
    }),
  step: (given: Keys) =>
    job({ steps: ["true", "parallel" in given || "uses" in given ? given : { run: "true", ...given }] }),
  image: (given: Keys) =>
    "entrypoint" in given
      ? job({ services: { db: { image: { name: "mongo:8", ...given } } } })
      : job({ image: { name: "node:22", ...given } }),
  service: (given: Keys) => job({ services: { db: { image: "postgres:17", ...given } } }),
  clause: (given: Keys) =>
    job({
      ...("matrix" in given ? { matrix: { os: ["linux", "windows"] } } : {}),
      needs: ["before"],
      when: given,
    }),
  matrix: (given: Keys) => job({ matrix: { node: ["20", "22"], os: ["linux", "windows"], ...given } }),
  approval: (given: Keys) => job({ approval: given }),
  retry: (given: Keys) => job({ retry: { max: 2, ...given } }),
  clone: (given: Keys) => job({ clone: given }),
  resources: (given: Keys) => job({ resources: given }),
  artifact: (given: Keys) => job({ artifacts: [{ name: "dist", paths: ["dist"], ...given }] }),
  cache: (given: Keys) => job({ cache: [{ key: "npm", paths: ["~/.npm"], ...given }] }),
  concurrency: (given: Keys) => job({ concurrency: { group: "production", ...given } }),
  trigger: (given: Keys) => job({ trigger: { pipeline: "deploy", ...given } }),
  reports: (given: Keys) => job({ reports: given }),
} satisfies Record<string, (given: Keys) => Keys>;

export type Part = keyof typeof parts;

/** The whole file. Throws for a part that there is not. */
export function wholeFile(part: Part, given: Keys): Keys {
  const frame = parts[part] as ((given: Keys) => Keys) | undefined;
  if (!frame) throw new Error(`no part of a pipeline file is called ${part}`);
  return frame(given);
}

/** By page, and heading above the table. */
const tables: Record<string, Record<string, Part>> = {
  "docs/pipelines/file.md": {
    "Top level": "top",
    on: "schedule",
    inputs: "input",
    stages: "stage",
    jobs: "job",
    clone: "clone",
    resources: "resources",
    matrix: "matrix",
    steps: "step",
    image: "image",
    services: "service",
    when: "clause",
    approval: "approval",
    retry: "retry",
  },
  "docs/pipelines/artifacts.md": { Artifacts: "artifact" },
  "docs/pipelines/caches.md": { Caches: "cache" },
  "docs/pipelines/concurrency.md": { "Concurrency groups": "concurrency" },
  "docs/pipelines/downstream.md": { "Pipelines that start pipelines": "trigger" },
  "docs/pipelines/reports.md": { Tests: "reports" },
};

/** Throws for a table that says "Example" where it is not known of what. */
export function partOfTable(page: string, heading: string): Part {
  const part = tables[page]?.[heading];
  if (!part)
    throw new Error(`${page}: of what part of a file are the examples under ${JSON.stringify(heading)}?`);
  return part;
}

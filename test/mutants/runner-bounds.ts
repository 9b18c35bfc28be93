/** Mistakes in what bounds a runner's messages, and what it asks of services: property 6 of `docs/architecture/job-isolation.md`. */
import type { Mutant } from "./mutant.ts";

export const runnerBounds: readonly Mutant[] = [
  {
    name: "bounds-outputs-count-as-sent",
    promise: "Threat model 6: outputs of a job fit into one message, whatever is in them.",
    file: "compiler/outputs.ts",
    find: "JSON.stringify(outputs)).length",
    replace: 'Object.values(outputs).join("")).length',
    tests: ["test/unit/runner/job/read-outputs.test.ts", "test/integration/runner/agent.test.ts"],
  },
  {
    name: "bounds-names-of-steps-are-cut",
    promise: "Threat model 6: the name of a step cannot end its runner's connection.",
    file: "runner/job/step-contexts.ts",
    find: "shortText.parse(renderTemplate(step.name, stepContexts(job, step)))",
    replace: "renderTemplate(step.name, stepContexts(job, step))",
    tests: ["test/integration/runner/agent.test.ts"],
  },
  {
    name: "bounds-result-fits",
    promise: "Threat model 6: a result fits into one message, however long its parts are.",
    file: "runner/job/job-result.ts",
    find: "  return { ...told, steps, warnings: told.warnings.slice(0, minWarnings) };",
    replace: "  return told;",
    tests: ["test/unit/runner/job/job-result.test.ts"],
  },
  {
    name: "bounds-outputs-of-all-steps",
    promise: "Threat model 6: the record of a job has a bound, however many steps give outputs.",
    file: "runner/job/read-outputs.ts",
    find: "const inAll = known + ",
    replace: "const inAll = 0 * known + ",
    tests: ["test/unit/runner/job/read-outputs.test.ts"],
  },
  {
    name: "bounds-needed-outputs",
    promise: "Threat model 6: a job is given no more than a lease has room for.",
    file: "server/domains/pipelines/runs/needed-outputs.ts",
    find: "      if (bytes > maxOfOne) return tooMuch(bytes);\n",
    replace: "",
    tests: ["test/integration/workflows/pipeline.test.ts"],
    only: "more than it can be given",
  },
  {
    name: "bounds-probe-has-an-end",
    promise: "Threat model 6: a service that never ends its answer keeps no slot.",
    file: "runner/engine/docker/readiness.ts",
    find: "agent: false, signal: ended }",
    replace: "agent: false, timeout: probeTimeoutMs }",
    tests: ["test/integration/runner/engine-services.test.ts"],
    only: "never ends its answer",
  },
  {
    name: "bounds-given-up-question",
    promise: "Threat model 6: a command that is given up while the daemon is asked is not waited for.",
    file: "runner/engine/docker/exec.ts",
    find: "  if (request.signal.aborted) abort();\n",
    replace: "",
    tests: ["test/integration/runner/engine-services.test.ts"],
    only: "whenever it is given up",
  },
];

/**
 * Words of GitHub Actions, GitLab CI/CD and Woodpecker CI as ours, for hints on keys and values that are unknown here. One table; what is
 * called alike, and what is only misspelt, is not in it. `docs/pipelines/compared.md` is the same for people.
 */
import type { ObjectKind } from "./path-kinds.ts";
import { nearest } from "./suggest.ts";

/** A single word is our name for the same thing; a sentence says what to write. */
type Words = Readonly<Record<string, string>>;

const always = "write a step with when: { status: always }";
const noPlugins = "there are no plugins and actions: write what it does as run, or use a template with uses";

/** Of jobs and steps alike. */
const work: Words = {
  if: "when",
  rules: "when",
  only: "when",
  except: "when",
  failure: 'write allow_failure: true for "failure: ignore"',
  "continue-on-error": "allow_failure",
  "timeout-minutes": "write timeout: 10m for ten minutes",
  variables: "env",
  detach: "what runs beside the steps belongs to services of the job",
  pull: "it belongs to the image: image: { name: NAME, pull: always }",
  volumes: "jobs share no folders of the machine: keep files in the workspace, artifacts or cache",
  extends: "what several jobs share can be an anchor, or a template with uses",
};

const file: Words = {
  commands: "steps",
  script: "steps",
  pipeline: "write steps, or jobs for several",
  pipelines: "jobs",
  when: "say under on what starts a run, and under when of a job or step what it is for",
  workflow: "say under on what starts a run",
  variables: "env",
  default: "defaults",
  before_script: "write its commands as the first of steps",
  after_script: always,
  include: "what several files share is a template: uses",
  "run-name": "name",
  depends_on: "pipelines do not wait for each other: write jobs with needs in one file",
  skip_clone: "write clone: false into a job",
  clone: "write clone into a job, or under defaults",
  labels: "labels of runners belong to a job: runner",
  platform: "labels of runners belong to a job: runner",
  inputs: "inputs belong to the event that asks for them: on: { manual: { inputs: … } }",
  matrix: "a matrix belongs to a job: jobs: { NAME: { matrix: … } }",
};

const job: Words = {
  ...work,
  "working-directory": "write workdir into its steps",
  depends_on: "needs",
  dependencies: "write needs: [{ job: NAME, artifacts: true }]",
  script: "steps",
  commands: "steps",
  run: "steps",
  before_script: "write its commands as the first of steps",
  after_script: always,
  "runs-on": "write image for what the job needs, and runner for labels of the machine",
  tags: "runner",
  labels: "runner",
  platform: "runner",
  container: "image",
  strategy: "write matrix, max_parallel and fail_fast into the job",
  parallel: "write matrix, or parallel in place of a step",
  resource_group: "concurrency",
  interruptible: "write concurrency with cancel_running: true",
  id_tokens: "id_token",
  coverage: "write reports: { coverage: PATH }",
  group: "write parallel in place of steps that run at the same time",
};

const step: Words = {
  ...work,
  "working-directory": "workdir",
  directory: "workdir",
  commands: "run",
  script: "run",
  environment: "env",
  settings: noPlugins,
  depends_on: "steps run one after another; write parallel in place of those that run at the same time",
  needs: "steps run one after another; needs belongs to jobs",
  group: "write parallel in place of steps that run at the same time",
  entrypoint: "write shell: none, and name the program in the first line of run: #!",
  privileged: "it belongs to the job",
  stage: "it belongs to the job",
  services: "they belong to the job",
  artifacts: "they belong to the job",
  cache: "it belongs to the job",
  retry: "it belongs to the job",
  matrix: "it belongs to the job",
  runner: "it belongs to the job",
};

/** By the object that has the key. */
export const otherKeys: Readonly<Partial<Record<ObjectKind, Words>>> = {
  file,
  job,
  defaults: {
    variables: "env",
    "runs-on": job["runs-on"] ?? "",
    tags: "runner",
    labels: "runner",
    container: "image",
    pull: work["pull"] ?? "",
    "timeout-minutes": work["timeout-minutes"] ?? "",
    before_script: "write its commands as the first of steps of each job",
  },
  step,
  stage: { depends_on: "needs", if: "when" },
  service: {
    environment: "env",
    variables: "env",
    commands: "command",
    options: "write ready for a health check",
    ports: "not needed: steps reach every port of a service by its name",
    alias: "the key of a service is its host name",
    settings: "write them as env",
    volumes: work["volumes"] ?? "",
  },
  clause: {
    path: "paths",
    changes: "paths",
    branches: "branch",
    tags: "tag",
    evaluate: "if",
    ref: "write branch or tag",
    cron: "write event: schedule, and actor: schedule:NAME for one of them",
    author: "actor",
  },
  on: {
    workflow_dispatch: "manual",
    repository_dispatch: "api",
    workflow_call: "pipeline",
    workflow_run: "pipeline",
    cron: "write schedule: [{ cron: … }]",
    release: "tag",
    deployment: "api",
    pull_request: "merge_request",
    pull_request_target: "merge_request",
    merge_requests: "merge_request",
  },
};

/** Our word for a key that is unknown in such an object, or what to write instead. */
export function ourWord(kind: ObjectKind, key: string): string | undefined {
  const words = otherKeys[kind];
  return words !== undefined && Object.hasOwn(words, key) ? words[key] : undefined;
}

/** The same for the word of another system that the key is nearest to. */
export function nearWord(kind: ObjectKind, key: string): string | undefined {
  const near = nearest(key, Object.keys(otherKeys[kind] ?? {}));
  return near === null ? undefined : ourWord(kind, near);
}

/** Whether another word for it stands where our key is missing. */
export function isWordFor(kind: ObjectKind, key: string, ours: string): boolean {
  return ourWord(kind, key) === ours;
}

/** By the key that has the value. */
const values: Readonly<Record<string, Words>> = {
  on: { ...otherKeys.on, cron: "schedule" },
  event: { ...otherKeys.on, cron: "schedule" },
  pull: { true: "always", false: "if-missing", "if-not-present": "if-missing" },
  status: { on_failure: "failure", on_success: "success", ok: "success" },
};

/** A hint for a value that is unknown there. */
export function valueHint(key: string, value: string): string | undefined {
  const words = Object.hasOwn(values, key) ? values[key] : undefined;
  const ours = words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined;
  return ours === undefined ? undefined : hintOf(ours);
}

/** Whether it is a name of ours, and not a sentence. */
export function isWord(text: string): boolean {
  return /^[a-z_-]+$/.test(text);
}

/** As a hint: `did you mean "needs"?` */
export function hintOf(ours: string): string {
  return isWord(ours) ? `did you mean "${ours}"?` : ours;
}

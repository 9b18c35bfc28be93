/**
 * The form of `test/scenarios/<name>/expected.json`: how a run is started, what is done to it, and what must come of
 * it. Statuses are written `status` or `status reason`; a text between slashes is a regular expression; `<sha>`,
 * `<number>` and the like stand for values that only the run knows.
 */
import { z } from "zod";

const text = z.string();

export const JobExpectation = z.strictObject({
  is: text.optional(),
  message: text.optional(),
  stage: text.optional(),
  name: text.optional(),
  allowed_failure: z.boolean().optional(),
  unreachable: z.boolean().optional(),
  outputs: z.record(text, text).optional(),
  /** All attempts, oldest first. */
  attempts: z.array(text).optional(),
  /** Steps of the newest attempt in order; `[]` when there is no attempt. */
  steps: z.array(text).optional(),
  /** Which of them run at the same time. */
  parallel: z.array(z.number().nullable()).optional(),
  step_messages: z.array(text.nullable()).optional(),
  /** Notes of the newest attempt. */
  warnings: z.array(text).optional(),
  /** Whole log of streams of the newest attempt by name: a step's name, `setup`, a service's key. */
  log: z.record(text, z.array(text)).optional(),
  /** Some line of the stream matches. */
  log_has: z.record(text, text).optional(),
});

export const RunExpectation = z.strictObject({
  is: text.optional(),
  message: text.optional(),
  warnings: z.number().optional(),
  source: text.optional(),
  ref: text.optional(),
  pipeline: text.optional(),
  sequence: z.number().optional(),
  variables: z.array(text).optional(),
  /** Codes of the diagnostics in `error`; `null`: no error. */
  error: z.array(text).nullable().optional(),
  stages: z.record(text, text).optional(),
  stage_warnings: z.record(text, z.number()).optional(),
  jobs: z.record(text, z.union([text, JobExpectation])).optional(),
  /** Each job is started only after these are over. */
  after: z.record(text, z.array(text)).optional(),
  /** The history of each of these jobs, as new statuses. */
  history: z.record(text, z.array(text)).optional(),
});
export type RunExpectation = z.infer<typeof RunExpectation>;

/** Of all jobs: as `error FILE:LINE TITLE: MESSAGE (SOURCE)`, `failed SUITE NAME: MESSAGE`, `FILE COVERED/TOTAL`, `JOB: MESSAGE`. */
export const ReportsExpectation = z.strictObject({
  annotations: z.array(text),
  tests: z.array(text),
  coverage: z.array(text),
  summary: text,
  problems: z.array(text),
});
export type ReportsExpectation = z.infer<typeof ReportsExpectation>;

const Action = z.strictObject({
  until: RunExpectation,
  /** Text that a running job's newest attempt must have printed. */
  printed: z.record(text, text).optional(),
  do: z.enum([
    "cancel",
    "rerun",
    "look",
    "kill runner",
    "start runner",
    "outlast leases",
    "drain runner",
    "resume runner",
  ]),
  runner: text.optional(),
  body: z.record(text, z.unknown()).optional(),
});

export const Scenario = z.strictObject({
  /** The sentence of the contract that this case proves. */
  proves: text,
  /** Where the pipeline file lies; null: nowhere. */
  path: text.nullable().default(".forgeline.yml"),
  /** Variables of the repository. */
  set: z.record(text, text).default({}),
  /** Pushed to `main` before, without a pipeline file. */
  before: z.record(text, text).optional(),
  files: z.record(text, text).default({}),
  /** Objects of Git LFS by file, which go to the server; pushed are their pointers. */
  lfs: z.record(text, text).default({}),
  message: text.default("the commit"),
  branch: text.default("main"),
  tag: text.optional(),
  /** Body of `POST …/pipelines`; the push itself then makes no run, by `on`. */
  api: z.record(text, z.unknown()).optional(),
  /** Answer to that request, when it is not 201. */
  refused: z.strictObject({ status: z.number(), field: text }).optional(),
  actions: z.array(Action).default([]),
  /** null: there is no run. */
  run: RunExpectation.nullable(),
  /** Further runs of the same push, by file. */
  others: z.record(text, text).optional(),
  reports: ReportsExpectation.optional(),
  lint: z.array(text).optional(),
  plan: z.strictObject({ body: z.record(text, z.unknown()), nodes: z.record(text, text) }).optional(),
});
export type Scenario = z.infer<typeof Scenario>;

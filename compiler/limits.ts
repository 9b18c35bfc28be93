/**
 * Limits of the pipeline file that are fixed (`pipelines.md` section 3), since they protect the parser or fit a form; administrators
 * can set the others: `schemas/pipeline-limits/limits.ts`. Sizes in bytes, durations in ms.
 */
import { pipelineLimits } from "@forgeline/schemas/pipeline-limits/limits.ts";

const day = 24 * 60 * 60 * 1000;

export const limits = {
  /** Of whatever is read, and the most that administrators can allow. */
  fileBytes: pipelineLimits.file_kib.highest * 1024,
  /** Nested collections. */
  yamlDepth: 64,
  /** Nodes that aliases stand for, all together. */
  aliasedNodes: 10_000,
  /** Text of the file with all aliases written out. */
  expandedChars: 4 * 1024 * 1024,
  /** Keys and values of a file; keeps parsing far below a second whatever is sent. */
  yamlNodes: 20_000,
  /** Of a file's name: what file systems take. */
  fileNameBytes: 255,
  /** Combinations before `exclude`. */
  matrixProduct: 4096,
  matrixNames: 20,
  matrixValueChars: 1000,
  /** Names and values together. */
  combinationChars: 4000,
  /** Of one job. */
  idTokens: 10,
  clauses: 20,
  /** Of a concurrency group's name. */
  groupChars: 200,
  /** Keys and values of all templates, each counted as often as it is used. */
  templateNodes: 50_000,
  /** Text of them. */
  templateChars: 4 * 1024 * 1024,
  envBytes: 64 * 1024,
  outputBytes: 1024 * 1024,
  artifactPathChars: 500,
  artifactMs: 3650 * day,
  queueMs: 30 * day,
  diagnostics: 50,
  /** Evaluation steps of one expression, about a millisecond. */
  expressionSteps: 10_000,
  expressionDepth: 64,
  expressionChars: 10_000,
  /** Longest text that an expression may make. */
  expressionResultChars: 256 * 1024,
  /** Program size of a regular expression times length of the text it searches. */
  regexWork: 2_000_000,
} as const;

/** The keys of the pipeline file as its schema knows them, and those that a file uses. */
import { FileTemplateStep } from "@forgeline/schemas/pipeline-file/file-job.ts";
import { FullPipelineFile, TinyPipelineFile } from "@forgeline/schemas/pipeline-file/file.ts";
import { z } from "zod";

type Schema = z.core.$ZodType;

/** The same key of a step is one key, whatever else the step has. */
const called = new Map<unknown, string>([
  [FullPipelineFile, "file"],
  [TinyPipelineFile, "file"],
  [FileTemplateStep, "step"],
]);
/** What the compiler puts there, and nobody writes. */
const inner = [FileTemplateStep.shape.steps as Schema];

/** A part that stands in several places is called after the first of them. */
function nameOf(schema: Schema, inherited: string): string {
  const name = called.get(schema) ?? (z.globalRegistry.get(schema)?.id as string | undefined) ?? inherited;
  if (schema instanceof z.ZodObject) called.set(schema, name);
  return name;
}

interface Visit {
  /** Undefined: the schema alone. */
  value?: unknown;
  onKey: (key: string) => void;
  seen: Set<Schema>;
}

function visit(schema: Schema, name: string, { value, onKey, seen }: Visit): void {
  const isWhole = value === undefined;
  if (isWhole && seen.has(schema)) return;
  seen.add(schema);
  const own = nameOf(schema, name);
  const go = (next: Schema, given: unknown, as = own) =>
    visit(next, as, { ...(isWhole ? {} : { value: given }), onKey, seen });
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) go(schema.unwrap(), value);
  else if (schema instanceof z.ZodUnion)
    for (const option of schema.options) if (isWhole || z.safeParse(option, value).success) go(option, value);
  if (schema instanceof z.ZodArray) {
    const items = isWhole ? [undefined] : (value as unknown[]);
    for (const item of items) go(schema.element, item);
  } else if (schema instanceof z.ZodRecord) {
    const values = isWhole ? [undefined] : Object.values(value as object);
    for (const one of values) go(schema.valueType, one);
  } else if (schema instanceof z.ZodObject) {
    for (const [key, next] of Object.entries(schema.shape as Record<string, Schema>)) {
      if (inner.includes(next) || (!isWhole && !Object.hasOwn(value as object, key))) continue;
      onKey(`${own}.${key}`);
      if (isWhole || (value as Record<string, unknown>)[key] !== null)
        go(next, (value as Record<string, unknown> | undefined)?.[key], `${own}.${key}`);
    }
  }
}

const ofSchema = keys(undefined);
/** As `job.image`: the part of the file, and the key. */
export function keysOfSchema(): Set<string> {
  return ofSchema;
}

/** Those of a file that the compiler accepts. */
export function keysOfFile(file: Record<string, unknown>): Set<string> {
  const own = Object.entries(file).filter(([key]) => !key.startsWith("x-"));
  const value = Object.fromEntries(own);
  const jobs = value["jobs"] as Record<string, object> | undefined;
  // The compiler puts steps in the place of `uses` and `trigger`.
  const whole = Object.entries(jobs ?? {}).map(([key, job]) => [key, { steps: ["true"], ...job }]);
  return keys(jobs ? { ...value, jobs: Object.fromEntries(whole) } : value);
}

function keys(value: unknown): Set<string> {
  const found = new Set<string>();
  const seen = new Set<Schema>();
  for (const schema of [FullPipelineFile, TinyPipelineFile]) {
    if (value !== undefined && !schema.safeParse(value).success) continue;
    visit(schema, "file", {
      ...(value === undefined ? {} : { value }),
      onKey: (key) => found.add(key),
      seen,
    });
  }
  return found;
}

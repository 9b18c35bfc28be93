/** Findings in the form of SARIF 2.1.0, as annotations. Pure. What is not as it should be is passed over. */
import { maxMessageChars, maxSarifBytes, maxTitleChars } from "@forgeline/schemas/reports/limits.ts";
import type { AnnotationLevel } from "@forgeline/schemas/reports/resource.ts";
import { z } from "zod";
import { pathOf } from "./annotations.ts";
import { ReportError, type FoundAnnotation } from "./found.ts";
import { decodeText, shortened, shortenedOrNull } from "./report-text.ts";

const text = z.string().optional().catch(undefined);
const line = z.number().int().min(1).max(10_000_000).optional().catch(undefined);

const Place = z.object({
  physicalLocation: z.object({
    artifactLocation: z.object({ uri: text }),
    region: z.object({ startLine: line, endLine: line }).optional().catch(undefined),
  }),
});
const Result = z.object({
  ruleId: text,
  level: text,
  kind: text,
  message: z.object({ text }),
  locations: z.array(Place).optional().catch(undefined),
});
const Run = z.object({
  tool: z.object({ driver: z.object({ name: text }) }),
  results: z.array(z.unknown()).nullish(),
});
const Log = z.object({ version: z.literal("2.1.0"), runs: z.array(z.unknown()) });

/** `error` and `warning` as they are; the others, and what is no level, as notices. */
const levels: Readonly<Record<string, AnnotationLevel>> = { error: "error", warning: "warning" };

/** Gives each finding to `take`; false: enough. Throws `ReportError`. */
export function readSarif(bytes: Uint8Array, take: (found: FoundAnnotation) => boolean): string[] {
  if (bytes.length > maxSarifBytes)
    throw new ReportError(
      `it has ${bytes.length} bytes, and a report of this form can have ${maxSarifBytes}`,
    );
  const log = Log.safeParse(jsonOf(decodeText(bytes)));
  if (!log.success)
    throw new ReportError("it is not SARIF 2.1.0: it must be an object with version and runs");
  let unclear = 0;
  for (const written of log.data.runs) {
    const run = Run.safeParse(written);
    if (!run.success) unclear += 1;
    for (const each of run.data?.results ?? []) {
      const result = Result.safeParse(each);
      if (!result.success) unclear += 1;
      else if (isFinding(result.data) && !take(annotationOf(result.data, run.data?.tool.driver.name)))
        return problemsOf(unclear);
    }
  }
  return problemsOf(unclear);
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written.replace(/^\uFEFF/, ""));
  } catch {
    throw new ReportError("it is not JSON");
  }
}

function problemsOf(unclear: number): string[] {
  return unclear === 0 ? [] : [`${unclear} of its results or runs could not be understood`];
}

/** Others say that something is fine, or not decided. */
function isFinding({ kind }: z.infer<typeof Result>): boolean {
  return kind === undefined || kind === "fail" || kind === "review";
}

function annotationOf(result: z.infer<typeof Result>, tool: string | undefined): FoundAnnotation {
  const place = result.locations?.[0]?.physicalLocation;
  const path = pathOf(decoded(place?.artifactLocation.uri));
  const first = path === null ? null : (place?.region?.startLine ?? null);
  const source = [tool, result.ruleId].filter((word) => word !== undefined).join(" ");
  return {
    step: null,
    level: levels[result.level ?? "warning"] ?? "notice",
    path,
    line: first,
    endLine: first === null ? null : Math.max(first, place?.region?.endLine ?? first),
    title: null,
    message:
      shortenedOrNull(result.message.text, maxMessageChars) ?? shortened(result.ruleId ?? "?", maxTitleChars),
    source: shortenedOrNull(source, maxTitleChars),
  };
}

/** The path of an address, as of `file:///workspace/a%20b.ts`. */
function decoded(uri: string | undefined): string | undefined {
  const path = uri?.replace(/^file:\/\/(?:localhost)?(?=\/)/, "");
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch {
    return path;
  }
}

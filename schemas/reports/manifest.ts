/**
 * What a runner brings of a job's reports: an artifact that nobody sees, under a name that no artifact of a file can have. Its
 * files are numbered, and one of them says what they are.
 */
import { z } from "zod";
import { maxPathChars, maxReportFiles } from "./limits.ts";

/** In place of an artifact's name. */
export const reportsName = "(reports)";
/** Of the file in it that lists the others. */
export const manifestPath = "manifest.json";

/** What a pipeline file names under `reports`. */
export const fileReportKinds = ["junit", "coverage", "sarif"] as const;
export type FileReportKind = (typeof fileReportKinds)[number];
export const reportKinds = ["summary", "annotations", ...fileReportKinds] as const;
export type ReportKind = (typeof reportKinds)[number];

/** What a problem is about; `reports`: all that the job reports. */
export const reportProblemKinds = [...reportKinds, "reports"] as const;
export type ReportProblemKind = (typeof reportProblemKinds)[number];

export const ReportManifest = z.object({
  files: z
    .array(
      z.object({
        /** Its path in the artifact. */
        entry: z.string().max(64),
        kind: z.enum(reportKinds),
        /** Of the step that wrote it; null for a file of the workspace. */
        step: z.number().int().min(0).nullable(),
        /** Where it lay in the workspace; null for what a step wrote to a variable's file. */
        path: z.string().max(maxPathChars).nullable(),
      }),
    )
    .max(maxReportFiles),
});
export type ReportManifest = z.infer<typeof ReportManifest>;
export type ReportFile = ReportManifest["files"][number];

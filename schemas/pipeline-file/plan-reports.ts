/** Reports in a plan: by kind, the globs of their files, relative to the workspace; `!` excludes. */
import { z } from "zod";
import { fileReportKinds } from "../reports/manifest.ts";

export const PlanReports = z.partialRecord(z.enum(fileReportKinds), z.array(z.string()));
export type PlanReports = z.infer<typeof PlanReports>;

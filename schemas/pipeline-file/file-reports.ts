/** Reports of a job as an author writes them: files that the server reads after the job. */
import { z } from "zod";
import { FileStrings } from "./file-values.ts";

export const FileReports = z
  .strictObject({
    junit: FileStrings.optional().describe(
      "Results of tests in the form of JUnit: files relative to the workspace. * stops at /, ** does not; !x excludes.",
    ),
    coverage: FileStrings.optional().describe("Covered lines: Cobertura, JaCoCo (XML) or LCOV."),
    sarif: FileStrings.optional().describe("Findings in the form of SARIF 2.1.0, shown as annotations."),
  })
  .meta({ id: "reports", description: "Files that are read after the job, whatever its outcome." });
export type FileReports = z.infer<typeof FileReports>;

/** What a CODEOWNERS file comes to, as the REST interface shows it. */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";

export const CodeOwnersErrorKind = z
  .enum([
    "invalid_pattern",
    "invalid_owner",
    "invalid_section",
    "file_too_large",
    "too_many_lines",
    "too_many_owners",
    "unknown_owner",
  ])
  .meta({ id: "CodeOwnersErrorKind" });

export const CodeOwnersError = z
  .object({
    line: z.number().int().describe("From 1."),
    column: z.number().int().describe("From 1, in characters of UTF-16."),
    kind: CodeOwnersErrorKind,
    message: z.string(),
    suggestion: z.string().nullable().describe("What could stand in its place."),
    source: z.string().describe("The line, cut after 300 characters."),
  })
  .meta({ id: "CodeOwnersError" });

export const CodeOwnersCheck = z
  .object({
    total: z.number().int().describe("How many errors there are."),
    errors: z.array(CodeOwnersError).describe("The first 1,000, by line and column."),
  })
  .meta({ id: "CodeOwnersCheck" });
export type CodeOwnersCheck = z.infer<typeof CodeOwnersCheck>;

export const CodeOwnersErrors = z
  .object({
    path: z.string().describe("Of the file."),
    sha: objectId.describe("Of the commit."),
    ...CodeOwnersCheck.shape,
  })
  .meta({ id: "CodeOwnersErrors" });
export type CodeOwnersErrors = z.infer<typeof CodeOwnersErrors>;

export const CodeOwnersText = z
  .strictObject({
    content: z
      .string()
      .max(3 * 1024 * 1024)
      .describe("The text of a CODEOWNERS file, of at most 3 MiB."),
  })
  .meta({ id: "CodeOwnersText", examples: [{ content: "*.ts @grace\n/docs/ @analytical/engineers\n" }] });

export const CodeOwner = z
  .object({
    type: z.enum(["user", "team", "email"]),
    name: z.string().describe("As it is written: `@user`, `@org/team` or an e-mail address."),
    username: z
      .string()
      .nullable()
      .describe("The user that it names; null where there is none with write access, and for teams."),
    team: z
      .string()
      .nullable()
      .describe(
        "`<org>/<team>`; null where there is none with write access that the caller sees, and for users.",
      ),
  })
  .meta({ id: "CodeOwner" });
export type CodeOwner = z.infer<typeof CodeOwner>;

export const CodeOwnersRule = z
  .object({
    line: z.number().int().describe("From 1."),
    pattern: z.string(),
    section: z.string().nullable().describe("Name of the section; null before the first heading."),
    optional: z.boolean().describe("The owners are asked, but nothing waits for them."),
    approvals: z.number().int().describe("How many of the owners have to approve."),
    owners: z.array(CodeOwner).describe("Empty where the file says that nobody owns what matches."),
  })
  .meta({ id: "CodeOwnersRule" });
export type CodeOwnersRule = z.infer<typeof CodeOwnersRule>;

export const PathOwners = z
  .object({
    file: z.string().nullable().describe("The CODEOWNERS file that counts; null where there is none."),
    path: z.string().nullable().describe("What was asked for."),
    rules: z
      .array(CodeOwnersRule)
      .describe("Of each section the last line that matches the path; empty without `path`."),
  })
  .meta({ id: "PathOwners" });
export type PathOwners = z.infer<typeof PathOwners>;

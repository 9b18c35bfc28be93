/** Lines that comments on a merge request propose in place of others: blocks of Markdown whose language is `suggestion`. */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { Person } from "../users/person.ts";

/** Of one commit. */
export const maxAppliedAtOnce = 100;
/** Of one comment. */
export const maxSuggestions = 100;
/** Of one answer. */
export const maxListedSuggestions = 500;
/** Of one answer. */
export const maxOldLinesBytes = 1024 * 1024;

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const Suggestion = z
  .object({
    index: z.number().int().describe("Which one of the comment, from 0, in the order of the text."),
    digest: digest.describe(
      "Of what it says; whoever applies it sends it, so that it is what they have read.",
    ),
    path: z.string(),
    start_line: z.number().int().describe("First line that it replaces, in `commit_sha`."),
    line: z.number().int().describe("Last line that it replaces."),
    commit_sha: objectId.describe(
      "A head of the merge request: the latest one to which the lines could be followed.",
    ),
    old_lines: z
      .array(z.string())
      .nullable()
      .describe(
        "The lines that it replaces; null where they cannot be read any more, as after a force push, and past 1 MiB of them in one answer.",
      ),
    new_lines: z.array(z.string()).describe("None: the lines are to go."),
    state: z
      .enum(["open", "applied", "outdated"])
      .describe(
        "`outdated`: the lines that it replaces have changed since, or are not there, or the file is larger than 1 MiB.",
      ),
    applied: z
      .object({ sha: objectId, by: Person.nullable(), at: timestamp })
      .nullable()
      .describe("The commit that brought it into the source branch."),
  })
  .meta({ id: "Suggestion" });
export type Suggestion = z.infer<typeof Suggestion>;

export const CommentSuggestions = z
  .object({
    comment_id: idOf("cmt"),
    thread_id: idOf("thr"),
    resolved: z.boolean().describe("Whether the thread is."),
    suggestions: z.array(Suggestion).describe(`At most ${maxSuggestions}.`),
    incomplete: z
      .boolean()
      .describe(
        `Further suggestions of the comment are left out: an answer has at most ${maxListedSuggestions}, of 200 files and 16 MiB. Ask for fewer comments at once.`,
      ),
    viewer_may: z.object({
      apply: z.boolean().describe("The caller may push to the source branch's repository."),
    }),
  })
  .meta({ id: "CommentSuggestions" });
export type CommentSuggestions = z.infer<typeof CommentSuggestions>;

export const SuggestionsApply = z
  .strictObject({
    suggestions: z
      .array(
        z.strictObject({
          comment: idOf("cmt"),
          index: z
            .number()
            .int()
            .min(0)
            .max(maxSuggestions - 1)
            .prefault(0)
            .describe("Which one of the comment; default: the first."),
          digest: digest.describe("As the list has it: 409 where the comment has been edited since."),
        }),
      )
      .min(1)
      .max(maxAppliedAtOnce),
    message: z
      .string()
      .max(65_536)
      // oxlint-disable-next-line no-control-regex -- it is what is refused
      .regex(/^[^\u0000]*\S[^\u0000]*$/, "A message must not be empty, and cannot contain the character NUL.")
      .optional()
      .describe("Of the commit; those who suggested it are named below it in any case."),
  })
  .meta({
    id: "SuggestionsApply",
    examples: [
      {
        suggestions: [
          {
            comment: "cmt_01j9z3k4m5n6p7q8r9s0t1v2w3",
            index: 0,
            digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
          },
        ],
      },
    ],
  });
export type SuggestionsApply = z.output<typeof SuggestionsApply>;

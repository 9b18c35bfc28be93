/** Files that both branches of a merge request changed so that Git cannot merge them, and how somebody resolves them. */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";

/** Of one merge request: with more it is resolved with Git. */
export const maxConflicts = 100;
/** Of one file. */
export const maxConflictBytes = 1024 * 1024;
/** Of one file, where its text is taken apart. */
export const maxConflictPieces = 4_000;

export const conflictKinds = [
  "content",
  "both_added",
  "deleted_in_source",
  "deleted_in_target",
  "renamed",
  "binary",
  "mode",
  "symlink",
  "submodule",
  "directory",
] as const;
export const conflictChoices = ["content", "source", "target", "delete"] as const;

const side = z
  .object({
    sha: objectId.describe("Of the file; of a submodule, the commit."),
    mode: z.string().describe("As Git has it, such as `100644`."),
    size: z.number().int().nullable().describe("In bytes; null for a submodule."),
  })
  .nullable()
  .meta({ id: "MergeConflictSide" });

const shared = {
  path: z.string(),
  kind: z
    .enum(conflictKinds)
    .describe(
      "`content`: both changed the same lines. `both_added`: both added it, differently. `deleted_in_source`, `deleted_in_target`: one deleted it, the other changed it. `renamed`: one renamed it, or both did. `binary`, `symlink`, `submodule`: both changed it, and it has no lines. `mode`: they want other permissions. `directory`: it is a file for one and something else for the other.",
    ),
  editable: z
    .boolean()
    .describe("Both versions are UTF-8 text of at most 1 MiB, so that `content` can be written here."),
  choices: z
    .array(z.enum(conflictChoices))
    .describe(
      "How it can be resolved here: with a text of one's own, with the version of a branch, or without the file. None: it takes Git.",
    ),
  source: side.describe("In the source branch; null: it is not there."),
  target: side.describe("In the target branch; null: it is not there."),
  base: side.describe("In what both have in common; null: it is not there."),
};

export const MergeConflict = z.object(shared).meta({ id: "MergeConflict" });
export type MergeConflict = z.infer<typeof MergeConflict>;

export const MergeConflicts = z
  .object({
    head_sha: objectId.describe("The tip of the source branch that was merged to find them."),
    target_sha: objectId.describe("The tip of the target branch."),
    files: z.array(MergeConflict).describe(`By path; at most ${maxConflicts}.`),
    truncated: z.boolean().describe("There are more: resolve them with Git."),
    viewer_may: z.object({
      resolve: z.boolean().describe("The caller may push to the repository of the source branch."),
    }),
  })
  .meta({ id: "MergeConflicts" });
export type MergeConflicts = z.infer<typeof MergeConflicts>;

export const ConflictPiece = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("context"), text: z.string() }),
    z.object({ type: z.literal("conflict"), source: z.string(), base: z.string(), target: z.string() }),
  ])
  .meta({ id: "MergeConflictPiece" });
export type ConflictPiece = z.infer<typeof ConflictPiece>;

export const MergeConflictFile = z
  .object({
    ...shared,
    head_sha: objectId,
    target_sha: objectId,
    pieces: z
      .array(ConflictPiece)
      .nullable()
      .describe(
        `The file from its beginning to its end: lines that are merged, and lines of which one has to choose. Null where it has only one version, is not \`editable\`, or would have more than ${maxConflictPieces} pieces.`,
      ),
    text: z
      .string()
      .nullable()
      .describe(
        "The whole file with conflict markers, as Git writes them; the only version where there is one. Null where it is not `editable`.",
      ),
  })
  .meta({ id: "MergeConflictFile" });
export type MergeConflictFile = z.infer<typeof MergeConflictFile>;

export const ConflictResolution = z
  .strictObject({
    path: z.string().min(1).max(4_096),
    content: z
      .string()
      .max(maxConflictBytes)
      .optional()
      .describe("The whole file, at most 1 MiB as UTF-8.")
      .meta({ examples: ["Retry three times.\n"] }),
    take: z.enum(["source", "target"]).optional().describe("The version of this branch, as it is."),
    delete: z.literal(true).optional().describe("The file goes."),
  })
  .refine(
    (given) => [given.content, given.take, given.delete].filter((each) => each !== undefined).length === 1,
    { message: "Give one of content, take and delete." },
  )
  .describe("One of `content`, `take` and `delete`.")
  .meta({ id: "ConflictResolution", examples: [{ path: "README.md", take: "target" }] });
export type ConflictResolution = z.infer<typeof ConflictResolution>;

export const ConflictsResolve = z
  .strictObject({
    head_sha: objectId.describe("As the list of conflicts has it: 409 where the source branch has moved."),
    target_sha: objectId.describe("As the list of conflicts has it: 409 where others conflict by now."),
    commit_message: z
      .string()
      .max(65_536)
      // oxlint-disable-next-line no-control-regex -- it is what is refused
      .regex(/^[^\u0000]*\S[^\u0000]*$/, "A message must not be empty, and cannot contain the character NUL.")
      .optional()
      .describe("Default: `Merge branch 'main' into topic`."),
    allow_markers: z
      .boolean()
      .prefault(false)
      .describe("Take contents with lines that look like conflict markers."),
    files: z
      .array(ConflictResolution)
      .min(1)
      .max(maxConflicts)
      .describe("One for each file that conflicts, and no others."),
  })
  .meta({
    id: "ConflictsResolve",
    examples: [
      {
        head_sha: "8c1f2a34b5d6e7f8091a2b3c4d5e6f708192a3b4",
        target_sha: "0f1e2d3c4b5a69788796a5b4c3d2e1f0a9b8c7d6",
        files: [{ path: "README.md", content: "Retry three times.\n" }],
      },
    ],
  });
export type ConflictsResolve = z.output<typeof ConflictsResolve>;

/** Boards of a repository: its issues in columns by label. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { searchText } from "../search/resource.ts";
import { ItemLabel } from "../work-items/resource.ts";

export const maxBoards = 50;
export const maxBoardColumns = 20;
export const maxColumnLimit = 9999;

/** `open` and `closed` are on every board; between them stand labels, by their ids. */
export const BoardColumnId = z.enum(["open", "closed"]).or(idOf("lbl"));
export type BoardColumnId = z.infer<typeof BoardColumnId>;

export const BoardColumn = z
  .object({
    id: z.string().describe("`open`, the id of a label, or `closed`."),
    kind: z.enum(["open", "label", "closed"]),
    label: ItemLabel.nullable().describe("Null for `open` and `closed`."),
    max_issues: z
      .int()
      .nullable()
      .describe("How many issues are wanted in it at most; more are shown with a warning. Null: any number."),
  })
  .meta({ id: "BoardColumn" });
export type BoardColumn = z.infer<typeof BoardColumn>;

export const Board = z
  .object({
    id: idOf("brd"),
    name: z.string(),
    filter: z.string().describe("Only issues that this query finds are on the board; empty: all."),
    columns: z.array(BoardColumn).describe("From left to right."),
    viewer_may: z.object({
      manage: z.boolean().describe("Change and delete the board."),
      move: z.boolean().describe("Move issues on it."),
    }),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Board" });
export type Board = z.infer<typeof Board>;

const labelName = z.string().trim().min(1).max(100);

const ColumnLimit = z
  .strictObject({
    column: labelName.describe("Name of its label."),
    max_issues: z.int().min(1).max(maxColumnLimit).nullable().describe("Null: any number."),
  })
  .meta({ id: "BoardColumnLimit" });
export type ColumnLimit = z.infer<typeof ColumnLimit>;

const fields = {
  name: displayText(100).min(1),
  filter: searchText.describe("A query as in the list of issues, such as `milestone:2.0 -label:wontfix`."),
  columns: z
    .array(labelName)
    .max(maxBoardColumns)
    .describe("Names of labels, from left to right; each once.")
    .meta({ examples: [["todo", "doing"]] }),
  limits: z
    .array(ColumnLimit)
    .max(maxBoardColumns)
    .describe(
      "How many issues are wanted in columns at most, each named once. Columns without a mention keep theirs.",
    )
    .meta({ examples: [[{ column: "doing", max_issues: 3 }]] }),
};

export const BoardCreate = z
  .strictObject({
    name: fields.name,
    filter: fields.filter.default(""),
    columns: fields.columns.default([]),
    limits: fields.limits.default([]),
  })
  .meta({ id: "BoardCreate", examples: [{ name: "Release 2.0", filter: "milestone:2.0" }] });
export type BoardCreate = z.output<typeof BoardCreate>;

export const BoardUpdate = z
  .strictObject(fields)
  .partial()
  .meta({ id: "BoardUpdate", examples: [{ name: "Release 2.1" }] });
export type BoardUpdate = z.output<typeof BoardUpdate>;

const number = z.number().int().min(1).max(2_147_483_647);

export const BoardMove = z
  .strictObject({
    number: number.describe("Of the issue that moves."),
    to_column: BoardColumnId,
    after: number.optional().describe("Of the issue that it shall stand right below."),
    before: number.optional().describe("Of the issue that it shall stand right above."),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ["before"],
    message: "Name one neighbour: `after` or `before`.",
  })
  .meta({ id: "BoardMove", examples: [{ number: 12, to_column: "closed" }] });
export type BoardMove = z.output<typeof BoardMove>;

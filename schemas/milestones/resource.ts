/** Milestones of a repository: what is to be done by a certain day. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { givenDate, timestamp } from "../core/time.ts";

export const maxMilestones = 1000;

export const MilestoneState = z.enum(["open", "closed"]);
export type MilestoneState = z.infer<typeof MilestoneState>;

export const Milestone = z
  .object({
    id: idOf("mst"),
    title: z.string(),
    description: z.string(),
    state: MilestoneState,
    due_on: z.iso
      .date()
      .nullable()
      .meta({ examples: ["2027-03-31"] }),
    open_issues: z.number().int(),
    closed_issues: z.number().int(),
    closed_at: timestamp.nullable(),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Milestone" });
export type Milestone = z.infer<typeof Milestone>;

const fields = {
  title: displayText(255).min(1),
  description: displayText(1000),
  due_on: givenDate.nullable().describe("The last day; null: none."),
};

export const MilestoneCreate = z
  .strictObject({
    title: fields.title,
    description: fields.description.default(""),
    due_on: fields.due_on.default(null),
  })
  .meta({ id: "MilestoneCreate", examples: [{ title: "Version 2.0", due_on: "2027-03-31" }] });
export type MilestoneCreate = z.output<typeof MilestoneCreate>;

export const MilestoneUpdate = z
  .strictObject({ ...fields, state: MilestoneState })
  .partial()
  .meta({ id: "MilestoneUpdate", examples: [{ state: "closed" }] });
export type MilestoneUpdate = z.output<typeof MilestoneUpdate>;

/** Queries that somebody keeps under a name. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { fullName } from "../notifications/resource.ts";
import { searchText } from "../search/resource.ts";

export const maxSavedFilters = 100;

export const SavedFilterKind = z.enum(["issue", "merge_request"]);

export const SavedFilter = z
  .object({
    id: idOf("flt"),
    name: z.string(),
    kind: SavedFilterKind.describe("What it finds."),
    query: z.string(),
    repository: z
      .object({ id: z.string(), full_name: z.string() })
      .nullable()
      .describe("For the lists of this repository; null: for the search in all."),
    url: z.string(),
    web_url: z.string().describe("The list that it narrows."),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "SavedFilter" });
export type SavedFilter = z.infer<typeof SavedFilter>;

const name = displayText(100).min(1);
const query = searchText.min(1).meta({ examples: ["is:open label:bug no:assignee"] });

export const SavedFilterCreate = z
  .strictObject({
    name,
    kind: SavedFilterKind.default("issue"),
    query,
    repository: fullName.optional().describe("`OWNER/NAME`; without it, it is for the search in all."),
  })
  .meta({ id: "SavedFilterCreate", examples: [{ name: "Open bugs", query: "is:open label:bug" }] });
export type SavedFilterCreate = z.output<typeof SavedFilterCreate>;

export const SavedFilterUpdate = z
  .strictObject({ name, query })
  .partial()
  .meta({ id: "SavedFilterUpdate", examples: [{ query: "is:open label:bug no:assignee" }] });
export type SavedFilterUpdate = z.output<typeof SavedFilterUpdate>;

export const maxSharedFilters = 100;

export const SharedFilter = z
  .object({
    id: idOf("flt"),
    name: z.string(),
    kind: SavedFilterKind.describe("What it finds."),
    query: z.string().describe("`me` in it is whoever uses it."),
    url: z.string(),
    web_url: z.string().describe("The list that it narrows."),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "SharedFilter" });
export type SharedFilter = z.infer<typeof SharedFilter>;

export const SharedFilterCreate = z
  .strictObject({ name, kind: SavedFilterKind.default("issue"), query })
  .meta({ id: "SharedFilterCreate", examples: [{ name: "To be sorted", query: "is:open no:label" }] });
export type SharedFilterCreate = z.output<typeof SharedFilterCreate>;

export const SharedFilterUpdate = z
  .strictObject({ name, query })
  .partial()
  .meta({ id: "SharedFilterUpdate", examples: [{ query: "is:open no:label no:assignee" }] });
export type SharedFilterUpdate = z.output<typeof SharedFilterUpdate>;

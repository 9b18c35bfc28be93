/** Who people of another host are here, named after an import has begun. */
import { z } from "zod";
import { idOf, ownerName } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

/** That one person has asked, and nobody has answered. */
export const maxOpenRequests = 100;
/** As above, to the same person. */
export const maxOpenRequestsToOne = 5;

export const ImportedPerson = z
  .object({
    login: z.string().describe("Name at the other host."),
    host: z.string(),
    texts: z.number().int().describe("Issues, merge requests, comments, reviews and assignments."),
    asked: z.string().nullable().describe("User name of whoever is asked and has not answered yet."),
  })
  .meta({ id: "ImportedPerson" });
export type ImportedPerson = z.infer<typeof ImportedPerson>;

export const ImportPersonName = z
  .strictObject({
    login: z
      .string()
      .regex(/^[\x21-\x7e]{1,100}$/, "A name at the other host has up to 100 characters, and no spaces.")
      .describe("Name at the other host."),
    username: ownerName.describe("Who that is here: somebody who reads the repository."),
  })
  .meta({ id: "ImportPersonName", examples: [{ login: "octocat", username: "ada" }] });
export type ImportPersonName = z.infer<typeof ImportPersonName>;

export const ImportNaming = z
  .object({
    login: z.string(),
    host: z.string(),
    username: z.string(),
    state: z
      .enum(["asked", "named"])
      .describe("`asked`: the user decides. `named`: texts show the account from now on."),
  })
  .meta({ id: "ImportNaming" });
export type ImportNaming = z.infer<typeof ImportNaming>;

export const ImportRequest = z
  .object({
    id: idOf("iask"),
    login: z.string().describe("Name at the other host, in lower case."),
    host: z.string(),
    source_repository: z.string(),
    repository: z.string().describe("`owner/name` of the repository that the texts are in."),
    asked_by: z.string(),
    expires_at: timestamp,
    web_url: z.string(),
    created_at: timestamp,
  })
  .meta({ id: "ImportRequest" });
export type ImportRequest = z.infer<typeof ImportRequest>;

/** Operations on files that belong to texts (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { Attachment, maxFileNameChars } from "./resource.ts";

const tag = "attachments";

/** Exactly one of `repo` and `team`, which the service demands. */
export const AttachmentCreateQuery = z.strictObject({
  name: z.string().min(1).max(1000).describe("Name of the file."),
  repo: z.string().max(210).optional().describe("`OWNER/NAME`: whoever may read it may read the attachment."),
  team: z
    .string()
    .max(2200)
    .optional()
    .describe("`ORG/TEAM` or `ORG/PARENT/CHILD`: for a discussion of this team."),
});
export type AttachmentCreateQuery = z.output<typeof AttachmentCreateQuery>;

export const createAttachment = route({
  id: "createAttachment",
  method: "post",
  path: "/attachments",
  tag,
  summary: "Upload a file for an issue, a merge request, a comment or a discussion",
  description:
    "The body is the file, of at most 25 MiB unless the instance says otherwise. Give `repo` or `team`; `markdown` of the answer goes into the text. A file that no saved text mentions within a day is removed.",
  access: "user",
  scope: "issue:write",
  bots: "allowed",
  limitedTokens: "allowed",
  query: AttachmentCreateQuery,
  bytes: true,
  status: 201,
  response: Attachment,
  errors: [
    "not_found",
    "repository_archived",
    "quota_exceeded",
    "payload_too_large",
    "validation_failed",
    "unavailable",
  ],
});

export const AttachmentParams = z.strictObject({
  id: idOf("atm"),
  name: z.string().max(maxFileNameChars),
});

export const deleteAttachment = route({
  id: "deleteAttachment",
  method: "delete",
  path: "/attachments/:id/:name",
  tag,
  summary: "Delete an attachment",
  description:
    "For who uploaded it, as long as they may write there, for those with Maintain in its repository, and for those who manage its team. Texts that mention it lead nowhere then.",
  access: "user",
  scope: "issue:write",
  bots: "allowed",
  limitedTokens: "allowed",
  params: AttachmentParams,
  status: 204,
  errors: ["not_found", "repository_archived"],
});

export const downloadAttachment = route({
  id: "downloadAttachment",
  method: "get",
  path: "/attachments/:id/:name",
  tag,
  summary: "Bytes of an attachment",
  description:
    "Pictures (PNG, JPEG, GIF, WebP, AVIF) can stand in a page; everything else is a download. Takes ranges. 404 for everybody who may not read where it belongs.",
  access: "public",
  params: AttachmentParams,
  alternatives: ["application/octet-stream"],
  status: 200,
  errors: ["not_found", "range_not_satisfiable"],
});

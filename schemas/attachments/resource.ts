/** Files that belong to texts of issues, merge requests, comments and discussions. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const maxFileNameChars = 200;

export const Attachment = z
  .object({
    id: idOf("atm"),
    name: z.string().describe("Without directories and what hides or turns text."),
    size_bytes: z.number().int(),
    content_type: z.string().describe("Told from the content, whatever its name says."),
    markdown: z.string().describe("What shows it in a text: a picture, or a link."),
    url: z.string().describe("Gives its bytes to those who may read the repository or the board."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Attachment" });
export type Attachment = z.infer<typeof Attachment>;

/** Attachments as the REST interface shows them. */
import type { Attachment } from "@forgeline/schemas/attachments/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { AttachmentRow } from "./attachments.store.ts";
import { isPicture } from "./content-type.ts";

export function presentAttachment(row: AttachmentRow, { baseUrl }: Addresses): Attachment {
  // Parentheses would end the address in Markdown.
  const name = encodeURIComponent(row.name).replaceAll(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const url = `${baseUrl}/attachments/${row.id}/${name}`;
  const words = row.name.replaceAll(/[\\`*_[\]<>!#~&|:@]/g, String.raw`\$&`);
  const created = row.created_at.toISOString();
  return {
    id: row.id,
    name: row.name,
    size_bytes: row.size_bytes,
    content_type: row.content_type,
    markdown: `${isPicture(row.content_type) ? "!" : ""}[${words}](${url})`,
    url,
    web_url: url,
    created_at: created,
    updated_at: created,
  };
}

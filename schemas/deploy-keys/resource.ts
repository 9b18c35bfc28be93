/** Public keys by which machines use Git over SSH with one repository. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { SshKeyCreate } from "../ssh-keys/resource.ts";

export const DeployKeyPermission = z.enum(["read", "write"]);

export const DeployKey = z
  .object({
    id: idOf("key"),
    title: z.string(),
    permission: DeployKeyPermission.describe(
      "Its permission on this repository; it has no access to others.",
    ),
    kind: z.string().describe("As in the key itself, for example `ssh-ed25519`."),
    key: z.string().describe("Type and base64, without comment."),
    fingerprint: z.string().describe("As `ssh-keygen -l` shows it: `SHA256:…`."),
    added_by: z.string().nullable().describe("User name; null if the user was deleted."),
    last_used_at: timestamp.nullable(),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "DeployKey" });
export type DeployKey = z.infer<typeof DeployKey>;

export const DeployKeyCreate = z
  .strictObject({
    key: SshKeyCreate.shape.key,
    title: displayText(100).optional().describe("Default: the key's comment."),
    permission: DeployKeyPermission.default("read"),
  })
  .meta({
    id: "DeployKeyCreate",
    examples: [
      {
        key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMANjxQOC/B2yGCN75+sURGv1RRDpLXvWmcytn9KQ7vm deploy@host",
        title: "host",
        permission: "read",
      },
    ],
  });
export type DeployKeyCreate = z.infer<typeof DeployKeyCreate>;

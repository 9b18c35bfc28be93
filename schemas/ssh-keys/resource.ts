/** Public keys by which people use Git over SSH. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const SshKey = z
  .object({
    id: idOf("key"),
    title: z.string(),
    kind: z.string().describe("As in the key itself, for example `ssh-ed25519`."),
    key: z.string().describe("Type and base64, without comment."),
    fingerprint: z.string().describe("As `ssh-keygen -l` shows it: `SHA256:…`."),
    last_used_at: timestamp.nullable(),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "SshKey" });
export type SshKey = z.infer<typeof SshKey>;

export const SshKeyCreate = z
  .strictObject({
    key: z
      .string()
      .min(1)
      .max(16_384)
      .describe("A line of a `.pub` file: Ed25519, ECDSA, RSA from 2048 bits on, or a security key."),
    title: displayText(100).optional().describe("Default: the key's comment."),
  })
  .meta({
    id: "SshKeyCreate",
    examples: [
      {
        key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKR+MFFJ7231GXheOgOiTinuanAFEv4hL6GfkWjsTiYE ada@laptop",
        title: "laptop",
      },
    ],
  });
export type SshKeyCreate = z.infer<typeof SshKeyCreate>;

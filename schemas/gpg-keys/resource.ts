/** OpenPGP public keys with which people sign commits. They log nobody in. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const maxGpgKeys = 50;

const example = [
  "-----BEGIN PGP PUBLIC KEY BLOCK-----",
  "",
  "mDMEaw3Y+RYJKwYBBAHaRw8BAQdA5BIiBXm8sXzjr6aL5G0Os6vWly2D5/nwZCCJ",
  "MTx00vS0FUFkYSA8YWRhQGV4YW1wbGUub3JnPoiQBBMWCAA4FiEEu2j19HOCnZ50",
  "f9K0SaXrTqhjFEwFAmsN2PkCGwEFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQ",
  "SaXrTqhjFEyJIAD/XMduNDhNtHZz11LShTfcPsm8cAWIfyHl9QJa80bq72QA/RS8",
  "K0i60PaN1hJQVfluoPYoE+q0MJ1xNPwSYtzhvX0NuDMEaw3Y+RYJKwYBBAHaRw8B",
  "AQdAQBbdpxuJtlv4XCRoxPBktwMo+sw8HLvnVOq/cmk0NwqI7wQYFggAIBYhBLto",
  "9fRzgp2edH/StEml606oYxRMBQJrDdj5AhsCAIEJEEml606oYxRMdiAEGRYIAB0W",
  "IQR3M/sjIZS5/jMxLmWY4fD/xzOTAAUCaw3Y+QAKCRCY4fD/xzOTAF0CAP9BwsdS",
  "glKbtnJSuv2zYmeEu/s4a0I1vkRdwubOkAfWeAD/W46uH+un5UR5RT+2L4qftFXg",
  "osHGxiiBDIxT2/qIcArpjwEA9GNUdL9SYWJNmSCiprQmdx/pnprH4shFhlRJd6M0",
  "k/MBAMCCws7B/vnFWcsU8y5AZiWgc1mmg5J2FEYBP5OscIsI",
  "=7/1w",
  "-----END PGP PUBLIC KEY BLOCK-----",
].join("\n");

export const GpgKey = z
  .object({
    id: idOf("gpg"),
    fingerprint: z.string().describe("Of the primary key, in hexadecimal."),
    key_ids: z.array(z.string()).describe("Of the primary key and its subkeys, as signatures name them."),
    emails: z
      .array(z.string())
      .describe(
        "In the key, as whoever made it wrote them. What counts is that you have verified the address in a commit.",
      ),
    key: z.string().describe("Armored."),
    expires_at: timestamp.nullable().describe("As the key said when it was added; null: never."),
    revoked: z.boolean().describe("As the key said when it was added."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "GpgKey" });
export type GpgKey = z.infer<typeof GpgKey>;

export const GpgKeyCreate = z
  .strictObject({
    key: z
      .string()
      .min(1)
      .max(65_536)
      .describe("One public key, as `gpg --armor --export` writes it.")
      .meta({ examples: [example] }),
  })
  .meta({ id: "GpgKeyCreate" });
export type GpgKeyCreate = z.infer<typeof GpgKeyCreate>;

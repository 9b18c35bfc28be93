/** The settings of answers by mail. */
import { z } from "zod";
import { addressRangesSetting } from "../platform/network/address-ranges-setting.ts";
import { parseAddressRanges } from "../platform/network/address-ranges.ts";
import { addressList, port, splitList } from "./setting-kinds.ts";

export const inboundMailSettings = {
  FORGELINE_INBOUND_MAIL_ADDRESS: z
    .string()
    .regex(
      /^[a-z0-9._-]{1,19}@[a-z0-9-]+(\.[a-z0-9-]+)*$/,
      "must be one address in lower case, with at most 19 characters before the @",
    )
    .optional()
    .describe(
      "Address for answers to mails of notifications, such as `reply@mail.example.com`. Your mail server passes mails to `reply+…@mail.example.com` on to the port. All servers need it. Unset: answers are not taken.",
    ),
  FORGELINE_INBOUND_MAIL_PORT: port(
    "Port on which this server takes these answers; 0 picks a free one; unset: none.",
  ).optional(),
  FORGELINE_INBOUND_MAIL_LISTEN: addressList("IP addresses of that port, comma-separated.").default(
    "127.0.0.1",
  ),
  FORGELINE_INBOUND_MAIL_PROTOCOL: z
    .enum(["smtp", "lmtp"])
    .default("smtp")
    .describe("What your mail server speaks with that port."),
  FORGELINE_INBOUND_MAIL_RELAYS: addressRangesSetting(
    "Addresses or CIDR ranges (/8 or narrower) of your mail servers, comma-separated: the port takes mails from no others. They must have checked SPF, DKIM and DMARC. Unset: `127.0.0.1,::1`.",
  ),
};

type InboundMailEnvironment = z.infer<z.ZodObject<typeof inboundMailSettings>>;

export function inboundMailProblems(env: InboundMailEnvironment): string[] {
  return env.FORGELINE_INBOUND_MAIL_PORT !== undefined && env.FORGELINE_INBOUND_MAIL_ADDRESS === undefined
    ? ["FORGELINE_INBOUND_MAIL_ADDRESS: is required with FORGELINE_INBOUND_MAIL_PORT"]
    : [];
}

export function toInboundMail(env: InboundMailEnvironment) {
  return {
    address: env.FORGELINE_INBOUND_MAIL_ADDRESS,
    port: env.FORGELINE_INBOUND_MAIL_PORT,
    listen: splitList(env.FORGELINE_INBOUND_MAIL_LISTEN),
    protocol: env.FORGELINE_INBOUND_MAIL_PROTOCOL,
    relays: parseAddressRanges(env.FORGELINE_INBOUND_MAIL_RELAYS || "127.0.0.1,::1").ranges,
  };
}

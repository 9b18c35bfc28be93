/** What the operator decides about requests whose address a user chose. */
import { z } from "zod";
import { addressRangesSetting } from "../platform/network/address-ranges-setting.ts";
import { parseAddressRanges, type AddressRanges } from "../platform/network/address-ranges.ts";

export const outboundSettings = {
  FORGELINE_OUTBOUND_ALLOW: addressRangesSetting(
    "Addresses or CIDR ranges (/8 or narrower) outside the public Internet that the server may call where users choose the address (identity providers, webhooks, mirrors, push mirrors), comma-separated.",
  ),
  FORGELINE_OUTBOUND_CA_FILE: z
    .string()
    .optional()
    .describe("PEM of authorities that the server trusts for such calls in addition to the public ones."),
};

export interface OutboundSettings {
  allowed: AddressRanges;
  caFile: string | undefined;
}

export function toOutbound(env: {
  FORGELINE_OUTBOUND_ALLOW: string;
  FORGELINE_OUTBOUND_CA_FILE?: string | undefined;
}): OutboundSettings {
  return {
    allowed: parseAddressRanges(env.FORGELINE_OUTBOUND_ALLOW).ranges,
    caFile: env.FORGELINE_OUTBOUND_CA_FILE,
  };
}

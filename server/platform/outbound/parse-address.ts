/** The form of addresses that outbound requests go to. */
import { OutboundError } from "./outbound-error.ts";

/** Throws OutboundError. */
export function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    throw new OutboundError(
      "address",
      "The address must be of the form https://HOST/PATH, without a user name.",
    );
  return url;
}

/** Addresses of webhooks. They often contain secrets, so what is shown is kept apart from what is dialled. */
import { isIP } from "node:net";
import { basicAuthorization } from "../../../platform/outbound/basic-authorization.ts";
import { invalidField } from "../../../platform/app-error.ts";

const hidden = "***";

export interface EndpointAddress {
  /** As it was given; to be stored encrypted. */
  full: string;
  /** Without user name and password, and without the values of parameters. */
  shown: string;
}

/** Throws `validation_failed`. `mayDial`: whether a literal IP address is one that requests may go to. */
export function readAddress(text: string, mayDial: (address: string) => boolean): EndpointAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:")
    throw invalidField("url", "invalid", "The address must be of the form https://HOST/PATH.");
  if (url.hash !== "")
    throw invalidField("url", "invalid", "The address must not have a part after #: servers never see it.");
  const parts = [url.username, url.password, ...url.searchParams.values(), ...url.searchParams.keys()];
  if (parts.includes(hidden))
    throw invalidField("url", "hidden", `Write the real value in place of ${hidden}.`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) > 0 && !mayDial(host))
    throw invalidField(
      "url",
      "not_allowed",
      "This address is not public. An administrator can allow it with FORGELINE_OUTBOUND_ALLOW.",
    );
  return { full: url.href, shown: withoutSecrets(url) };
}

function withoutSecrets(url: URL): string {
  const shown = new URL(url);
  if (shown.username !== "" || shown.password !== "") {
    shown.username = hidden;
    shown.password = "";
  }
  const parameters = [...shown.searchParams].map(([name, value]) =>
    // What has no value may be the secret itself.
    value === "" ? hidden : `${encodeURIComponent(name)}=${hidden}`,
  );
  shown.search = [...new Set(parameters)].join("&");
  return shown.href;
}

export interface Target {
  url: string;
  /** `Authorization` for a user name and password in the address. */
  authorization: string | undefined;
}

export function targetOf(full: string): Target {
  const url = new URL(full);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const login = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const hasUser = username !== "" || password !== "";
  return { url: url.href, authorization: hasUser ? basicAuthorization(login) : undefined };
}

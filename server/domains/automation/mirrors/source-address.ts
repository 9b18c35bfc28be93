/** Addresses of repositories that mirrors follow: one grammar of ours, stricter than Git's, so that none is a path or a program. */
import { isIP } from "node:net";
import { invalidField } from "../../../platform/app-error.ts";
import type { RemoteSource } from "../../../platform/git/remote/remote-source.ts";

export interface SourceAddress extends RemoteSource {
  /** From an `https` address that had them. */
  credentials: { username: string; password: string } | null;
}

const forms = "https://HOST/PATH, ssh://USER@HOST/PATH, USER@HOST:PATH or git://HOST/PATH";
const scpLike =
  /^(?<user>[A-Za-z0-9._][A-Za-z0-9._-]*)@(?<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?<path>[^/\s:][^\s]*)$/;
// eslint-disable-next-line no-control-regex -- what must not be in an address
const unsafe = /[\s\0-\x1f\x7f\\]|%(?:0[0-9a-f]|1[0-9a-f]|7f)/i;

/** Throws `validation_failed`. `mayDial`: whether a literal IP address is one that requests may go to. */
export function readSourceAddress(text: string, mayDial: (address: string) => boolean): SourceAddress {
  if (unsafe.test(text))
    throw invalidField("url", "invalid", "The address must not contain spaces or control characters.");
  const source = fromScpLike(text) ?? fromUrl(text);
  if (isIP(source.host) > 0 && !mayDial(source.host))
    throw invalidField(
      "url",
      "not_allowed",
      "This address is not public. An administrator can allow it with FORGELINE_OUTBOUND_ALLOW.",
    );
  return source;
}

function fromScpLike(text: string): SourceAddress | undefined {
  const { user = "", host = "", path = "" } = scpLike.exec(text)?.groups ?? {};
  if (host === "" || path.startsWith("-")) return undefined;
  return {
    protocol: "ssh",
    url: `${user}@${host.toLowerCase()}:${path}`,
    host: host.toLowerCase(),
    port: null,
    credentials: null,
  };
}

function fromUrl(text: string): SourceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url?.protocol.slice(0, -1);
  if (!url || (protocol !== "https" && protocol !== "ssh" && protocol !== "git"))
    throw invalidField("url", "invalid", `The address must be of the form ${forms}.`);
  if (url.hash !== "" || url.search !== "")
    throw invalidField("url", "invalid", "The address must not have a part after ? or #.");
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (!/^[a-z0-9.:-]+$/.test(host) || host.startsWith("-") || url.pathname.length < 2)
    throw invalidField("url", "invalid", `The address must be of the form ${forms}.`);
  const { username, password } = withoutLogin(url, protocol);
  return {
    protocol,
    url: url.href,
    host,
    port: url.port === "" ? null : Number(url.port),
    credentials: username === "" && password === "" ? null : { username, password },
  };
}

/** Takes the credentials of an `https` address out of it. */
function withoutLogin(url: URL, protocol: RemoteSource["protocol"]): { username: string; password: string } {
  const nothing = { username: "", password: "" };
  if (protocol === "ssh") {
    if (url.password !== "")
      throw invalidField("url", "not_allowed", "Passwords do not work over SSH; a key is used instead.");
    if (url.username !== "" && !/^[A-Za-z0-9._][A-Za-z0-9._-]*$/.test(url.username))
      throw invalidField("url", "invalid", "This user name cannot be used.");
    return nothing;
  }
  const found = {
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  if (protocol === "git" && (found.username !== "" || found.password !== ""))
    throw invalidField("url", "not_allowed", "git:// has no users.");
  url.username = "";
  url.password = "";
  return found;
}

/** As it is stored: what `readSourceAddress` gave as `url`. */
export function storedSource(url: string): RemoteSource {
  const { credentials: _none, ...source } = fromScpLike(url) ?? fromUrl(url);
  return source;
}

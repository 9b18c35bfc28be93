/** Addresses that an app names: where people may be sent back to, compared character by character, and its home page. */
import { z } from "zod";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** https; http on this very machine; or a scheme of an installed app, which is a reversed domain name (RFC 8252). */
export function isRedirectUri(text: string): boolean {
  if (
    !/^[a-z][a-z0-9+.-]*:[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(text) ||
    !URL.canParse(text)
  )
    return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes("#") || username !== "" || password !== "") return false;
  if (protocol === "https:") return hostname !== "" && text.startsWith("https://");
  if (protocol === "http:") return loopback.has(hostname) && text.startsWith("http://");
  return protocol.includes(".");
}

/** Of a page that people may open: http or https, without user and password. */
export const homepageUrl = z
  .string()
  .max(2000)
  .refine(
    (text) => /^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/.test(text) && URL.canParse(text) && isPlain(text),
    {
      error: "An http or https address, without user and password.",
    },
  );

function isPlain(text: string): boolean {
  const { hostname, username, password } = new URL(text);
  return hostname !== "" && username === "" && password === "";
}

export const redirectUri = z.string().max(2000).refine(isRedirectUri, {
  error:
    "An https address, http on localhost, or a scheme such as com.example.app; without user, password and fragment.",
});

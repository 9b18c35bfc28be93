/** The address of a submodule as `.gitmodules` has it: text from outside. */
import { GitError } from "../git.ts";

/**
 * Absolute, http or https, without user, query or fragment. `parentUrl` is that of the repository whose submodule it is. Throws `GitError`
 * in words that follow "its address".
 */
export function resolveSubmoduleUrl(written: string, parentUrl: string): URL {
  const url = /^\.\.?\//.test(written) ? relativeTo(written, parentUrl) : absolute(written);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw refusal(
      written,
      "begins with neither http:// nor https://, and is not relative such as ../lib.git",
    );
  if (url.username !== "" || url.password !== "") throw refusal(written, "contains a user name or password");
  if (url.search !== "" || url.hash !== "") throw refusal(written, "contains ? or #");
  return url;
}

function absolute(written: string): URL {
  // `git@host:path` is one of SSH, and no URL.
  if (!URL.canParse(written)) throw refusal(written, "is not a URL, and is not relative such as ../lib.git");
  return new URL(written);
}

/** As Git does it: the repository's own name is the last part of its address, and each `../` takes one part off. */
function relativeTo(written: string, parentUrl: string): URL {
  const url = new URL(parentUrl);
  const parts = url.pathname.split("/").filter((part) => part !== "");
  let rest = written;
  for (;;) {
    if (rest.startsWith("./")) rest = rest.slice(2);
    else if (rest.startsWith("../")) {
      if (parts.pop() === undefined) throw refusal(written, "leads out of its server");
      rest = rest.slice(3);
    } else break;
  }
  url.pathname = `/${[...parts, rest].join("/")}`;
  return url;
}

/** Passwords are not repeated. */
function refusal(written: string, why: string): GitError {
  const shown = written.slice(0, 200).replace(/\/\/[^/@]*@/, "//…@");
  return new GitError(`its address ${JSON.stringify(shown)} ${why}`, null);
}

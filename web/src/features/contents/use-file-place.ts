/**
 * Ref and path that an address names: `/OWNER/REPO/PAGE/REF/PATH`. Read from the address itself, because the router takes a
 * `%2F` in a file's name for a slash.
 */
import { useLocation } from "react-router";
import { decodePart } from "./decode-part.ts";

export interface FilePlace {
  /** Empty where the address names none. */
  ref: string;
  /** Empty for the top directory. */
  path: string;
}

export function useFilePlace(): FilePlace {
  return filePlaceOf(useLocation().pathname);
}

export function filePlaceOf(pathname: string): FilePlace {
  const [ref = "", ...parts] = pathname.split("/").slice(4).map(decodePart);
  return { ref, path: parts.filter((part) => part !== "").join("/") };
}

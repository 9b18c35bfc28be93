/** The code of a mail, which stands behind the `#` of the link in it, where it is sent to nobody. */
import { useState } from "react";
import { useLocation } from "react-router";

export function useCodeOfAddress(): string {
  const { hash } = useLocation();
  const [code] = useState(decodeURIComponent(hash.slice(1)));
  return code;
}
